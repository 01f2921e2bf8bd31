# SPDX-License-Identifier: BSD-3-Clause
# Names that programs, debuggers, make and users see are those of the user's source.
# ci: it compiles many programs
. "$(dirname "$0")/../lib.sh"

mkdir -p sub/inc
source_file sub/prog.c <<'END'
#include <assert.h>
#include <stdio.h>
#include "inc/head.h"
#include "near.h"
int main(int argc, char **argv)
{
	int unused_variable;
	(void)argv;
	printf("%s %s %s %s %d\n", __FILE__, __BASE_FILE__, in_head(), in_near(), __LINE__);
	assert(argc < 2);
	return 0;
}
END
echo 'static inline const char *in_head(void) { return __FILE__; }' >sub/inc/head.h
echo 'static inline const char *in_near(void) { int unused_in_near; return __FILE__; }' >sub/near.h

# from DIRECTORY SOURCE: all of it, compiled from there
from() {
	(cd "$1" && "$MPICC" -g -Wall -MD -MF "$T/plain.d" "$2" -o "$T/plain") 2>plain.err
	(cd "$1" && "$SISC" -g -Wall -MD -MF "$T/measured.d" "$2" -o "$T/measured") 2>measured.err
	equal "$2 in $1: __FILE__, __BASE_FILE__, __LINE__" \
		"$(SIS_OUTPUT=$T/exp ./measured)" \
		"$(./plain)"
	equal "$2 in $1: assert" \
		"$(SIS_OUTPUT=$T/exp-x ./measured x 2>&1 | sed s/measured/plain/)" \
		"$(./plain x 2>&1)"
	equal "$2 in $1: warnings" \
		"$(grep -E '^[^ ].*:[0-9]+:' measured.err | sed 's/:[0-9]*: /: /')" \
		"$(grep -E '^[^ ].*:[0-9]+:' plain.err | sed 's/:[0-9]*: /: /')"
	equal "$2 in $1: dependencies" \
		"$(tr -d '\\\n' <measured.d | tr -s ' ' '\n' | sed 's/measured/plain/')" \
		"$(tr -d '\\\n' <plain.d | tr -s ' ' '\n')"
	equal "$2 in $1: unit in the debug information" "$(unit_name measured)" "$(unit_name plain)"
	lacks "$2 in $1: nothing of ours in it" \
		"$(readelf --debug-dump=line measured; readelf -p .debug_str measured)" \
		'sisc-|<stdin>|\.sis\.c'
	rm -rf "$T"/exp*
}
unit_name() {
	readelf --debug-dump=info "$1" | sed -n 's/.*DW_AT_name *: *\((.*): \)*//p' | head -n 1
}
from sub prog.c
from . sub/prog.c
from sub/inc ../prog.c
from sub "$T/sub/prog.c"
sed 's/__BASE_FILE__/__FILE__/' sub/prog.c >sub/other.c
from sub other.c

