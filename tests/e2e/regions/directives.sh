# SPDX-License-Identifier: BSD-3-Clause
# Directives: what they select, and the messages about wrong ones.
. "$(dirname "$0")/../lib.sh"

# wrong WHAT PATTERN: the source on stdin is refused with one line that matches
wrong() {
	source_file wrong.c
	one_error "$1" 1 "$2" "$SISC" -c wrong.c
	check "$1: no object" test ! -e wrong.o
}
wrong "begin without end" '^wrong.c:2:[0-9]+: error: ' <<'END'
int main(void) {
#pragma sis cr part begin
	return 0;
}
END
wrong "end without begin" '^wrong.c:3:[0-9]+: error: ' <<'END'
int main(void) {
	int x = 0;
#pragma sis end cr
	return x;
}
END
wrong "an unknown mnemonic" "^wrong.c:1:[0-9]+: error: .*CR_OMPFORR.*'CR_OMPFOR'" <<'END'
#pragma sis cr CR_OMPFORR
int main(void) { return 0; }
END
wrong "an unknown metric" "^wrong.c:1:[0-9]+: error: .*WTIMEE.*'WTIME'" <<'END'
#pragma sis cr CR_F pmetric WTIMEE
int main(void) { return 0; }
END
wrong "two names" '^wrong.c:2:[0-9]+: error: ' <<'END'
int main(void) {
#pragma sis cr one, two begin
#pragma sis end cr
	return 0;
}
END
wrong "another name at the end" '^wrong.c:3:[0-9]+: error: ' <<'END'
int main(void) {
#pragma sis cr one begin
#pragma sis end cr two
	return 0;
}
END
wrong "half a switch of the trace" "^wrong.c:2:[0-9]+: error: .*'start' or 'stop'" <<'END'
int main(void) {
#pragma sis trace on
	return 0;
}
END
wrong "the trace is switched where no statement may stand" \
	'^wrong.c:3:[0-9]+: error: .*no statement may' <<'END'
int main(int n, char **v) {
	if (n > 1)
#pragma sis trace start
		return !v;
	return 0;
}
END
# says WHAT MESSAGE LINE: all that sisc says about the directive
says() {
	printf 'int f(int n) {\n  #pragma sis %s\n\tn++;\n#pragma sis end cr\n\treturn n;\n}\n' \
		"$3" >says.c
	equal "$1" "$("$SISC" -c says.c 2>&1)" "says.c:2:$2"
}
says "a name that is a metric" \
	"18: warning: the region is named 'WTIME', like a metric; metrics follow 'pmetric'" \
	'cr WTIME begin'
says "a name that is a keyword of C" \
	"18: warning: the region is named 'for', like a keyword of C; did you mean 'CR_FOR'?" \
	'cr for begin'
says "a name that begins with a digit" \
	"18: error: '1abc' is no name: a name begins with a letter or '_'" 'cr 1abc begin'
says "no name" "18: error: expected a region after 'cr', not '\"a\"'" 'cr "a" begin'
says "a metric among the regions" \
	"24: error: unknown code region 'CR_CTIME'; 'CTIME' is a metric, give it to pmetric" \
	'cr CR_F, CR_CTIME begin'
says "a region among the metrics" \
	"31: error: unknown metric 'CR_L'; it is a code region, give it to cr" \
	'cr CR_F pmetric CR_L begin'
says "the column of an unknown metric" \
	"45: error: unknown metric 'OSYNK'; did you mean 'OSYNC'?" \
	'cr CR_F,  CR_L pmetric WTIME, OSYNK begin'
says "a misspelt keyword" "23: error: unexpected 'pmertic' in directive; did you mean 'pmetric'?" \
	'cr CR_F pmertic WTIME begin'
says "redistribute without a name" \
	"23: error: 'redistribute' without the name of a region before it" \
	'cr CR_L redistribute begin'
says "redistribute as a name" \
	"18: warning: the region is named 'redistribute'; did you mean 'cr NAME redistribute'?" \
	'cr redistribute begin'
says "a misspelt redistribute" \
	"20: error: unexpected 'redistribut' in directive; did you mean 'redistribute'?" \
	'cr a redistribut begin'
says "a misspelt begin is one error" \
	"20: error: unexpected 'begni' in directive; did you mean 'begin'?" 'cr a begni'
echo 'int f(int n) { _Pragma("sis cr CR_XYZ begin") return n; _Pragma("sis end cr") }' >says.c
one_error "the column of an operator _Pragma" 1 '^says.c:1:16: error: ' "$SISC" -c says.c
echo 'int main(void) { return 0; }' >good.c
one_error "a metric as a region on the command line" 1 "'WTIME' is a metric.* --sis-pmetric=" \
	"$SISC" --sis-cr=WTIME -c good.c
one_error "an unknown mnemonic on the command line" 1 "^sisc: error: .*CR_FF" \
	"$SISC" --sis-cr=CR_FF -c good.c
one_error "an unknown option" 1 "^sisc: error: .*--sis-kep.*--sis-keep" "$SISC" --sis-kep -c good.c

