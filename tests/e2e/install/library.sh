# SPDX-License-Identifier: BSD-3-Clause
# The instrumentation library for other tools: installed and found by pkg-config; samples,
# plugins, manual pages.
. "$(dirname "$0")/../lib.sh"

make -s -C "$TOP" install DESTDIR="$T/dest" PREFIX=/opt/sis >install.out 2>&1 ||
	give_up "make install" install.out
sis=$T/dest/opt/sis
PKG_CONFIG_PATH=$sis/lib/pkgconfig SISC=$sis/bin/sisc
export PKG_CONFIG_PATH
flags=$(pkg-config --cflags sis-ast) libs="$(pkg-config --libs sis-ast) -Wl,-rpath,$sis/lib"
lacks_path "pkg-config names the installation" "$flags $libs" "$build_dir"
equal "its version" "$(pkg-config --modversion sis-ast)" "$(cat "$TOP/schema/VERSION")"

# -- headers
for header in sis_ast sis_plan sis_plugin tables; do
	echo "#include <sis/$header.h>" | tee h.c >h.cc
	check "$header.h in C" $CC $flags -std=c99 -pedantic -Wall -Wextra -Werror -fsyntax-only h.c
	check "$header.h in C++" g++ $flags -std=c++11 -Wall -Wextra -Werror -fsyntax-only h.cc
done

# -- a tool that instruments: one function, for one metric
cp "$HERE/library_tool.cc" tool.cc
source_file in.c <<'END'
#include <stdio.h>
static int g(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
static int f(int n) { return g(n) + 1; }
int main(void) { int s = 0; for (int i = 0; i < 3; i++) s += f(i); printf("%d\n", s); return 0; }
END
check "a C++ tool builds" g++ $flags -Wall -Wextra -Werror tool.cc -o tool $libs
./tool in.c >out.c 2>tool.err
equal "the tool emits" $? 0
equal "the messages that it got" \
	"$(sort -u tool.err)" \
	"said: unknown metric 'NONSENSE'; sisc --sis-list shows them all
the program was compiled for another version of sis_ast.h; compile it again"
check "its source compiles" $CC $flags -Wall out.c -o out -L"$sis/lib" -lsis -Wl,-rpath,"$sis/lib"
run_alone 1 ./out
equal "the program runs" "$(cat run.out)" 4
equal "and measures f only" \
	"$(query '[.[] | select(.type | test("^CR_[FLP]")) | "\(.region) \(.calls)"] | join(",")' \
		regions "$EXP")" \
	"f 3"

# -- samples
cp -r "$TOP/samples/mpi_loops" "$TOP/samples/region_graph" .
check "mpi_loops builds" ${MAKE:-make} -C mpi_loops CC="$CC" CFLAGS='-Wall -Wextra -Werror'
check "region_graph builds" ${MAKE:-make} -C region_graph CC="$CC" CFLAGS='-Wall -Wextra -Werror'
source_file loops.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
	int sum = 0;
	MPI_Init(&argc, &argv);
	for (int i = 0; i < 3; i++)
		sum += i;
	while (sum > 0) {
		for (int k = 0; k < 2; k++)
			sum--;
		do
			MPI_Barrier(MPI_COMM_WORLD);
		while (sum-- > 2);
	}
	MPI_Finalize();
	return 0;
}
END
plugin=$T/mpi_loops/mpi_loops.so
"$SISC" --sis-plugin="$plugin,VCSW" --sis-explain -c loops.c >explained
equal "mpi_loops: the loops with MPI calls" "$(grep ': measured' explained)" \
	"loops.c:2:1: CR_P main: measured for the default metrics: default
loops.c:8:2: CR_WHILE while@8: measured for VCSW: a loop with MPI calls
loops.c:11:3: CR_DO do@11: measured for VCSW: a loop with MPI calls"
check "the object is made" "$SISC" --sis-plugin="$plugin" loops.c -o loops
equal "its description has them" \
	"$(jq -r '[.units[].regions[].name] | join(" ")' loops.idf)" \
	"main while@8 do@11"

(cd region_graph && CC=mpicc ./region_graph ../loops.c) >graph
equal "region_graph: one node a region, one edge a parent" \
	"$(grep -c ' \[label' graph) $(grep -c ' -> ' graph)" \
	"$(wc -l <explained) $(($(wc -l <explained) - 1))"
matches "with its place" "$(cat graph)" 'label="while@8\\nCR_WHILE, line 8"'
mkdir -p tree/build tree/src
printf '#ifdef WITH\nint with(int n) { while (n) n--; return n; }\n#endif\n#include <sub.h>\n' \
	>tree/src/x.c
mkdir tree/sub && echo 'int sub;' >tree/sub/sub.h
printf '[{"directory":"%s","file":"../src/x.c","command":"ccache cc -I../sub \\"-DWITH=a b\\" -MD -c -o x.o ../src/x.c"}]' \
	"$T/tree/build" >tree/cc.json
