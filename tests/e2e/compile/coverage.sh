# SPDX-License-Identifier: BSD-3-Clause
# Coverage tools count the same files, lines and executions as without sisc.
. "$(dirname "$0")/../lib.sh"

source_file a.c <<'END'
#include <stdio.h>
int twice(int x)
{
	if (x > 3)
		return x * 2;
	return x;
}
int main(void)
{
	int sum = 0;
	for (int i = 0; i < 10; i++)
		sum += twice(i);
#pragma sis cr once begin
	sum++;
#pragma sis end cr
	printf("%d\n", sum);
	return 0;
}
END
source_file b.c <<'END'
int unused(int x) { return x; }
END

# covered COMPILER OPTION...: what gcov says of both sources, and which files there are
covered() {
	rm -rf coverage && mkdir coverage && cd coverage || exit 1
	"$@" ../a.c ../b.c -o prog 2>../notes &&
		SIS_OUTPUT=$T/exp ./prog >../said && gcov -a -b -f ./*.gcda 2>&1
	cat ./*.gcov
	find . -type f | sort
	cd ..
}
for options in --coverage "-fprofile-arcs -ftest-coverage" "--coverage -O2" \
	"--coverage -fopenmp"; do
	# shellcheck disable=SC2086 # several options
	{
		covered "$CC" $options >plain
		covered "$SISC" --sis-cc="$CC" $options >measured
	}
	equal "$options: gcov says the same" "$(cat measured)" "$(cat plain)"
	matches "$options: gcov counts lines" "$(cat plain)" '10.*: +12:'
	equal "$options: the program runs" "$(cat said)" 85
	matches "$options: a note says why it is not measured" "$(cat notes)" \
		'a\.c: not instrumented: -[a-z-]*coverage would count its probes'
	check "$options: it is not measured" [ ! -d exp ]
done

# object COMPILER OPTION...: the object is the compiler's own, byte for byte
object() {
	compiler=$1
	shift
	"$compiler" -D__SISC__=1 -frandom-seed=1 "$@" -c a.c -o a.o && mv a.o plain.o
	"$SISC" --sis-cc="$compiler" -frandom-seed=1 "$@" -c a.c -o a.o 2>notes
	equal "$compiler $*: the compiler's own object" "$(cksum <a.o)" "$(cksum <plain.o)"
}
object "$CC" --coverage
if command -v clang-19 >/dev/null; then
	object clang-19 --coverage
	object clang-19 -fprofile-instr-generate -fcoverage-mapping
else
	skip clang-19 "not installed"
fi

"$SISC" --sis-cc="$CC" --coverage -fno-test-coverage a.c -o prog 2>notes
equal "without a list of lines nothing prevents measurement" "$(cat notes)" ""
matches "such a program is measured" "$(readelf -SW prog)" sis_idf
