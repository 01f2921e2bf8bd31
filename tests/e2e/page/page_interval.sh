# SPDX-License-Identifier: BSD-3-Clause
# A selected interval restricts views of the page: their tables are those that `regions --from --to`
# and `overhead --from --to` print, and in Chromium the views show them.
# ci: it opens many pages in a browser
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_page.sh"
. "$E2E/known/lib_traced.sh"

# intervals NAME [reduced]: with the file beside the page, if there is one
intervals() {
	intervals_tiles=
	[ ! -e "$1.tiles" ] || intervals_tiles=$1.tiles
	node "$TOP/tests/page/interval.mjs" "$1.html" "$intervals_tiles" ${2+"$2"} ||
		not_ok "the intervals of $1 end well"
}

# interval_views NAME [TILES]
interval_views() {
	if [ -z "$CHROMIUM" ]; then
		skip "the intervals of $1 in a browser" "there is no chromium-headless-shell"
		return
	fi
	node "$TOP/tests/page/interval_views.mjs" "$1.html" ${2+"$2"} ||
		not_ok "views of the intervals of $1 end well"
}

# -- messages and teams
cp "$TOP"/samples/stommel/*.[ch] .
build hybrid stommel_mpi.c model.c -O2 -fopenmp -lm
SIS_TRACE=1 SIS_SENSORS=100ms run 2 2 ./hybrid 200 200 40
page hybrid "$EXP"
intervals hybrid
interval_views hybrid

# -- teams of different sizes, threads of the program, polls
known() { # known RANKS THREADS NAME: a program of known/
	run_traced "$@"
	page "$3" "$EXP"
	intervals "$3"
}
known 1 3 team_sizes
known 1 1 pthread_pools
known 2 1 poll_sets

# -- regions that were open when the run was killed, in threads that are idle at first
source_file killed.c <<'END'
#include <signal.h>
#include <unistd.h>
static void inner(void) { usleep(1000); }
static void outer(int n) { for (int i = 0; i < n; i++) inner(); }
int main(void)
{
	outer(20);
	#pragma omp parallel
	outer(20);
	raise(SIGKILL);
	return 0;
}
END
build killed killed.c -fopenmp --sis-cr=CR_F,CR_P,CR_OMP
SIS_TRACE=1 run_alone 2 ./killed
page killed "$EXP"
intervals killed

# -- events that were not kept: what is not known
SIS_TRACE=1 SIS_TRACE_BUFFER=4k SIS_TRACE_POLICY=drop SIS_OVERHEAD=off run 2 2 ./hybrid 50 50 40
page dropped "$EXP"
intervals dropped

# -- a page that lacks call paths: their time is that of the path above
awk -v n=24 'BEGIN {
	for (k = 0; k < n; k++)
		printf "static void c%d(void) { for (volatile int i = 0; i < %d; i++); }\n",
			k, 3 * k
	for (level = 1; level <= 2; level++)
		for (k = 0; k < n; k++) {
			printf "static void %s%d(void) {", level == 1 ? "b" : "a", k
			for (i = 0; i < n; i++)
				printf " %s%d();", level == 1 ? "c" : "b", i
			print " }"
		}
	print "int main(void) {\n#pragma omp parallel\n{"
	for (i = 0; i < n; i++)
		printf " a%d();", i
	print "}\n a0(); return 0; }"
}' </dev/null >paths.c
build paths paths.c -O1 -fno-inline -fopenmp --sis-cr=CR_F,CR_OMP
SIS_TRACE=1 SIS_OVERHEAD=off run_alone 3 ./paths
for limit in 1.2 1.1 1; do # what fits depends on the clock
	page paths "$EXP" --limit $limit
	! grep -q 'left out of the page: call paths' view.err || break
done
matches "call paths are left out" "$(cat view.err)" 'left out of the page: call paths'
intervals paths reduced
page paths "$EXP" --limit 0.9 # it lacks overheads of intervals, and more of the trace
check "the page is within its limit" test "$(wc -c <paths.html)" -le 900000
intervals paths reduced

# -- tiles that are in the file beside the page
build many "$TOP/tests/records/write.c" -O2 -pthread --sis-cr=CR_A
SIS_TRACE=1 SIS_OVERHEAD=off run_alone 1 ./many 500000
page many "$EXP" --limit 1
check "there is a file" test -s many.tiles
intervals many
interval_views many many.tiles
