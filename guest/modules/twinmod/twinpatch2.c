// SPDX-License-Identifier: GPL-2.0
#define POSITION 2
#include "twinpatch.h"
