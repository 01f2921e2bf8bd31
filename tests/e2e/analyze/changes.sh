# SPDX-License-Identifier: BSD-3-Clause
# Why the parallel version takes longer on one processing unit, for each function of one file:
# because of its text, the expansion of its macros, the flags, more calls, functions that are not
# measured, or none of these. Experiments without checksums of functions are compared by files.
# asleep: its truth is time asleep, which ends later on a busy machine
. "$(dirname "$0")/../lib.sh"

# Work is time asleep. Each function sleeps 100 ms in the sequential version, and 200 ms in the
# parallel one; `equal` sleeps 100 ms in both.
source_file more.h <<'END'
#ifndef MORE
#define MORE 0
#endif
END
source_file f.c <<'END'
#include "more.h"
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>
static void small(void) { usleep(100000 + 100000 * MORE); }
void equal(int n)
{
	assert(n);
	for (int i = 0; i < n; i++)
		usleep(100000);
}
void text(void) { usleep(100000); }
void macro(void) { usleep(100000 + 100000 * MORE); }
void flag(void) { usleep(100000 + 100000 * ((char)-1 > 0)); }
void calls(void) { usleep(100000); }
void callee(void) { small(); }
void neither(int ms) { usleep(ms * 1000); }
int main(int argc, char **argv)
{
	equal(1);
	text();
	macro();
	flag();
	for (int i = 0; i < argc - 1; i++)
		calls();
	callee();
	neither(argv[1] ? atoi(argv[1]) : 0);
	return 0;
}
END
# lines, comments, blanks and pragmas are not the text; a second usleep is
{
	echo '/* moved'
	echo '*/'
	sed 's/^void text(void) {/& usleep(100000);/; s/equal(int n)/equal( int n ) \/* n *\//
		s/^\tfor (int i = 0; i < n; i++)/#pragma omp parallel for\n&/
		s/^#pragma omp.*/&\n#pragma sis cr x begin/
		s/^\t\tusleep(100000);/&\n#pragma sis end cr/' f.c
} >changed.c
measured="--sis-cr=CR_P,CR_F --sis-exclude=small"
build before f.c $measured -O1
build after changed.c $measured -O1 -Wall -g -DMORE=1 -funsigned-char
quiet() { "$@" >quiet.out 2>&1 || give_up "$*" quiet.out; }
run_alone 1 ./before 100
quiet analyze import "$EXP" --name first --role seq --set application=changes
run_alone 1 ./after 200 again
quiet analyze import "$EXP" --name later --role par1 --set application=changes

leaf() { # leaf FUNCTION: the leaf with most of its difference, and the seconds
	query "[.[] | select(.rule | startswith(\"the parallel version\")) |
		select(.region == \"$1\")] | sort_by(.seconds) | last |
		\"\(.overhead) \(.seconds)\"" overhead later --explain OTOTAL
}
rule() { query ".[] | select(.region == \"$1\" and .process == null) | .rule" overhead later \
	--explain OTOTAL; }
is() { # is WHAT FUNCTION LEAF REASON: 100 ms more
	found=$(leaf "$2")
	equal "$1" "${found% *}" "$3"
	near "$1: the difference" "${found#* }" 0.1
	matches "$1: both times" "$(rule "$2")" 'works 0\.[12]'
	matches "$1: the reason" "$(rule "$2")" "$4"
}
is "a changed text is another algorithm" text OADD_ALGO \
	'the text is another: .* checksum [0-9a-f]{16}, and [0-9a-f]{16} in the sequential'
is "and so is a changed macro" macro OADD_ALGO 'the text is another'
is "a flag is the compiler's" flag OADD_COMP \
	'the text is the same; only the parallel version is built with -funsigned-char$'
is "more calls are the caller's" calls OADD_ALGO \
	'the text is the same; the parallel version calls it 2 times, the sequential one 1'
is "what it calls unmeasured is its own" callee OADD_ALGO \
	'not that of functions that it calls and that are not measured'
near "all that is another algorithm" "$(query .overheads.OADD_ALGO overhead later)" 0.4
near "by the compiler: the flag is that of all functions" \
	"$(query .overheads.OADD_COMP overhead later)" 0.2
matches "lines, comments, blanks and pragmas are not the text" "$(rule equal)" \
	'the text is the same; only the parallel version is built with'

# -- none of these: the same build
run_alone 1 ./before 200
quiet analyze import "$EXP" --name later2 --role par1 --set application=changes
near "neither text nor compiler" "$(query .overheads.OADD overhead later2)" 0
near "it is unidentified" \
	"$(query '[.[] | select(.region == "neither") | .seconds] | add' overhead later2 --explain \
		OUNID)" 0.1
matches "and that is said" \
	"$(query '.[] | select(.region == "neither") | .rule' overhead later2 --explain OUNID)" \
	'the text, the calls, the compiler and its flags are the same'

# -- a version is another one if only a macro of a header differs, at the same lines
equal "versions of the same text" \
	"$(query '.[0].n' sql 'SELECT count(DISTINCT version) AS n FROM experiment')" 2
printf '#define MORE 1\n\n\n' >more.h
build macro f.c $measured -O1
run_alone 1 ./macro 100
quiet analyze import "$EXP" --name macro --role par --set application=changes
equal "and of another macro" \
	"$(query '.[0].n' sql 'SELECT count(DISTINCT version) AS n FROM experiment')" 3
near "which is another algorithm" "$(query .overheads.OADD_ALGO overhead macro --seq first)" 0.2

# -- experiments of an older sisc are compared by files
"$CC" -o execute "$E2E/robust/execute.c" -lsqlite3 2>build.err || give_up "execute builds" build.err
check "without checksums of functions" ./execute sis.db \
	"UPDATE code_region SET tokens = NULL, build = NULL"
near "another file is another algorithm" "$(query .overheads.OADD_ALGO overhead later)" 0.6
matches "and that is said" "$(rule flag)" \
	'the text of the file is another, and checksums of functions are not recorded'
near "the same file is the compiler's" "$(query .overheads.OADD_COMP overhead later2)" 0.1
matches "and that is said, too" \
	"$(query '.[] | select(.region == "neither") | .rule' overhead later2 --explain OADD)" \
	'the text of the file is the same, and checksums'
