# SPDX-License-Identifier: BSD-3-Clause
# Regions with several ways in and out, regions that overlap, and conditions: each activation is counted once.
. "$(dirname "$0")/../lib.sh"

calls() { # calls REGION...: of each
	for region in "$@"; do
		printf '%s ' "$(query "[.[] | select(.region == \"$region\") | .calls] | add // 0" regions "$EXP")"
	done
}
balanced() { lacks "$1: enters are leaves" "$(analyze show "$EXP")" 'matched no open|ended only because'; }

source_file ways.c <<'END'
#include <stdio.h>
static int evaluated;
static int ask(int n)
{
	evaluated++;
	return n;
}
static int step(int n)
{
	int s = 0;
	if (n > 5)
		goto inside;
#pragma sis cr entered begin
	s++;
inside:
	s += 2;
#pragma sis end cr
	switch (n) {
	case 0:
#pragma sis cr across begin
		s++;
		break;
	case 1:
		s += 2;
#pragma sis end cr
		break;
	case 2:
		s += 3;
	}
	return s;
}
static int dispatch(const unsigned char *code)
{
	static void *const to[] = { &&end, &&add, &&drop };
	int s = 0;
#pragma sis cr loop begin
	for (;;) {
		goto *to[*code++];
add:
		s++;
	}
#pragma sis end cr
drop:
	s--;
	if (s)
		goto add;
end:
	return s;
}
static int crossed(int n)
{
	int s = n;
#pragma sis cr first begin
	s++;
#pragma sis cr second begin
	if (n == 1)
		return s;
	s++;
#pragma sis end cr first
	if (n == 2)
		return s;
	s++;
#pragma sis end cr second
	return s;
}
static int asked(int n)
{
#pragma sis cr odd if(ask(n) & 1) begin
	n++;
#pragma sis end cr
#pragma sis cr CR_L if(ask(n) > 3) begin
	for (int i = 0; i < 2; i++)
		n += i;
#pragma sis end cr
	return n;
}
int main(void)
{
	int s = 0;
	for (int n = 0; n < 10; n++)
		s += step(n) + crossed(n) + asked(n);
	s += dispatch((const unsigned char *)"\1\1\2\1\2\0") + dispatch((const unsigned char *)"\0");
	printf("%d\n", s);
	return evaluated != 20 && evaluated != 0;
}
END
plain=$($CC ways.c -w -o plain && ./plain)
for compiler in $CC clang-19; do
	for level in -O0 -O2; do
		what="$compiler $level"
		SISC_CC=$compiler "$SISC" $level -Wall -Wextra -Werror -Wno-unknown-pragmas ways.c -o ways >build.out 2>&1 ||
			give_up "$what: builds" build.out
		equal "$what: says nothing" "$(cat build.out)" ""
		run_alone 1 ./ways
		equal "$what: prints the same" "$(cat run.out)" "$plain"
		equal "$what: entered by begin and by label" "$(calls entered across loop)" "10 2 4 "
		equal "$what: overlapping" "$(calls first second)" "10 10 "
		equal "$what: if(...)" "$(calls odd for@72)" "5 7 "
		balanced "$what"
	done
done
second=$(query '[.[] | select(.region == "second") | .calls > 0] | unique | length' regions "$EXP")
equal "a region that goes on has two nodes, and calls in one" "$second" 2
identity "ways"
