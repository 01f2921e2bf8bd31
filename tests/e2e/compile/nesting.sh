# SPDX-License-Identifier: BSD-3-Clause
# The time that sisc takes grows linearly with the size of a source, not with its square: deep
# nesting, many siblings, directives, flags, jumps. Instructions would be the same in each run,
# but cannot be counted everywhere. So processor times of two sizes are compared with a wide
# margin: four times the size may take eight times as long, and half a second more.
. "$(dirname "$0")/../lib.sh"

# text KIND N: a source with N of the kind
text() {
	awk -v kind="$1" -v n="$2" 'BEGIN {
		print "int f(int n) { int s = 0;"
		for (i = 0; i < n; i++) {
			if (kind == "nested")
				print i % 2 ? "if (n > " i ")" : "for (int i = 0; i < n; i++)"
			if (kind == "directives")
				print "#pragma sis cr r" i " begin\ns++;\n#pragma sis end cr"
			if (kind == "overlaps")
				print "#pragma sis cr r" i " begin\ns++;\n" \
					"#pragma sis cr q" i " begin\ns++;\n" \
					"#pragma sis end cr r" i "\ns++;\n#pragma sis end cr q" i
			if (kind == "jumps")
				print "for (int i = 0; i < n; i++) { if (n == " i ") break; " \
					"if (n == 5) goto l" i "; s++; }\n" \
					"l" i ": s++;"
			if (kind == "flags")
				print "if (n == " i ") goto l" i ";\n" \
					"for (int i = 0; i < n; i++) { l" i ": s++; }"
			if (kind == "siblings")
				print "for (int i = 0; i < n; i++) { if (n > " i ") s++; }"
			if (kind == "labels") { # ten labels of one statement, and one if behind it
				if (!i)
					print "switch (n) {"
				for (k = 0; k < 10; k++)
					print "case " 10 * i + k ":"
				behind = behind "if (n > " i ") s++;\n"
			}
		}
		if (kind == "labels")
			print "s++; }\n" behind
		print "s++; return s; }"
	}'
}

# seconds FILE: processor time of the instrumentation alone
seconds() {
	("$SISC" --sis-cc=gcc --sis-emit --sis-cr=CR_F,CR_L,CR_IF,CR_BLOCK "$1" >emitted &&
		times >times.out)
	awk 'NR == 2 { split($1 "m" $2, t, /[ms]+/); print 60 * (t[1] + t[3]) + t[2] + t[4] }' \
		times.out
}

for kind in nested directives overlaps jumps flags siblings labels; do
	text $kind 1000 >small.c
	text $kind 4000 >large.c
	small=$(seconds small.c) large=$(seconds large.c)
	matches "$kind: probes" \
		"$(tail -n 3 emitted | tr -d '\n')$(grep -c 'SIS_.*(' emitted)" \
		'[0-9]{4}'
	check "$kind: 1000 take $small s, 4000 take $large s" awk -v a="$small" -v b="$large" \
		'BEGIN { exit !(b < 8 * a + 0.5) }'
done

# Brackets, which GCC accepts to any depth.
awk 'BEGIN {
	print "int f(int n) { int s = 0;"
	for (i = 0; i < 2000; i++) print "if (n > " i ") {"
	for (i = 0; i < 2000; i++) print "s++; }"
	print "return s; } int main(void) { return f(3); }"
}' >deep.c
build deep --sis-cc=gcc --sis-cr=CR_F,CR_IF deep.c
equal "2000 nested blocks: nothing is said" "$(cat build.err)" ""
matches "2000 nested blocks: measured" "$(grep -c '"type":"CR_IF"' deep.idf)" '^2000$'
run_alone 1 ./deep
equal "2000 nested blocks: runs" "$run_status" 3
