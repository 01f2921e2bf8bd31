# SPDX-License-Identifier: BSD-3-Clause
# The compiler's ways to name inputs and outputs: each gives the files that the compiler alone
# gives.
# ci: it compiles many programs
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_driver.sh"

same "-c of two files" "$MPICC" -c a.c b.c
measured "-c of two files" a.o
same "compile and link two files" "$MPICC" a.c b.c -o prog
runs_same "compile and link two files" prog
same "default program name" "$MPICC" a.c b.c
runs_same "default program name" a.out
same "an output with a space" "$MPICC" a.c b.c -o 'my prog'
runs_same "an output with a space" 'my prog'
check "its description is beside it" test -s 'measured/my prog.idf'
same "-o attached" "$MPICC" -c a.c -oother.o
same "-S" "$MPICC" -S a.c
matches "-S: has probes" "$(cat measured/a.s)" sis_unit_register
same "-S with -o" "$MPICC" -S a.c -o x.s
same "-x c" "$MPICC" -x c -c a.c
same "an unusual suffix" "$MPICC" -c -x c b.h -o b.o
same "-c and -o of two files: refused" "$MPICC" -c a.c b.c -o x.o
same "-include" "$MPICC" -include stdio.h -c b.c
same "-pipe -g3 -O2" "$MPICC" -pipe -g3 -O2 a.c b.c -o prog
same "-flto" "$MPICC" -flto -O2 a.c b.c -o prog
runs_same "-flto" prog
measured "-flto" prog
same "-fPIC -shared" "$MPICC" -fPIC -shared b.c -o libb.so
check "a shared library has a description" test -s measured/libb.so.idf
same "no input file" "$MPICC" -c
same "a missing file among others" "$MPICC" a.c nosuch.c b.c -o prog
same "-E" "$MPICC" -E a.c -o a.i
same "-fsyntax-only" "$MPICC" -fsyntax-only a.c

# Files that the compiler keeps: those of the compiler alone, and none of sisc's.
mkdir src/sub temporary
sed 's/"b.h"/"..\/b.h"/' src/b.c >src/sub/b.c
sed 's/{/{ int not_used;/' src/a.c >src/warned.c
given_tmpdir=$TMPDIR
TMPDIR=$T/temporary
for compiler in gcc clang-19; do
	command -v $compiler >/dev/null || { skip "$compiler" "not installed" && continue; }
	for words in "=obj -c sub/b.c -o sub/x.o" " -S a.c -o sub/x.s" " a.c b.c" \
		"=obj a.c sub/b.c -o sub/prog.x" "=cwd a.c sub/b.c -o sub/prog.x" \
		" -Wall -MD warned.c b.c -o prog"; do
		# shellcheck disable=SC2086
		same "-save-temps$words" $compiler -save-temps$words
	done
	same "--save-temps" $compiler --save-temps a.c b.c -o prog
	measured "-save-temps" prog
	echo 'int main(void) { int s = 0; for (int i = 0; i < 9; i++) s += i; return s; }' \
		>src/one.c
	same "-save-temps, a program named as its source" $compiler -save-temps one.c -o one
	same "-save-temps, an .exe" $compiler -save-temps=obj one.c -o sub/one.exe
	same "-save-temps, -fanalyzer" $compiler -save-temps -fanalyzer one.c -o prog
	rm src/one.c
done
same "-save-temps -dumpdir" gcc -save-temps -dumpdir pre- a.c b.c -o prog
(cd src && "$SISC" --sis-cc=gcc -save-temps -S -o - b.c >/dev/null)
check "-save-temps -S -o -" rm src/b.i
equal "-save-temps leaves nothing of sisc's" "$(ls temporary)" ""
TMPDIR=$given_tmpdir
rm -r src/sub src/warned.c

# Names of sources as long as a file system allows, 255 bytes.
long=$(printf '%0253d' 0 | tr 0 n)
for compiler in gcc clang-19; do
	command -v $compiler >/dev/null || { skip "$compiler" "not installed" && continue; }
	for name in "$long" "${long#nnnnnn}"; do
		cp src/b.c "src/$name.c"
		same "a name of ${#name} bytes and .c" $compiler -Wall -c "$name.c"
		measured "a name of ${#name} bytes and .c" "$name.o"
		rm "src/$name.c"
	done
done
cp src/b.c "src/$long.c"
same "a long name in a program" gcc a.c "$long.c" -o prog
runs_same "a long name in a program" prog
rm "src/$long.c"

# An option without its value is the compiler's own error.
for words in "-c a.c -o" "a.c b.c -o" "a.c b.c -L" "-c a.c -x" "-c a.c -MF"; do
	# shellcheck disable=SC2086
	same "$words" gcc $words
done