# dependencies WHAT ARGUMENT...: the same dependency files, to the byte, by $compiler
dependencies() {
	what=$1
	shift
	rm -rf plain.dir measured.dir
	cp -r sub plain.dir && cp -r sub measured.dir
	(cd plain.dir && "$compiler" "$@") >/dev/null 2>&1
	(cd measured.dir && "$SISC" --sis-cc="$compiler" --sis-cr=CR_F,CR_L "$@") >/dev/null 2>&1
	equal "$what: files" \
		"$(cd measured.dir && ls -- *.d 2>&1)" \
		"$(cd plain.dir && ls -- *.d 2>&1)"
	equal "$what: rules" \
		"$(cd measured.dir && cat ./*.d 2>&1)" \
		"$(cd plain.dir && cat ./*.d 2>&1)"
}
source_file sub/written.c <<'END'
#include "near.h"
#include <stdio.h>
#include "inc/body.inc"
#include "unused.h"
int b(int n);
int main(void) { return b(1) + loop(2); }
END
source_file sub/inc/body.inc <<'END'
#include <limits.h>
#include "head.h"
static int loop(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
END
echo 'int b(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }' >sub/b.c
echo 'int unused;' >sub/unused.h
for compiler in "$MPICC" gcc clang-19; do
	command -v "$compiler" >/dev/null || { skip "$compiler" "not installed" && continue; }
	dependencies "$compiler -MD" -MD -c other.c
	dependencies "$compiler -MD with -o" -MD -c other.c -o x.o
	dependencies "$compiler -MD -MP of two" -MD -MP -c written.c b.c
	dependencies "$compiler -MMD -MP of two, and link" -MMD -MP written.c b.c -o prog
	matches "$compiler: with regions of an included file" \
		"$(cat measured.dir/prog.idf)" \
		'"unit":"loop"'
	dependencies "$compiler -MMD -MP of two, and link, no -o" -MMD -MP written.c b.c
	dependencies "$compiler -MD -MP and link, no -o" -MD -MP other.c
	dependencies "$compiler -MMD -MF -MT" -MMD -MF rules.d -MT 'a target' -MT y -c written.c
	dependencies "$compiler -MMD -MP -MQ" -MMD -MP -MQ '$(x)' -c written.c
	dependencies "$compiler -MD -MP -S" -MD -MP -S written.c
	dependencies "$compiler -MD -MP -S with -o" -MD -MP -S written.c -o x.s
	dependencies "$compiler -Wp,-MMD" -Wp,-MMD,rules.d -c written.c -o x.o
	dependencies "$compiler -Wp,-MD -MP" -Wp,-MD,rules.d -MP -c written.c
	dependencies "$compiler -MD, source elsewhere" -MD -MP -c "$T/sub/written.c"
	dependencies "$compiler -MD, and other files" -MD -MP -fstack-usage -c written.c
	dependencies "$compiler -MD, a warning" -MD -MP -Wall -c prog.c
	dependencies "$compiler -MF that cannot be written" -MD -MF no/rules.d -MP -c written.c
	dependencies "$compiler -MF alone" -MF rules.d -c written.c
	equal "$compiler: a rule on standard output" \
		"$(cd sub && "$SISC" --sis-cc="$compiler" -MD -MF - -c written.c -o "$T/x.o")" \
		"$(cd sub && "$compiler" -MD -MF - -c written.c -o "$T/x.o")"
done

# Diagnostics and status.
# fails WHAT: the source on stdin gives the compiler's own messages and status
fails() {
	source_file wrong.c
	"$MPICC" -Wall -Werror -c wrong.c >plain.out 2>&1
	plain_status=$?
	"$SISC" -Wall -Werror -c wrong.c >measured.out 2>&1
	equal "$1: status" $? $plain_status
	equal "$1: messages" "$(cat measured.out)" "$(cat plain.out)"
}
fails "an error" <<'END'
int main(void)
{
	return nothing;
}
END
fails "a warning that is an error" <<'END'
#include <stdio.h>
int main(void)
{
	int unused; for (int i = 0; i < 3; i++) puts("x"); int also;
	return 0;
}
END
fails "a missing header" <<'END'
#include "nosuch.h"
int main(void) { return 0; }
END
source_file strict.c <<'END'
#include <stdio.h>
static int f(int n) { int i; for (i = 0; i < 3; i++) n += i; return n; }
int main(void)
{
	int s = 0, i;
	for (i = 0; i < 3; i++) { s += f(i); }
	printf("%d\n", s);
	return 0;
}
END
for compiler in gcc clang-19; do
	command -v $compiler >/dev/null || { skip "$compiler" "not installed" && continue; }
	for strict in -ansi -std=c99 -std=c11 -std=c2x; do
		equal "$compiler $strict: no warning" \
			"$("$SISC" --sis-cc=$compiler --sis-cr=CR_F,CR_L,CR_S $strict -pedantic \
				-Wall -Wextra \
				-Wshadow -Wundef -Wcast-qual -Wmissing-prototypes -Wredundant-decls \
				-Werror -c strict.c 2>&1)" ""
		matches "$compiler $strict: instrumented" "$(readelf -SW strict.o)" sis_idf
	done
done

# A function that clang does not take stays as it is; a source that it does not take is compiled as
# it is.
source_file nested.c <<'END'
#include <stdio.h>
int main(void) { int base = 1; int add(int n) { return base + n; } return add(2); }
END
"$SISC" nested.c -o nested 2>sisc.err
equal "what cannot be parsed: one line" "$(wc -l <sisc.err)" 1
matches "what cannot be parsed: it says so" \
	"$(cat sisc.err)" \
	'^sisc: note: nested\.c:2:[0-9]+: function .main. is not instrumented: '
./nested
equal "what cannot be parsed: runs" $? 3
source_file attribute.c <<'END'
#include <stdlib.h>
void give(void *);
void *take(size_t) __attribute__((malloc, malloc(give, 1), malloc(__builtin_free)));
void *take(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }
void give(void *p) { if (p) free(p); }
int main(void) { for (int i = 0; i < 10; i++) give(take(3)); return 0; }
END
equal "an attribute of GCC's that clang does not know: nothing is said" \
	"$("$SISC" --sis-cc=gcc --sis-cr=CR_F -Wall -c attribute.c 2>&1)" \
	""
matches "an attribute of GCC's that clang does not know: measured" \
	"$(readelf -p sis_idf attribute.o)" \
	'"name":"take","type":"CR_F"'
source_file parameter.c <<'END'
static int f(int n, struct { int at[n]; } *s) { return (int)sizeof *s; }
int main(void) { return f(2, 0); }
END
"$SISC" -w parameter.c -o parameter 2>sisc.err
matches "what cannot be parsed at all: it says so" \
	"$(cat sisc.err)" \
	'^sisc: note: parameter\.c: not instrumented: parameter\.c:1: '
./parameter
equal "what cannot be parsed at all: runs" $? 8
check "--sis-keep" "$SISC" --sis-keep=kept -c strict.c
matches "--sis-keep: the instrumented source" "$(cat kept/strict.sis.c)" SIS_SCOPE
matches "--sis-explain" \
	"$("$SISC" --sis-explain -c strict.c)" \
	'^strict\.c:2:[0-9]+: CR_F f: (not )?measured'

# __TIMESTAMP__ is the time of the file that it stands in.
mkdir stamps stamps/sub
source_file stamps/stamp.c <<'EOF'
#include <stdio.h>
#include "head.h"
#include "body.h"
#define STAMP __TIMESTAMP__
#define LOOP(text) for (int i = 0; i < 1; i++) puts(text)
#define STAMPED LOOP(__TIMESTAMP__)
int main(void)
{
	puts(__TIMESTAMP__);
	puts(STAMP);
	puts(HEAD_STAMP);
	LOOP(__TIMESTAMP__); STAMPED;
	puts(in_head());
	puts(in_body(1));
	puts(in_body(2));
	return 0;
}
EOF
source_file stamps/head.h <<'EOF'
#define HEAD_STAMP __TIMESTAMP__
extern const char *in_head(void);
static const char *const head_stamp = __TIMESTAMP__;
EOF
source_file stamps/body.h <<'EOF'
const char *in_head(void) { return head_stamp; }
static const char *in_body(int n)
{
	for (int i = 1; i < n; i++)
		return HEAD_STAMP;
	return __TIMESTAMP__;
}
EOF
cp stamps/stamp.c stamps/sub/stamp.c
sed -i 's,"head,"../head,; s,"body,"../body,' stamps/sub/stamp.c
touch -d '2001-02-03 04:05:06' stamps/stamp.c
touch -d '2004-05-16 07:08:09' stamps/sub/stamp.c
touch -d '2002-03-04 05:06:07' stamps/head.h
touch -d '2003-04-05 06:07:08' stamps/body.h
for compiler in gcc clang-19; do
	command -v $compiler >/dev/null || { skip "$compiler" "not installed" && continue; }
	for source in stamp.c sub/stamp.c; do
		for epoch in '' 86400; do
			(cd stamps && env ${epoch:+SOURCE_DATE_EPOCH=$epoch} "$compiler" \
				-Wdate-time "$source" -o "$T/plain") 2>plain.err
			(cd stamps && env ${epoch:+SOURCE_DATE_EPOCH=$epoch} "$SISC" \
				--sis-cr=CR_F,CR_L --sis-cc=$compiler -Wdate-time "$source" \
				-o "$T/measured") 2>measured.err
			equal "$compiler $source $epoch: __TIMESTAMP__" \
				"$(SIS_LOG=quiet SIS_OUTPUT=$T/exp-stamps ./measured)" \
				"$(./plain)"
			equal "$compiler $source $epoch: warnings of it" \
				"$(cat measured.err)" \
				"$(cat plain.err)"
			rm -rf exp-stamps
		done
	done
	matches "$compiler: a header's regions are measured" \
		"$(cat measured.idf)" \
		'"unit":"in_body"'
done
