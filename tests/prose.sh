#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# The spelling of all our files is right. No page, message or comment has a phrase that the checklist in docs/developing.md
# rules out, and no page has a placeholder.
# usage: tests/prose.sh

. "$(dirname -- "$0")/tap.bash"
cd "$TOP"

# "ans" is a variable of the KUnit suites.
mapfile -t files < <(find . -path ./out -prune -o -path ./.git -prune -o -type f ! -name '*.svg' ! -name '*.csv' ! -name COPYING -print)
passes "codespell finds no mistake in ${#files[@]} files" codespell -q 3 -L ans "${files[@]}"

phrases='comes to|came of|of its own|of their own|as ever|look-up|\bwalks?\b|for want of'
plain() { ! grep -rnEi --exclude=prose.sh "$phrases" "$@"; }
finished() { ! grep -rnE '@@[A-Z][A-Z0-9_]*@@' "$@"; }
mkdir "$W/messages"
for patch in patches/*/*.patch* fixes/*/*.patch; do sed '/^---$/,$d' "$patch" >"$W/messages/$(tr / - <<<"$patch")"; done
passes "no phrase that the checklist rules out" plain README.md docs linux/Documentation "$W/messages"
passes "none in the code and its comments" plain Makefile scripts tests guest proof configs linux
passes "no placeholder" finished README.md docs linux/Documentation "$W/messages"
printf 'this comes to t%s same\n' eh >"$W/messages/wrong"
refused "a wrong word is noticed" "$W/messages" "==> the" codespell "$W/messages/wrong"
printf 'loads in @%s@ ms\n' @TIME@ >"$W/messages/open"
refused "a placeholder is noticed" "$W/messages" @@TIME@@ finished "$W/messages/open"
refused "a phrase that is ruled out is noticed" "$W/messages" "comes to" plain "$W/messages/wrong"
[ "$failures" -eq 0 ]
