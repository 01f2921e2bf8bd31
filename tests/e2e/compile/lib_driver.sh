# SPDX-License-Identifier: BSD-3-Clause
# lib_driver.sh - what tests of sisc as a compiler source after lib.sh.
#
#     same "-c of two files" gcc -c a.c b.c    in copies of src: the compiler's messages, status
#                                              and files
#     measured "-c of two files" a.o           that output of sisc has probes
#     runs_same "a program" prog               prints and returns what the compiler's program does
#
# plain/ and measured/ hold what the compiler and sisc left, plain.out ... measured.err what they
# said.
# shellcheck shell=sh disable=SC2154

mkdir src
source_file src/a.c <<'END'
#include <stdio.h>
#include "b.h"
int main(void) { printf("a%d\n", b(3)); return 0; }
END
source_file src/b.c <<'END'
#include "b.h"
int b(int n) { int s = 0, i; for (i = 0; i < n; i++) s += i; return s; }
END
echo 'int b(int n);' >src/b.h

# no_temporary: standard input without the names of temporary files, which differ in every run
no_temporary() {
	awk '{
		folder = ENVIRON["TMPDIR"] "/"
		while ((at = index($0, folder)) > 0) {
			rest = substr($0, at + length(folder))
			sub(/^[^: ]*/, "", rest)
			$0 = substr($0, 1, at - 1) "TEMPORARY" rest
		}
		print
	}'
}

same() { # same WHAT COMPILER ARGUMENT...
	what="$2: $1" compiler=$2
	shift 2
	rm -rf plain measured
	cp -r src plain && cp -r src measured
	[ -z "${unreadable:-}" ] || chmod 0 "plain/$unreadable" "measured/$unreadable"
	(cd plain && "$compiler" "$@" >../plain.out 2>../plain.err; echo "status $?" >>../plain.err)
	(cd measured && SISC_CC=$compiler "$SISC" "$@" >../measured.out 2>../measured.err; echo \
		"status $?" >>../measured.err)
	for file in plain measured; do # probes move what a linker names
		no_temporary <$file.err | sed 's,(\.text+0x[0-9a-f]*),(PLACE),' >$file.clean
		mv $file.clean $file.err
	done
	equal "$what: messages and status" "$(cat measured.err)" "$(cat plain.err)"
	equal "$what: files" \
		"$(cd measured && find . -type f ! -name '*.idf' | sort)" \
		"$(cd plain && find . -type f | sort)"
}

measured() {
	matches "$compiler: $1: is instrumented" "$(readelf -SW "measured/$2" 2>&1)" ' sis_idf '
}

runs_same() {
	plain=$(cd plain && "./$2"; echo "status $?")
	equal "$compiler: $1: runs" \
		"$(cd measured && SIS_OUTPUT=$T/exp SIS_LOG=quiet "./$2"; echo "status $?")" \
		"$plain"
	rm -rf "$T"/exp*
}
