// SPDX-License-Identifier: GPL-2.0
#define POSITION 3
#include "twinpatch.h"
