# The compiler's ways to name inputs and outputs: each gives the files that the compiler alone gives.
. "$(dirname "$0")/lib.sh"

mkdir src
source_file src/a.c <<'END'
#include <stdio.h>
#include "b.h"
int main(void) { printf("a%d\n", b(3)); return 0; }
END
source_file src/b.c <<'END'
#include "b.h"
int b(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
END
echo 'int b(int n);' >src/b.h

# same WHAT ARGUMENT...: in copies of src, sisc leaves the files that the compiler leaves, beside its own
same() {
	what=$1
	shift
	rm -rf plain measured
	cp -r src plain && cp -r src measured
	(cd plain && "$MPICC" "$@" >../plain.out 2>&1; echo "status $?" >>../plain.out)
	(cd measured && "$SISC" "$@" >../measured.out 2>&1; echo "status $?" >>../measured.out)
	equal "$what: messages and status" "$(cat measured.out)" "$(cat plain.out)"
	equal "$what: files" "$(cd measured && find . -type f ! -name '*.idf' | sort)" "$(cd plain && find . -type f | sort)"
}
runs_same() { # runs_same WHAT PROGRAM
	equal "$1: runs" "$(cd measured && SIS_OUTPUT=$T/exp "./$2")" "$(cd plain && "./$2")"
	rm -rf "$T"/exp*
}
measured() { matches "$1: is instrumented" "$(readelf -SW "measured/$2")" ' sis_idf '; }

same "-c of two files" -c a.c b.c
measured "-c of two files" a.o
same "compile and link two files" a.c b.c -o prog
runs_same "compile and link two files" prog
same "default program name" a.c b.c
runs_same "default program name" a.out
same "an output with a space" a.c b.c -o 'my prog'
runs_same "an output with a space" 'my prog'
check "its description is beside it" test -s 'measured/my prog.idf'
same "-o attached" -c a.c -oother.o
same "-S" -S a.c
matches "-S: has probes" "$(cat measured/a.s)" sis_unit_register
same "-S with -o" -S a.c -o x.s
same "-x c" -x c -c a.c
same "an unusual suffix" -c -x c b.h -o b.o
same "-c and -o of two files: refused" -c a.c b.c -o x.o
same "-include" -include stdio.h -c b.c
same "-pipe -g3 -O2" -pipe -g3 -O2 a.c b.c -o prog
same "-flto" -flto -O2 a.c b.c -o prog
runs_same "-flto" prog
measured "-flto" prog
same "-fPIC -shared" -fPIC -shared b.c -o libb.so
check "a shared library has a description" test -s measured/libb.so.idf
same "no input file" -c
same "a missing file among others" a.c nosuch.c b.c -o prog
same "-E" -E a.c -o a.i
same "-fsyntax-only" -fsyntax-only a.c
same "-save-temps" -save-temps -c b.c
same "--coverage" --coverage a.c b.c -o prog

echo '-O1 "-DTEXT=two words" a.c b.c -o prog' >src/arguments
same "@file" @arguments
runs_same "@file" prog
rm src/arguments

(cd src && gcc -S b.c -o b.s && gcc -E a.c -o a.i && gcc -c b.c -o b.o && ar rcs libb.a b.o)
same "assembly as input" a.c b.s -o prog
same "preprocessed text as input" a.i b.o -o prog
same "an archive as input" a.c libb.a -o prog
same "a library by -l" a.c -L. -lb -o prog
runs_same "a library by -l" prog
echo 'extern "C" int b(int n) { return n; }' >src/plus.cc
same "C++ is passed on" -c plus.cc
same "C++ beside C" -c a.c plus.cc
measured "C++ beside C" a.o

for what in --version -dumpmachine -dumpversion -print-prog-name=ld -print-search-dirs '-v' '-###'; do
	equal "$what" "$("$SISC" "$what" 2>&1 | sed "s,/tmp/cc[^.]*,,")" "$("$MPICC" "$what" 2>&1 | sed "s,/tmp/cc[^.]*,,")"
done
equal "source on standard input" "$(echo 'int x = 3;' | "$SISC" -x c - -S -o - | grep -c '\.long.*3')" 1
echo 'int main(void) { return 4; }' | "$SISC" -x c -o from_stdin - && ./from_stdin
equal "program from standard input" $? 4
cp src/a.c conftest.c && cp src/b.h .
"$SISC" -c conftest.c
lacks "autoconf's conftest is left alone" "$(readelf -SW conftest.o)" sis_idf
SISC_CC='env gcc -DNO' "$SISC" -c src/b.c -o b.o
matches "a compiler with arguments" "$(readelf -SW b.o)" sis_idf
equal "no temporary file is left" "$(TMPDIR=$T "$SISC" src/a.c src/b.c -o prog; ls -d "$T"/sisc-* 2>/dev/null)" ""
