#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# The spelling of all our files is right. README, docs/, the series' document and the messages of the patches have no phrase
# that the checklist in docs/developing.md rules out.
# usage: tests/prose.sh

. "$(dirname -- "$0")/tap.bash"
cd "$TOP"

# "ans" is a variable of the KUnit suites.
mapfile -t files < <(find . -path ./out -prune -o -path ./.git -prune -o -type f ! -name '*.svg' ! -name '*.csv' ! -name COPYING -print)
passes "codespell finds no mistake in ${#files[@]} files" codespell -q 3 -L ans "${files[@]}"

phrases='comes to|came of|of its own|of their own|as ever|look-up|\bwalks?\b|for want of'
plain() { ! grep -rnEi "$phrases" "$@"; }
mkdir "$W/messages"
for patch in patches/*/*.patch* fixes/*/*.patch; do sed '/^---$/,$d' "$patch" >"$W/messages/$(tr / - <<<"$patch")"; done
passes "no phrase that the checklist rules out" plain README.md docs linux/Documentation "$W/messages"
printf 'this comes to t%s same\n' eh >"$W/messages/wrong"
refused "a wrong word is noticed" "$W/messages" "==> the" codespell "$W/messages/wrong"
refused "a phrase that is ruled out is noticed" "$W/messages" "comes to" plain "$W/messages/wrong"
[ "$failures" -eq 0 ]