echo '-O1 "-DTEXT=two words" a.c b.c -o prog' >src/arguments
same "@file" "$MPICC" @arguments
runs_same "@file" prog
rm src/arguments

(cd src && gcc -S b.c -o b.s && gcc -E a.c -o a.i && gcc -c b.c -o b.o && ar rcs libb.a b.o)
same "assembly as input" "$MPICC" a.c b.s -o prog
measured_assembly() {
	matches "$1: is measured" "$(jq -r '.units[].regions[].name' measured/prog.idf)" "^b$"
	equal "$1: says nothing of a runtime" \
		"$(cd measured && SIS_OUTPUT=$T/exp ./prog 2>&1 | grep -c warning)" \
		0
	rm -rf "$T"/exp*
}
for compiler in gcc clang-19; do
	command -v $compiler >/dev/null || { skip "$compiler" "not installed" && continue; }
	(cd src && "$SISC" --sis-cc=$compiler -S b.c -o probed.s &&
		"$SISC" --sis-cc=$compiler -S a.c -o probed_main.s)
	same "instrumented assembly as input" $compiler probed_main.s probed.s -o prog
	measured_assembly "instrumented assembly as input"
	(cd src && "$SISC" --sis-cc=$compiler -c probed.s -o probed.o)
	matches "$compiler: instrumented assembly, -c" "$(readelf -SW src/probed.o)" ' sis_idf '
	rm src/probed.s src/probed.o src/probed_main.s
done

# fed WHAT COMPILER ARGUMENT...: reads the source b.c from standard input; the program, if there
# is one, is prog
fed() {
	what="$2: $1" compiler=$2
	shift 2
	rm -rf plain measured
	cp -r src plain && cp -r src measured
	(cd plain && "$compiler" "$@" <../fed.c >../plain.out 2>../plain.err; echo \
		"status $?" >>../plain.err)
	(cd measured && "$SISC" --sis-cc="$compiler" \
		"$@" <../fed.c >../measured.out 2>../measured.err
	 echo "status $?" >>../measured.err)
	equal "$what: messages and status" "$(cat measured.err)" "$(cat plain.err)"
	equal "$what: files" \
		"$(cd measured && find . -type f ! -name '*.idf' | sort)" \
		"$(cd plain && find . -type f | sort)"
	equal "$what: dependencies" "$(cat measured/*.d 2>none)" "$(cat plain/*.d 2>none)"
	check "$what: is measured" grep -q -r sis_unit_register measured measured.out
}
cat >fed.c <<'END'
#include <stdio.h>
#include "b.h"
int b(int n) { int s = 0, i; for (i = 0; i < n; i++) s += i; return s; }
int main(void) { int unused; printf("%s %s %d\n", __FILE__, __BASE_FILE__, b(4)); return 4; }
END
for compiler in gcc clang-19; do
	command -v $compiler >/dev/null || { skip "$compiler" "not installed" && continue; }
	fed "standard input" $compiler -x c - -o prog
	runs_same "standard input" prog
	equal "$compiler: standard input: regions" \
		"$(jq -r '.units[].regions[].file' measured/prog.idf | sort -u)" \
		"<stdin>"
	fed "standard input, default names" $compiler -MD -c -Wall -x c -
	fed "standard input, assembly to standard output" $compiler -S -o - -x c -
	fed "standard input, an output" $compiler -g -O2 -MMD -MP -x c - -c -o fed.o
done

