// SPDX-License-Identifier: GPL-2.0
#define POSITION 1
#include "twinpatch.h"
