# SPDX-License-Identifier: BSD-3-Clause
# Functions of the user's headers are measured in every unit and described once. Nothing in the
# build depends on their text being in the instrumented source.
. "$(dirname "$0")/../lib.sh"

mkdir -p include lib
cat >include/work.h <<'X'
#pragma once
#include "amount.h"
static inline int work(int n)
{
	int sum = 0;
	for (int i = 0; i < n * AMOUNT; i++)
		sum += i % 7;
	if (sum > 1000)
		sum -= 1000;
	for (int i = 0; i < n; i++)
		sum ^= i;
	return sum;
}
X
echo '#define AMOUNT 3' >include/amount.h
printf '#include "work.h"\nint other(int n) { return work(n) + work(n + 1); }\n' >lib/other.c
printf '%s\n' '#include <stdio.h>' '#include "work.h"' '#include "work.h"' 'int other(int);' \
	'int main(void) { printf("%d\n", work(4) + other(5)); return 0; }' >main.c

$SISC -Iinclude -Wall -Wextra -g -MD -MP -c lib/other.c -o other.o 2>said
check "nothing is said" [ ! -s said ]
gcc -Iinclude -MD -MP -MF plain.d -c lib/other.c -o plain.o
check "the dependency file names what was inlined" sh \
	-c 'for f in include/work.h include/amount.h lib/other.c; do
		grep -q "$f" other.d || exit 1
	done'
check "and gives it an empty rule" grep -q '^include/work.h:' other.d
$SISC -Iinclude -Wall -c main.c && $SISC main.o other.o -o program
equal "the program does the same" \
	"$(SIS_OUTPUT=$PWD/run SIS_LOG=quiet ./program)" \
	"$(gcc -Iinclude main.c lib/other.c -o plain && ./plain)"
check "debug lines name the header" sh \
	-c 'objdump --dwarf=decodedline other.o 2>/dev/null | grep -q "^work.h  *6\|work.h:"'
equal "it is one region, called from both units" \
	"$(query '[.[] | select(.region == "work")] |
		[(map([.file, .line_start]) | unique), (map(.calls) | add)] | tojson' \
		regions run --type CR_F)" '[[["include/work.h",3]],3]'
