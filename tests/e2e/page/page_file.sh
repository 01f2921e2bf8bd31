# SPDX-License-Identifier: BSD-3-Clause
# sis-analyze view as a command: where the page is written, what it has, and what is left out of
# one that would be too large.
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_page.sh"

build calls "$TOP/tests/bench/processes.c" -O1 --sis-cr=CR_F,CR_IO
run_alone 1 ./calls 1
first=$EXP
run_alone 1 ./calls 3
second=$EXP

# -- where
analyze import "$first" --name 'a/b c' >/dev/null 2>&1
equal "the page has the experiment's name" "$(analyze view 'a/b c')" a_b_c.html
check "it is there" test -s a_b_c.html
equal "a new file is like others" "$(stat -c %a a_b_c.html)" 644
analyze view "$first" -o - >stdout.html
equal "- is standard output" "$(sed 's/"written_ns": [0-9]*//' stdout.html | cksum)" \
	"$(sed 's/"written_ns": [0-9]*//' a_b_c.html | cksum)"
chmod 600 a_b_c.html
ln -s a_b_c.html link.html
analyze view "$first" -o link.html >/dev/null
equal "a link stays, and the mode of its file" "$(stat -c %a "$(readlink link.html)")" 600
analyze view "$first" -o /dev/null >/dev/null
check "a device stays one" test -c /dev/null

# -- where it cannot be
echo before >old.html
one_error "disk full" 1 "cannot write '/dev/full'" "$ANALYZE" view "$first" -o /dev/full
one_error "no directory" 1 "cannot write 'none/x.html': No such file" \
	"$ANALYZE" view "$first" -o none/x.html
one_error "a directory" 1 "cannot write '.*': Is a directory" "$ANALYZE" view "$first" -o "$T"
(
	ulimit -f 20 # blocks of 512 bytes
	trap '' XFSZ
	one_error "no room for all of it" 1 "cannot write '.*old.html'" \
		"$ANALYZE" view "$first" -o old.html
)
number=$((number + 1))
equal "then the file is as before" "$(cat old.html)" before
equal "and nothing is left beside it" "$(find . -name '*.html.*')" ""
one_error "a bad limit" 2 "bad --limit '0'" "$ANALYZE" view "$first" --limit 0
one_error "a browser that is not there" 1 "no browser was found: open 'a_b_c.html'" \
	env PATH=/nonexistent BROWSER=nobody "$ANALYZE" view 'a/b c' --open
printf '#!/bin/sh\necho "$1" >%s/opened\n' "$T" >browser
chmod +x browser
BROWSER=$T/browser analyze view 'a/b c' --open >/dev/null
for _ in 1 2 3 4 5 6 7 8 9 10; do [ -s opened ] || sleep 0.2; done
equal "--open starts the browser" "$(cat opened)" a_b_c.html

# -- what is in it
html=$(cat a_b_c.html)
matches "a reader without scripts gets the report" "$html" '^Where the time went'
matches "nothing may be requested" "$html" "default-src 'none'"
lacks "it refers to nothing outside" "$html" '(src|href)="?(https?:|//)'
numbers a_b_c
analyze view "$first" "$second" -o two.html >/dev/null
numbers two

# -- what is left out
analyze view "$second" -o all.html >/dev/null
size=$(($(wc -c <all.html) - 5000))
analyze view "$second" -o part.html \
	--limit "$(awk -v n="$size" 'BEGIN { printf "%.4f", n / 1e6 }')" >part.out 2>part.err
check "a page is at most as large as its limit" test "$(wc -c <part.html)" -le "$size"
matches "what is left out is said" "$(cat part.err)" 'left out of the page: call paths, [0-9]+ of [0-9]+ kept'
matches "in the page, too" "$(cat part.html)" 'Their time counts for their'
numbers part reduced
# between a limit that leaves out call paths alone, and one that cannot be kept
least=1000 most=$((size / 100)) # hundreds of bytes
while [ $((most - least)) -gt 1 ]; do
	middle=$(((least + most) / 2))
	size=$((middle * 100))
	limit=$(awk -v n=$size 'BEGIN { printf "%.4f", n / 1e6 }')
	if ! analyze view "$second" -o least.html --limit "$limit" >least.out 2>least.err; then
		least=$middle
	elif grep -q 'the largest first' least.err; then
		break
	else
		most=$middle
	fi
done
matches "documents are left out before the limit cannot be kept" "$(cat least.err)" \
	'the largest first'
check "without documents it is within its limit" test "$(wc -c <least.html)" -le "$size"
matches "which it says" "$(cat least.html)" 'the largest first, until the page is within'
numbers least reduced
one_error "a limit that cannot be kept" 1 'the page needs .* raise --limit' \
	"$ANALYZE" view "$second" -o none.html --limit 0.1
