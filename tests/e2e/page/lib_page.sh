# SPDX-License-Identifier: BSD-3-Clause
# lib_page.sh - what tests of the page source after lib.sh.
#
#     page sample "$EXP"         writes sample.html
#     numbers sample [reduced]   its numbers are those that commands print (tests/page/numbers.mjs)
#     views sample [OPTION...]   all its views in Chromium (tests/page/views.mjs)
#
# Screenshots are beside the logs of the tests, in folder page.
# shellcheck shell=sh

PAGE_SHOTS=$build_dir/tests/log/page
CHROMIUM=${CHROMIUM:-$(command -v chromium-headless-shell || command -v chromium)}
export PAGE_SHOTS CHROMIUM ANALYZE
mkdir -p "$PAGE_SHOTS"
for tool in node esbuild; do
	command -v $tool >/dev/null && continue
	skip "the page" "there is no $tool"
	exit 0
done

# page NAME EXP...: writes NAME.html
page() {
	page_name=$1
	shift
	analyze view "$@" -o "$page_name.html" >view.out 2>view.err ||
		give_up "sis-analyze view writes $page_name.html" view.err
}

numbers() { node "$TOP/tests/page/numbers.mjs" "$1.html" ${2+"$2"}; }

views() {
	views_name=$1
	shift
	if [ -z "$CHROMIUM" ]; then
		skip "the page $views_name in a browser" "there is no chromium-headless-shell"
		return
	fi
	node "$TOP/tests/page/views.mjs" "$views_name.html" "$views_name" "$@" ||
		not_ok "$views_name in Chromium ends well"
}
