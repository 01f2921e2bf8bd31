# SPDX-License-Identifier: BSD-3-Clause
# The compiler says exactly the same of an instrumented source as of the source itself, with the
# same status and the same files beside the output. The object has its probes all the same.
# ci: it compiles many programs
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_driver.sh"

mkdir src/sub
source_file src/warn.c <<'END'
#include <stdio.h>
#include "sub/near.h"
#define UNUSED(name) int name
static int half(int n) { UNUSED(unused); return n / 2; }
int main(int argc, char **argv)
{
	int also_unused, s = 0; for (int i = 0; i < 3; i++) { s += i; }
	if (argc = 2) puts("x");
	printf("%s\n", argc);
	return half(s);
}
END
echo 'static inline int near(void) { int unused_in_near; return 0; }' >src/sub/near.h
cp src/warn.c src/sub/deep.c
sed -i 's,sub/near,near,' src/sub/deep.c
source_file src/good.c <<'END'
int good(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
END
source_file src/label.c <<'END'
int f(int n)
{
	if (n) goto out;
	n = 3;
out:
	return n;
}
END
source_file src/wrong.c <<'END'
int wrong(int n) { int unused; return nothing; }
END
source_file src/indent.c <<'END'
int bar(int);
int indent(int n);
int indent(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += bar(i);
		s += 2;
	if (n) bar(n); return s;
}
END
source_file src/analyzed.c <<'END'
#include <stdlib.h>
int analyzed(int n, char **at);
static int used(int n, char **at)
{
	int set[4];
	for (int i = 0; i < n; i++)
		set[i] = abs(i) < 3;
	return at[set[0]] != NULL;
}
int analyzed(int n, char **at) { int unused; return used(n, at); }
int unlike(int n);
int unlike(int n) { int s = 1; for (int i = 2; i < n; i++) s = s * i % 7; return s; }
END
printf '%s%s\n' 'int nowhere(int); int main(int c, char **v) ' \
	'{ for (int i = 0; i < c; i++) nowhere(v[i][0]); }' >src/linked.c
cp src/linked.c src/sub/
echo 'int line(int n) { int unused; for (int i = 0; i < n; i++) n += i * n; return n; }' >src/line.c
cp -R src/. .

# warned WHAT COMPILER OBJECT ARGUMENT...: the same, and it is instrumented
warned() {
	title=$1 tool=$2 object=$3
	shift 3
	same "$title" "$tool" "$@"
	measured "$title" "$object"
}
for cc in gcc clang-19; do
	command -v $cc >/dev/null || { skip "$cc" "not installed" && continue; }
	warned "warnings" $cc warn.o -Wall -Wextra -c warn.c
	warned "warnings, optimized" $cc warn.o -Wall -Wextra -O2 -g -MD -c warn.c
	warned "a source elsewhere" $cc x.o -Wall -MMD -MP -c sub/deep.c -o x.o
	warned "colours" $cc warn.o -Wall -fdiagnostics-color=always -c warn.c
	warned "warnings when linking" $cc prog -Wall warn.c good.c -o prog
	warned "warnings and assembly" $cc warn.o -Wall -save-temps -c warn.c
	warned "warnings and stack usage" $cc warn.o -Wall -fstack-usage -c warn.c
	warned "warnings and debug information apart" $cc warn.o -Wall -g -gsplit-dwarf -c warn.c
	warned "-Werror without a warning" $cc good.o -Wall -Wextra -Werror -pedantic-errors \
		-c good.c
	warned "the compiler's own statistics" $cc warn.o -H -Wall -c warn.c
	same "-Werror" $cc -Wall -Werror -c warn.c
	same "-Werror=" $cc -Wall -Werror=unused-variable -MD -c warn.c
	same "-Werror and link" $cc -Wall -Werror good.c warn.c -o prog
	same "one of three is wrong" $cc -Wall -c good.c wrong.c warn.c
	same "one of three is wrong, and link" $cc -Wall good.c wrong.c warn.c -o prog
	same "-S" $cc -Wall -S warn.c
	same "assembly on standard output" $cc -Wall -S warn.c -o -
	matches "$cc: assembly on standard output: has probes" \
		"$(cat measured.out)" \
		sis_unit_register
	warned "a warning behind a probe" $cc line.o -Wunused-variable -c line.c
	warned "what lies in the lines' layout" $cc indent.o -Wall -c indent.c
	warned "what lies in the lines' layout, and stack usage" $cc indent.o -Wall -fstack-usage \
		-c indent.c
	same "what lies in the lines' layout, -Werror" $cc -Wall -Werror -MD -c indent.c
	warned "what lies in the lines' layout, not asked for" $cc indent.o -Wall \
		-Wno-misleading-indentation -c indent.c
	same "what a linker says" $cc -Wall linked.c -o prog
	same "what a linker says of a source elsewhere" $cc -Wall sub/linked.c -o prog
	same "an unknown option" $cc -fno-such-thing -c warn.c
	same "an unknown warning option" $cc -Wno-such-thing -c warn.c
	same "an unknown standard" $cc -std=c42 -c warn.c
	same "words for the linker" $cc -c good.c -L. -lgood -Wl,--as-needed
done
same "JSON" gcc -Wall -fdiagnostics-format=json -c warn.c
same "-fanalyzer" gcc -fanalyzer -Wall -O1 -c warn.c
warned "-fanalyzer" gcc analyzed.o -fanalyzer -Wall -O1 -c analyzed.c
warned "what it takes a function without probes to see" gcc analyzed.o -Wsuggest-attribute=const \
	-O2 -c analyzed.c
same "an object and a library without a link" gcc -c good.c none.o libnone.a
check "the output of a failure is gone" test ! -e measured/none.o

# Directives give no warning about unknown pragmas, and functions that only they call are not
# unused.
source_file directive.c <<'END'
static int wanted(int n) { return n > 1; }
int directive(int n);
int directive(int n)
{
#pragma sis cr loop if(wanted(n)) begin
	for (int i = 0; i < n; i++)
		n -= i;
#pragma sis end cr
	return n;
}
END
for cc in gcc clang-19; do
	command -v $cc >/dev/null || { skip "$cc" "not installed" && continue; }
	equal "$cc: a source with directives: nothing is said" \
		"$(SISC_CC=$cc "$SISC" -Wall -Wextra -Werror -c directive.c 2>&1)" \
		""
done

# A warning that the parser gives costs a parse, not a second compilation; one of the optimizer
# costs a compilation.
source_file count <<'END'
#!/bin/sh
case " $* " in *-fsyntax-only*) ;; *" -c "*) echo compiled >>compiled ;; esac
exec gcc "$@"
END
chmod +x count
echo 'int g(char *); int overflow(void) { char a[2]; __builtin_memset(a, 0, 3); return g(a); }' \
	>overflow.c