# The macros of sis.h.
source_file macros.c <<'END'
#include <sis/sis.h>
SIS_CR(CR_L, CR_S pmetric WTIME, CTIME)
static int same(int n) { return n; }
int main(void)
{
	int s = 0;
	SIS_CR(part, CR_L begin)
	for (int i = 0; i < 3; i++)
		s += same(i);
	SIS_END
	return s - 3;
}
END
build macros macros.c
equal "macros: commas are part of the directive: no message" "$(cat build.err)" ""
run_alone 1 ./macros
equal "macros: commas are part of the directive" \
	"$(query '[.[] | select(.type == "CR_FOR" or .type == "CR_A") | .type] | sort | join(" ")' \
		regions "$EXP")" "CR_A CR_FOR"
source_file two.c <<'END'
#include <sis/sis.h>
int main(void)
{
	SIS_MEASURE(disable, twice)
	SIS_MEASURE(enable)
	return 0;
}
END
refuse "macros: a wrong number of arguments" "$SISC" -c two.c
matches "macros: a wrong number of arguments has a message" "$(cat check.out)" \
	'^two.c:4:[0-9]+: warning: .*too many arguments'

# A region with every kind of exit, counted.
cp "$HERE/directives_exits.c" exits.c
build exits exits.c -O2 -Wall -Wextra -Werror -Wno-unknown-pragmas
run_alone 1 ./exits
equal "exits: prints the same" "$(cat run.out)" "2 2 0"
equal "exits: each entry is counted" \
	"$(query '[.[] | select(.region == "step") | .calls] | add' regions "$EXP")" \
	9
equal "exits: the region's lines" \
	"$(query '[.[] | select(.region == "step") | "\(.file):\(.line_start)-\(.line_end)"] |
		unique | join(" ")' regions "$EXP")" "exits.c:7-17"
identity "exits"

# Selection on the command line and by scope.
source_file select.c <<'END'
#include <stdio.h>
static int a(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
static int b(int n) { int s = 0; for (int i = 0; i < n; i++) s -= i; return s; }
int main(void)
{
	int s = a(3);
#pragma sis measure disable
	s += b(4);
#pragma sis measure enable
	s += a(5);
	printf("%d\n", s);
	return 0;
}
END
build select select.c -O0
run_alone 1 ./select
equal "measure disable: prints the same" "$(cat run.out)" 7
equal "measure disable: what is called from there is not measured" \
	"$(query '[.[] | select(.type == "CR_F") | "\(.region) \(.calls)"] | unique | join(", ")' \
		regions "$EXP")" "a 2"
source_file around.c <<'END'
int work(int n);
int quietly(int n)
{
#pragma sis measure disable
	n = work(n);
#pragma sis measure enable
	return n;
}
END
source_file work.c <<'END'
int quietly(int n);
int work(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
int main(void) { return work(4) - quietly(4); }
END
build around around.c work.c -O0 --sis-cr=CR_L
run_alone 1 ./around
equal "measure disable: in a file that has no region to measure, too" \
	"$run_status $(query '[.[] | select(.type == "CR_FOR") | .calls] | add' regions "$EXP")" \
	"0 1"
build select select.c -O0 --sis-cr=CR_L
run_alone 1 ./select
equal "--sis-cr=CR_L: loops, no functions" \
	"$(query '[.[] | select(.type == "CR_FOR" or .type == "CR_F") | "\(.region) \(.calls)"] |
		unique | join(", ")' regions "$EXP")" "for@2 2"
build select select.c -O0 --sis-pmetric=WTIME,CTIME,VCSW
run_alone 1 ./select
check "--sis-pmetric: the metrics are there" test \
	"$(query '[.[] | select(.region == "a") | .metrics | has("CTIME")] | any' regions "$EXP")" \
	= true

# --sis-pmetric is the default of directives that list no metrics. An inner node of the overhead
# tree stands for all its leaves.
source_file defaults.c <<'END'
#pragma sis cr CR_WHILE
static int a(int n) { while (n > 1) n /= 2; return n; }
int main(void)
{
	int s = 0;
#pragma sis cr named begin
	s += a(9);
#pragma sis end cr
#pragma sis cr other pmetric VCSW begin
	s += a(99);
#pragma sis end cr
#pragma sis cr moved pmetric odata begin
	s += a(999);
#pragma sis end cr
	return s - 3;
}
END
# metrics_of REGION
metrics_of() {
	query "[.[] | select(.region == \"$1\") | .metrics | del(.[] | nulls) | keys[]] | unique |
		join(\" \")" regions "$EXP"
}
build defaults defaults.c -O0 --sis-pmetric=ctime,MAJFLT
run_alone 1 ./defaults
equal "--sis-pmetric: of a region whose directive lists no metric" "$(metrics_of named)" \
	"CTIME MAJFLT"
equal "--sis-pmetric: of all regions of such a directive" "$(metrics_of while@2)" "CTIME MAJFLT"
equal "--sis-pmetric: not of one whose directive lists others" "$(metrics_of other)" "VCSW"
matches "an inner node stands for all its leaves" "$(metrics_of moved)" "MINFLT"
lacks "and for no others" "$(metrics_of moved)" "CTIME|VCSW"
