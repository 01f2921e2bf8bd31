# SPDX-License-Identifier: BSD-3-Clause
# Ranges of NVTX are regions: nested ones, with domain and category in the name, in threads. Ranges
# that any thread may end, and ends without begin, are counted. The program prints the same.
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_annotations.sh"
export NVTX_INJECTION64_PATH="$module"

# nvtx_regions NAME: what nvtx.c did
nvtx_regions() {
	equal "$1: prints the same, with the same status" \
		"$(cat run.out run.err) $run_status" "-2 -2 3"
	equal "$1: regions and their activations" "$(all_calls | grep -v '^deep')" "$(cat wanted)"
	equal "$1: deep nesting: those in the tree, and those that are counted" \
		"$(calls deep) $(value annotations_without_region)" "128 874"
	equal "$1: ends without begin" "$(value annotation_ends_without_begin)" 3
	equal "$1: the experiment says so once" \
		"$(analyze report "$EXP" | grep -c 'annotations of the program are no regions')" 1
	identity "$1"
}
sed 's/^\t//' <<'END_OF_WANTED' | sort >wanted
	main part 1
	main part/io/second 0
	main part/io/second/inside second 1
	main part/no category 8 1
	main part/seven/dot 1
	main part/solver/first 1
	main part/solver/first/io/second 1
	main part/solver/krylov/dot 1
	main part/solver/plain 1
	main part/solver/plain/solver/ä€ 1
	main part/solver/registered 5
	not ended 1
	not ended/ended 1
	step 400
	step/part 1200
	to the end 1
END_OF_WANTED

# a program of another compiler, with the runtime preloaded
"$CC" -O1 "$HERE/nvtx.c" -o plain -pthread || give_up "gcc builds nvtx.c"
run_alone 1 env LD_PRELOAD="$build_dir/lib/libsis.so" ./plain
nvtx_regions preloaded
SIS_TRACE=1 run_alone 1 env LD_PRELOAD="$build_dir/lib/libsis.so" ./plain
nvtx_regions traced

# by sis-analyze run, which sets the variable and preloads the libraries
EXP=$T/by_run
env -u NVTX_INJECTION64_PATH SIS_BLAME=0 "$ANALYZE" run --db sis.db --name by_run --report report \
	./plain >run.out 2>run.err
run_status=$?
nvtx_regions run

# a program that sisc built
build nvtx --sis-cr=CR_A "$HERE/nvtx.c" -pthread
run_alone 1 ./nvtx
nvtx_regions sisc
SIS_ENABLE=0 run_alone 1 ./nvtx
equal "switched off, it prints the same and writes nothing" \
	"$(cat run.out run.err) $run_status $(ls -d "$EXP" 2>/dev/null)" "-2 -2 3 "

# Functions that begin and end annotations for others, and are regions themselves: the annotation
# goes on when the function that began it ends, and the other way round.
source_file timer.c <<'END_OF_TIMER'
#include "nvtx_client.h"
#include "work.h"
static int level;
void timer_start(const char *name) { push(name); level++; }
void timer_stop(void) { level--; pop(); level += 0; }
void inner(void) { timer_start("part"); rest(20); timer_stop(); }
int main(void)
{
	for (int i = 0; i < 5; i++) {
		timer_start("outer");
		inner();
		rest(10);
		timer_stop();
	}
	return level;
}
END_OF_TIMER
for flags in "-O0" "-O2"; do
	build timer "$flags" -I"$HERE" -I"$E2E/include" timer.c -pthread
	run_alone 1 ./timer
	equal "functions for it, $flags: runs" "$(cat run.out run.err) $run_status" " 0"
	equal "functions for it, $flags: activations" \
		"$(calls outer) $(calls part) $(calls timer_start) $(calls timer_stop)" "5 5 10 10"
	equal "functions for it, $flags: an annotation goes on until its end" \
		"$(calls rest outer) $(calls rest part) $(calls part inner/timer_start) $(calls \
			inner outer)" "5 5 5 5"
	lacks "functions for it, $flags: nothing is unbalanced" \
		"$(analyze show "$EXP")" 'activation'
	identity "functions for it, $flags"
done

# In teams of OpenMP: nested in a thread, around a construct, and across the end of one.
source_file team.c <<'END_OF_TEAM'
#include "nvtx_client.h"
#include <stdio.h>
int main(void)
{
	int sum = 0;
	push("around");
	for (int i = 0; i < 10; i++) {
#pragma omp parallel num_threads(4) reduction(+ : sum)
		{
			push("in team");
#pragma omp for
			for (int k = 0; k < 8; k++) {
				push("iteration");
				sum += k;
				pop();
			}
			pop();
		}
	}
	pop();
#pragma omp parallel num_threads(4)
	{
#pragma omp single
		push("in single"); /* and out of it */
#pragma omp barrier
#pragma omp master
		{
			push("of master");
		}
	}
	for (int i = 0; i < 4; i++)
		pop();
	push("after");
	pop();
	printf("%d\n", sum);
	return 0;
}
END_OF_TEAM
build team -I"$HERE" -fopenmp team.c -pthread
run_alone 4 ./team
equal "OpenMP: runs" "$(cat run.out run.err) $run_status" "280 0"
equal "OpenMP: activations" \
	"$(calls around) $(calls 'in team') $(calls iteration) $(calls after) $(calls 'of master')" \
	"1 40 80 1 1"
identity "OpenMP"

# An annotation that is open at a fork goes on in both processes.
source_file forked.c <<'END_OF_FORKED'
#include "nvtx_client.h"
#include <sys/wait.h>
#include <unistd.h>
void begin_it(void) { push("around fork"); }
void end_it(void) { pop(); }
int child(void)
{
	push("in child");
	pop();
	end_it();
	push("later");
	pop();
	return 0;
}
int main(void)
{
	begin_it();
	if (fork() == 0)
		return child();
	wait(NULL);
	end_it();
	push("parent");
	pop();
	return 0;
}
END_OF_FORKED
build forked -I"$HERE" forked.c -pthread
run_alone 1 ./forked
equal "fork: runs" "$(cat run.out run.err) $run_status" " 0"
equal "fork: regions of both processes" \
	"$(calls 'around fork') $(calls 'in child' 'around fork/child') $(calls later child) $(calls \
		parent main)" "2 1 1 1"
lacks "fork: nothing is unbalanced" "$(analyze show "$EXP")" 'activation'
identity fork

# without a runtime, nothing happens
run_alone 1 ./plain
equal "no runtime: prints the same, and nothing is measured" \
	"$(cat run.out run.err) $run_status $(ls -d "$EXP" 2>/dev/null)" "-2 -2 3 "