# counted WHAT SOURCE COMPILATIONS
counted() {
	gcc -Wall -O2 -c "$2" 2>plain.err
	rm -f compiled
	SISC_CC=./count "$SISC" --sis-cr=CR_F -Wall -O2 -c "$2" 2>sisc.err
	equal "$1: the same is said" "$(cat sisc.err)" "$(cat plain.err)"
	check "$1: something is said" test -s sisc.err
	equal "$1: compilations" "$(grep -c . compiled)" "$3"
}
sed /near/d warn.c >parsed.c
counted "what a parser finds" parsed.c 1
counted "what a parser finds in the source alone" indent.c 2
counted "what an optimizer finds" overflow.c 2

# Warnings about the instrumented text alone are not shown, even where warnings are errors.
source_file refuse <<'END'
#!/bin/sh
# A compiler that dislikes probes: an error under -Werror, else a warning.
input=$(cat; echo .)
case "$*" in
*' -E '*) printf '%s' "${input%.}" | gcc "$@"; exit ;;
*' - '* | *' -') ;;
*) exec gcc "$@" ;;
esac
case "$*" in *-Werror*) echo "probes" >&2; exit 1 ;; *-w*) ;; *) echo "warning: probes" >&2 ;; esac
printf '%s' "${input%.}" | gcc "$@"
END
chmod +x refuse
SISC_CC=./refuse "$SISC" -Werror -c good.c 2>sisc.err
equal "a warning of ours under -Werror: status" $? 0
equal "a warning of ours under -Werror: not seen" "$(cat sisc.err)" ""
matches "a warning of ours under -Werror: is instrumented" "$(readelf -SW good.o)" ' sis_idf '
SISC_CC=./refuse "$SISC" -c good.c 2>sisc.err
equal "a warning of ours: not seen" "$(cat sisc.err)" ""
matches "a warning of ours: is instrumented" "$(readelf -SW good.o)" ' sis_idf '
sed -i 's/^case.*Werror.*/echo no >\&2; exit 1/' refuse
rm good.o
SISC_CC=./refuse "$SISC" -MD -c good.c 2>sisc.err
equal "refused for good: status" $? 0
equal "refused for good: a note" "$(cat sisc.err)" \
	"sisc: note: good.c: not instrumented: the compiler refuses the instrumented source; \
--sis-verbose shows why"
check "refused for good: the object is there" test -s good.o
equal "refused for good: dependencies" \
	"$(tr -d '\\\n' <good.d | awk '{ print $1, $2 }')" \
	"good.o: good.c"
