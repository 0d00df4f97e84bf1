#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Cases that people met on their own machines: the patched kernel gives the same answers as the unpatched one.
# usage: tests/field.sh

. "$(dirname -- "$0")/../scripts/lib/lib.sh"
exec "$TOP/scripts/proof/field"
