// SPDX-License-Identifier: GPL-2.0
#define POSITION 0
#include "twinpatch.h"