echo 'int broken(void) { return undeclared; }' >broken.c
SISC_CC=./refuse "$SISC" -c broken.c good.c 2>sisc.err
equal "refused for good, after a source with an error: status" $? 1

# A source that only sisc can compile: asking the compiler about it does no harm.
source_file ours.c <<'END'
#ifndef __SISC__
#error not without sisc
#endif
int main(void) { return 0; }
END
"$SISC" -Wall -Werror -c ours.c 2>sisc.err
equal "a source of sisc's alone: status" $? 0
equal "a source of sisc's alone: nothing is said" "$(cat sisc.err)" ""

# Code before the first label of a switch, where probes are the first statements that GCC sees.
source_file src/unreached.c <<'EOF'
int g(void);
int unreached(int x);
int unreached(int x)
{
	int r = 0;
	switch (x) { if (0) { case 1: r = 1; break; } case 2: r += 2; }
	switch (x) { int k; for (;;) { k = 3; r += k; if (x > 5) break; } case 1: r = 1; break; }
	switch (x) { r = g(); default: r++; }
	switch (x) { { r = 3; g(); } default: r++; }
	switch (x) { while (r < 3) { case 9: r++; } }
	switch (x) { { if (r < 3) { case 9: r++; } } }
	switch (x) { int q = g(); { { g(); r++; default: q = 1; r += q; } } }
	switch (x) if (r) case 3: r++;
	switch (x) { ; case 4: r++; }
	switch (x) { { label: case 4: r++; if (r < 9) goto label; } }
	return r;
}
EOF
for options in -O0 '-O2 -Wall' '-std=c99 -pedantic-errors'; do
	# shellcheck disable=SC2086
	gcc $options -c src/unreached.c -o plain.o 2>plain.err
	for regions in CR_F CR_IF CR_SWITCH CR_STMT CR_BLOCK CR_S CR_L \
		CR_IF,CR_SWITCH,CR_STMT,CR_BLOCK,CR_S,CR_L; do
		# shellcheck disable=SC2086
		"$SISC" --sis-cc=gcc --sis-cr=$regions $options -c src/unreached.c \
			-o measured.o 2>measured.err
		equal "gcc $options $regions: before the first label" \
			"$(cat measured.err)" \
			"$(cat plain.err)"
		matches "gcc $options $regions: before the first label: is instrumented" \
			"$(readelf -SW measured.o)" \
			' sis_idf '
	done
done
