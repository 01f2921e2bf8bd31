# SPDX-License-Identifier: BSD-3-Clause
# If the front end or a plugin crashes on a file, the file gets no probes and a note says so.
# Nothing else changes.
. "$(dirname "$0")/../lib.sh"

PKG_CONFIG_PATH=$build_dir/lib/pkgconfig
export PKG_CONFIG_PATH
cp "$HERE/rescue_crash.c" crash.c
check "a plugin that crashes builds" $CC $(pkg-config --cflags sis-ast) -shared -fPIC crash.c \
	-o crash.so $(pkg-config --libs sis-ast)
source_file good.c <<'END'
#include <stdio.h>
int bad(int n), worse(int n);
int main(void) { for (int i = 0; i < 3; i++) printf("%d\n", bad(i)); return worse(1); }
END
source_file bad.c <<'END'
int bad(int n) { int s = 1; while (n--) s *= 2; return s; }
END
sed 's/bad/worse/' bad.c >worse.c
mkdir temporary
for how in abort dive wild; do
	TMPDIR=$T/temporary "$SISC" --sis-cr=CR_L --sis-plugin="$T/crash.so,$how" good.c bad.c \
		worse.c -o prog >said 2>&1
	equal "$how: sisc's status" $? 0
	equal "$how: what it says" \
		"$(cat said)" \
		"sisc: note: bad.c: not instrumented: sisc, or a plugin, crashed on it; please report that"
	equal "$how: no file is left behind" "$(ls temporary)" ""
	run_alone 1 ./prog
	equal "$how: the program runs" "$(cat run.out) $run_status" "1
2
4 2"
	equal "$how: the other files are measured" \
		"$(query '[.[] | select(.type == "CR_FOR" or .type == "CR_WHILE") |
			"\(.region) \(.calls)"] | sort | join(", ")' regions "$EXP")" \
		"for@3 1, while@1 1"
done
env SISC_CRASHED= "$SISC" -c bad.c 2>said
equal "what an outer sisc says of its own crashes is not ours" "$(cat said)" ""
{
	echo 'int bad(int n) { return n'
	awk 'BEGIN { for (i = 0; i < 100000; i++) print "+ n" }'
	echo '; }'
} >deep.c
"$SISC" -c deep.c >said 2>&1
status=$?
$CC -c deep.c -o deep_plain.o >plain 2>&1
equal "an expression too deep for the front end: the compiler's status" $status $?
{
	echo 'int bad(int n) { switch (n) {'
	awk 'BEGIN { for (i = 0; i < 20000; i++) print "case " i ":" }'
	echo 'return 1; } return 0; }'
} >cases.c
check "twenty thousand labels in one chain" "$SISC" --sis-cr=CR_F,CR_SWITCH -c cases.c
matches "are no reason to leave the file alone" "$(readelf -SW cases.o)" ' sis_idf '
awk 'BEGIN {
	print "int bad(int n) { return "
	for (i = 0; i < 10000; i++) print "("
	print "n"
	for (i = 0; i < 10000; i++) print ")"
	print "; }"
}' >parens.c
check "ten thousand parentheses" "$SISC" --sis-cr=CR_F -c parens.c
matches "are no reason either" "$(readelf -SW parens.o)" ' sis_idf '
