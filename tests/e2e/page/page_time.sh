# SPDX-License-Identifier: BSD-3-Clause
# The page's view Time: its numbers are those of `regions --from --to`; a trace that is too large for
# the page is in a file beside it.
# ci: it opens many pages in a browser
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_page.sh"

cp "$E2E/run/trace_ranks.c" ranks.c
build ranks ranks.c -O1 -fopenmp "-I$build_dir/include" --sis-cr=CR_F,CR_A,CR_OMP,CR_MPI
SIS_TRACE=1 SIS_SENSORS=50ms SIS_OVERHEAD=off run 2 2 ./ranks
page ranks "$EXP"
node "$TOP/tests/page/time.mjs" ranks.html || not_ok "the view Time of ranks ends well"

# -- a killed run: regions that were open; the ring is not in order
source_file killed.c <<'END'
#include <signal.h>
#include <unistd.h>
static void inner(void) { usleep(1000); }
static void outer(int n) { for (int i = 0; i < n; i++) inner(); raise(SIGKILL); }
int main(void) { outer(50); return 0; }
END
build killed killed.c --sis-cr=CR_F,CR_P
SIS_TRACE=1 run_alone 1 ./killed
page killed "$EXP"
node "$TOP/tests/page/time.mjs" killed.html || not_ok "the view Time of a killed run ends well"

# -- too large for the page
build many "$TOP/tests/records/write.c" -O2 -pthread --sis-cr=CR_A
SIS_TRACE=1 SIS_OVERHEAD=off run_alone 1 ./many 500000
page many "$EXP" --limit 1
matches "what is left out is said" "$(cat view.err)" \
	'left out of the page: single activations.*All are in many.tiles beside the page'
check "there is a file" test -s many.tiles
check "the page is within its limit" test "$(wc -c <many.html)" -le 1000000
node "$TOP/tests/page/time.mjs" many.html many.tiles || not_ok "the view Time with a file ends well"
analyze view "$EXP" --limit 1 -o - 2>view.err >stdout.html
matches "standard output has no file beside it" "$(cat view.err)" 'Write the page to a file to get all'
mkdir no
chmod 500 no
if [ "$(id -u)" != 0 ]; then
	one_error "nowhere to write" 1 "cannot write" \
		"$ANALYZE" view "$EXP" --db "$T/sis.db" --limit 1 -o no/x.html
fi
equal "no trace: no file" "$(ls ./*.tiles)" ./many.tiles