# Preprocessed text. The names in it are no macros, even if the compiler predefines them.
cat >src/macros.c <<'END'
#undef linux
#define next(n) (next)((n) + 1)
#include "b.h"
#include <stdio.h>
static int (next)(int n) { return n; }
int main(void)
{
	int linux = b(next(1)), limit = 0, i;
#pragma sis cr CR_FOR if(linux == 1) begin
	for (i = 0; i < 3; i++)
		limit += i;
#pragma sis end cr
	printf("%s %d %d %d\n", __FILE__, __LINE__, linux, limit);
	return 0;
}
END
for compiler in gcc clang-19; do
	command -v $compiler >/dev/null || { skip "$compiler" "not installed" && continue; }
	(cd src && $compiler -g3 -dD -E macros.c -o macros.i &&
		$compiler -E b.c -o b.i && $compiler -E -P b.c -o bare.i)
	same "preprocessed text" $compiler -Wextra -g -O2 -MD macros.i b.i -o prog
	runs_same "preprocessed text" prog
	equal "$compiler: preprocessed text: regions" \
		"$(jq -r '.units[].regions[] | "\(.name) \(.type) \(.file):\(.line_start)"' \
			measured/prog.idf | sort)" \
		"$(cd src && "$SISC" --sis-cc=$compiler macros.c b.c -o ../prog && jq -r \
		'.units[].regions[] | "\(.name) \(.type) \(.file):\(.line_start)"' ../prog.idf |
		sort)"
	same "preprocessed text without line markers, by -x" $compiler -Wall -x cpp-output -c bare.i
	measured "preprocessed text without line markers, by -x" bare.o
	same "preprocessed text, default names" $compiler -fstack-usage -c -MMD b.i
	measured "preprocessed text, default names" b.o
	equal "$compiler: preprocessed text: the object's source" \
		"$(readelf -sW measured/b.o | grep FILE)" \
		"$(readelf -sW plain/b.o | grep FILE)"
	$compiler -E fed.c -I src -o fed.i
	"$SISC" --sis-cc=$compiler -x cpp-output - -o prog <fed.i 2>said
	equal "$compiler: preprocessed standard input" \
		"$(SIS_OUTPUT=$T/exp SIS_LOG=quiet ./prog; echo $?)" \
		"$(printf '%s\n' "fed.c fed.c 6" 4)"
	matches "$compiler: preprocessed standard input: is measured" "$(readelf -SW prog)" sis_idf
	rm -rf "$T"/exp* src/*.i
done
rm src/macros.c
cat >limit.c <<'END'
#define LIMIT 3
int main(int argc, char **argv)
{
	int i, n = 0;
#pragma sis cr CR_FOR if(argc > LIMIT) begin
	for (i = 0; i < 9; i++)
		n += argv[0][0] == 'x';
#pragma sis end cr
	return n;
}
END
gcc -E limit.c -o limit.i
"$SISC" --sis-cc=gcc limit.i -o limit 2>said
equal "a lost macro in if(): compiled" $? 0
matches "a lost macro in if(): a warning" \
	"$(cat said)" \
	"^limit.c:5:1: warning: nothing is measured for if.argc > LIMIT.*'LIMIT' is not visible"
if command -v ccache >/dev/null; then
	CCACHE_DIR=$T/ccache CCACHE_NOCPP2=1 ccache "$SISC" --sis-cc=gcc -c src/b.c -o b.o
	matches "ccache that passes preprocessed text" "$(readelf -SW b.o)" sis_idf
	equal "ccache that passes preprocessed text: regions" \
		"$(readelf -p sis_idf b.o | grep -o '"source":"[^"]*"')" \
		'"source":"src/b.c"'
else
	skip "ccache that passes preprocessed text" "not installed"
fi
echo 'int main(void) { return 4; }' | "$SISC" --sis-off -x c -o off - && ./off
equal "standard input, --sis-off" $? 4
echo 'int main(void) { return 5; ' | "$SISC" --sis-cc=gcc -x c -c - -o refused.o 2>refused
equal "standard input that is refused" "$?, $(grep -c '^<stdin>:.*error' refused)" "1, 1"
gcc -x c -c - -o none.o </ >none 2>&1
equal "standard input that cannot be read" \
	"$("$SISC" --sis-cc=gcc -x c -c - -o none.o </ 2>&1)" \
	"$(cat none)"
echo 'int x;' | "$SISC" --sis-emit -x c - >emitted
equal "standard input, --sis-emit without regions" "$(cat emitted)" "int x;"
same "an archive as input" "$MPICC" a.c libb.a -o prog
same "a library by -l" "$MPICC" a.c -L. -lb -o prog
runs_same "a library by -l" prog
echo 'extern "C" int b(int n) { return n; }' >src/plus.cc
same "C++ is passed on" "$MPICC" -c plus.cc
same "C++ beside C" "$MPICC" -c a.c plus.cc
measured "C++ beside C" a.o

for what in --version -dumpmachine -dumpversion -print-prog-name=ld -print-search-dirs '-v' \
	'-###'; do
	equal "$what" \
		"$("$SISC" "$what" 2>&1 | no_temporary)" \
		"$("$MPICC" "$what" 2>&1 | no_temporary)"
done
equal "source on standard input" \
	"$(echo 'int x = 3;' | "$SISC" -x c - -S -o - | grep -c '\.long.*3')" \
	1
echo 'int main(void) { return 4; }' | "$SISC" -x c -o from_stdin - && ./from_stdin
equal "program from standard input" $? 4
cp src/a.c conftest.c && cp src/b.h .
"$SISC" -c conftest.c
lacks "autoconf's conftest is left alone" "$(readelf -SW conftest.o)" sis_idf
SISC_CC='env gcc -DNO' "$SISC" -c src/b.c -o b.o
matches "a compiler with arguments" "$(readelf -SW b.o)" sis_idf
equal "no temporary file is left" \
	"$(TMPDIR=$T "$SISC" src/a.c src/b.c -o prog; ls -d "$T"/sisc-* 2>/dev/null)" \
	""
