# SPDX-License-Identifier: BSD-3-Clause
# An installed sisc works in every directory and without the build directory. Uninstalling
# removes every file.
. "$(dirname "$0")/../lib.sh"

# make is silent here, and builds nothing new: what is tested is what is built
make -s -C "$TOP" install DESTDIR="$T/dest" PREFIX=/opt/sis >install.out 2>&1 ||
	give_up "make install" install.out
for file in bin/sisc bin/sis-analyze lib/libsis.so lib/libsis.so.0 include/sis/probe.h \
	include/sis/sis.h include/sis/sis_ast.h \
	share/sis/idf.schema.json lib/pkgconfig/sis-ast.pc; do
	check "installs $file" test -e "dest/opt/sis/$file"
done
for folder in "$TOP"/*/; do # the clone itself may be /sis, which is in the names of headers
	named_by=$(grep -rlF --include='*.h' -e "$folder" dest)
	equal "no header names $(basename "$folder") of the clone" "$named_by" ""
done
mkdir "a clone"
one_error "a clone whose path has blanks: make says so" 2 "has blanks.*'$T/a clone'" \
	make -f "$TOP/Makefile" -C "a clone"

printf '#!/bin/sh\necho 16.0.6\n' >llvm-config && chmod +x llvm-config
matches "make names the LLVM that is known to work" \
	"$(make -s -C "$TOP" LLVM_CONFIG="$T/llvm-config" frontend_llvm 2>&1)" \
	"says '16.0.6'; SIS is known to work with LLVM 19 only"

mv dest/opt/sis "its, own" # it finds its parts from where it is
source_file prog.c <<'END'
#include <stdio.h>
#include <sis/sis.h>
static int f(int n)
{
	int s = 0;
	SIS_CR(part begin)
	for (int i = 0; i < n; i++)
		s += i;
	SIS_END
	return s;
}
int main(void) { printf("%d\n", f(10)); return 0; }
END
check "its sisc builds, in a folder of any name" "its, own/bin/sisc" -O2 prog.c -o prog \
	-I "its, own/include"
cp prog before
mv "its, own" moved
refuse "a program that was linked before does not find the runtime" ./before
check "with the new place" env LD_LIBRARY_PATH="$T/moved/lib" ./before
check "measured by the moved sis-analyze run" moved/bin/sis-run --name ran ./before
equal "it uses one runtime, the moved one" "$(moved/bin/sis-analyze show ran --json |
	jq -r '.[0].p')" 1
check "a program in the tree is linked" moved/bin/sisc -O2 prog.c -o moved/bin/prog \
	-I moved/include
mv moved elsewhere
check "and finds the runtime after the tree has moved" elsewhere/bin/prog
rm elsewhere/bin/prog elsewhere/bin/prog.idf
mv elsewhere moved
check "its sisc builds" moved/bin/sisc -O2 prog.c -o prog -I moved/include
run_alone 1 ./prog
equal "the program runs" "$(cat run.out)" 45
ANALYZE=$T/moved/bin/sis-analyze
equal "its sis-analyze reads it" \
	"$(query '[.[] | select(.region == "main" or .region == "part") | .calls] | add' regions \
		"$EXP")" \
	2
lacks_path "the program depends on the installed runtime only" "$(readelf -d prog)" "$build_dir"

page=moved/share/man/man1/sis-analyze.1
for command in $("$ANALYZE" help | sed -n 's/^  \([a-z]*\) .*/\1/p' | grep -v '^help$'); do
	grep -q "^.Ss \"$command" $page || not_ok "sis-analyze(1) has no $command"
	"$ANALYZE" help "$command" | grep -q '^Example: ' || not_ok "help $command has no example"
done
matches "sis-analyze has a manual page" "$(cat $page)" '^\.It "--fail-above'
! command -v groff >groff.where ||
	equal "groff likes it" "$(groff -mandoc -Tutf8 -ww -z $page 2>&1)" ""

# -- libraries that are loaded when a command needs them
mkdir broken
: >broken/libpq.so.5
: >broken/libxml2.so.2
echo '<?xml version="1.0"?>' >no.xml
broken="env LD_LIBRARY_PATH=$T/broken $ANALYZE"
# shellcheck disable=SC2086 # a command
one_error "no libpq: a repository on a server" 1 "cannot load libpq.so.5: .*; install it" \
	$broken list --db postgresql://localhost/none
# shellcheck disable=SC2086
one_error "no libxml2: an import" 1 "cannot load libxml2.so.2: .*; install it" \
	$broken import no.xml --db sis.db
# shellcheck disable=SC2086
check "other commands do not need them" $broken counters

mkdir -p dest/opt && mv moved dest/opt/sis
make -s -C "$TOP" uninstall DESTDIR="$T/dest" PREFIX=/opt/sis >install.out 2>&1 ||
	give_up "make uninstall" install.out
equal "uninstall leaves no file" "$(find dest -type f -o -type l)" ""
equal "nor directories of its own" "$(cd dest/opt/sis && find . -type d -ipath '*/sis*')" ""