region_graph/region_graph -p tree/cc.json tree/src/x.c >graph
equal "with the command of a compile_commands.json" $? 0
matches "its directory, its definitions" "$(cat graph)" '^digraph "../src/x.c"'
equal "regions are there" "$(grep -c 'CR_WHILE, line 2' graph)" 1
equal "nothing was written there" "$(ls tree/build)" ""
one_error "a file without command" 1 "'tree/cc.json' has no command that compiles 'in.c'" \
	region_graph/region_graph -p tree/cc.json in.c
one_error "a database that is none" 1 "cannot read 'in.c'" region_graph/region_graph -p in.c in.c
one_error "no database" 1 "cannot open 'none': No such file" region_graph/region_graph -p none in.c

# -- plugins: order, errors
# plug NAME CODE [ADDED]: NAME.so, whose unit does CODE; ADDED is added to its ABI
plug() {
	cat >"$1.c" <<END
#include <sis/sis_plugin.h>
#include <string.h>
static int unit(void *s, struct sis_plan *p, char *e, size_t r)
{ (void)s, (void)p, (void)e, (void)r; $2 }
const struct sis_plugin sis_plugin = { .abi = SIS_AST_ABI${3:-}, .name = "$1", .unit = unit };
END
	$CC $flags -shared -fPIC "$1.c" -o "$1.so" $libs || give_up "plugin $1"
}
plug all \
	'for (size_t i = 0; i < sis_ast_region_count(sis_plan_ast(p)); i++)
		sis_plan_measure(p, i, "", "all");
	return 0;'
plug none \
	'for (size_t i = 0; i < sis_ast_region_count(sis_plan_ast(p)); i++)
		sis_plan_leave(p, i, "none");
	return 0;'
plug angry 'strncpy(e, "no thanks", r); return -1;'
plug old 'return 0;' ' + 1'
equal "the last plugin decides" \
	"$("$SISC" --sis-plugin=none.so --sis-plugin=all.so --sis-explain -c in.c |
		grep -c ': none$')" \
	0
equal "whichever it is" \
	"$("$SISC" --sis-plugin=all.so --sis-plugin=none.so --sis-explain -c in.c |
		grep -vc ': none$')" \
	0
one_error "a plugin that fails" 1 "^sisc: error: plugin 'angry' failed: no thanks$" \
	"$SISC" --sis-plugin=angry.so -c in.c
one_error "another ABI" 1 \
	"plugin 'old.so' has ABI 0x[0-9a-f]*, this sisc 0x[0-9a-f]*; compile it again" \
	"$SISC" --sis-plugin=old.so -c in.c
one_error "no such plugin" 1 "cannot load plugin 'absent.so': .*No such file" \
	"$SISC" --sis-plugin=absent.so -c in.c
one_error "no shared object" 1 "cannot load plugin 'in.c': " "$SISC" --sis-plugin=in.c -c in.c
one_error "no plugin" 1 "is no plugin: it does not export 'sis_plugin'" \
	"$SISC" --sis-plugin="$sis/lib/libsis.so" -c in.c

# -- manual pages
for page in man1/sisc.1 man7/sis.7 man3/sis_ast.3 man3/sis_plan.3; do
	check "$page is installed" test -s "$sis/share/man/$page"
	! command -v groff >groff.where ||
		equal "groff likes it" \
			"$(groff -mandoc -Tutf8 -ww -z "$sis/share/man/$page" 2>&1)" \
			""
done
equal "rows of several lines have their texts" \
	"$(grep -E 'SIS_(REGION_TYPE|OVERHEAD|METRIC)' "$sis/share/man/man7/sis.7")" ""
for option in $("$SISC" --sis-help | sed -n 's/^  --\(sis-[a-z]*\).*/\1/p'); do
	grep -q "^.It Fl Fl $option" "$sis/share/man/man1/sisc.1" ||
		not_ok "sisc(1) has no --$option"
done
"$SISC" --sis-list | awk '/^ +[A-Z]/ { print $1 }' | grep -v '^PAPI' | sort >listed
sed -n '/^.Sh CODE/,/^.Sh BOOK/s/^.It Sy (*\([A-Z_0-9]*\))*$/\1/p' "$sis/share/man/man7/sis.7" |
	sort >documented
check "sis(7) has every mnemonic" cmp listed documented
lacks "sis(7) has no line of a table's source" "$(cat "$sis/share/man/man7/sis.7")" '^SIS_[A-Z_]*\('
matches "sis(7) has the text of a row of two lines" "$(cat "$sis/share/man/man7/sis.7")" \
	'^waiting in finalization, or for processes that end later$'
for name in \
	$(nm -D --defined-only "$sis"/lib/libsis-ast.so "$sis"/lib/libsis-instrument.so |
		sed -n 's/.* T \(sis_\(ast\|plan\)_[a-z_]*\)$/\1/p'); do
	grep -q "^.Fn ${name%_for} \|^.Fo ${name%_for}$" "$sis"/share/man/man3/sis_*.3 ||
		not_ok "no manual page has $name"
done
