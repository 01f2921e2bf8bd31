# SPDX-License-Identifier: BSD-3-Clause
# The report shows the three things to do next, what each could win, and where it is in the
# source.
# asleep: its truth is time asleep, which ends later on a busy machine
. "$(dirname "$0")/../lib.sh"

source_file prog.c <<'END'
#include <unistd.h>
static void alone(void) { usleep(600000); }
int main(void)
{
	alone();
#pragma omp parallel for schedule(static, 1)
	for (int i = 0; i < 2; i++)
		usleep(100000 + 1000000 * i);
#pragma omp parallel sections
	{
		usleep(100000);
#pragma omp section
		usleep(300000);
	}
	return 0;
}
END
build prog prog.c -fopenmp
run_alone 2 ./prog
analyze report "$EXP" >report.txt || give_up "a report"
action() { query ".actions[$1] | $2" report "$EXP"; }
equal "three things, the largest first" \
	"$(query '[.actions[] | .overhead] | join(" ")' report "$EXP")" \
	"OSYNC_IBAR OLOSS_UNPAR OLOSS_UNPAR"
near "the loop could win the wait" "$(action 0 .seconds)" 0.5
near "the serial part half of its time" "$(action 1 .seconds)" 0.3
near "the sections theirs" "$(action 2 .seconds)" 0.1
equal "each with its place" \
	"$(query '[.actions[] | "\(.region) \(.file):\(.line_start)"] | join(", ")' report \
		"$EXP")" \
	"omp parallel for@6 prog.c:6, alone prog.c:2, omp parallel sections@9 prog.c:9"
equal "and what helps" "$(query '[.actions[] | .advice | length > 15] | all' report "$EXP")" true
equal "the first is what comes next" \
	"$(query .next report "$EXP" | cut -d, -f1)" \
	"omp parallel for@6 (prog.c:6)"
matches "numbered" \
	"$(cat report.txt)" \
	'^2\. alone \(prog.c:2\), OLOSS_UNPAR, potential gain 0\.[23][0-9]* s \([0-9.]* % of T_p\): '
matches "with the line" \
	"$(cat report.txt)" \
	'^   > +6 \| #pragma omp parallel for schedule\(static, 1\)$'
matches "and its neighbours" "$(cat report.txt)" '^ +7 \| 	for \(int i = 0; i < 2; i\+\+\)$'
sed -i 's/alone/alone_now/' prog.c
analyze report "$EXP" >report.txt
matches "a source that has changed is not shown" \
	"$(cat report.txt)" \
	'prog.c has changed since it was compiled'
lacks "no line of it" "$(cat report.txt)" '^   > +6 '
rm prog.c
analyze report "$EXP" >report.txt
lacks "nor of one that is gone" "$(cat report.txt)" 'has changed|^   > '

# -- lists: filtered and sorted
equal "the longest first" \
	"$(query '[.[].region] | join(" ")' regions "$EXP" --filter 'region=omp*' --filter \
		thread=0 --sort wtime_incl --top 1)" \
	"omp parallel for@6"
equal "of an explanation, too" "$(query 'length' overhead "$EXP" --explain OTOTAL --top 2)" 2
one_error "a column that is not there" 2 "no column 'y'; there are region, " \
	"$ANALYZE" regions "$EXP" --sort y --db "$T/sis.db"
one_error "a tree has its order" 2 "ask for a list" \
	"$ANALYZE" overhead "$EXP" --top 3 --db "$T/sis.db"

# -- what only the sequential run shows
source_file twice.c <<'END'
#include <unistd.h>
int main(void)
{
#pragma omp parallel
	usleep(300000);
	return 0;
}
END
build twice twice.c -fopenmp
run_alone 1 ./twice
analyze import "$EXP" --role seq >import.out 2>&1
run_alone 2 ./twice
near "replicated work is something to do" \
	"$(query '.actions[] | select(.overhead == "OLOSS_REPL") | .seconds' report "$EXP")" \
	0.15

# -- waits that are not measured look like work
source_file threads.c <<'END'
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *other(void *unused)
{
	pthread_mutex_lock(&mutex);
	usleep(300000);
	pthread_mutex_unlock(&mutex);
	return unused;
}
int main(int argc, char **argv)
{
	pthread_t thread;
	if (argc > 1)
		pthread_create(&thread, NULL, other, argv);
	usleep(100000);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return argc > 1 ? pthread_join(thread, NULL) : 0;
}
END
build threads threads.c -pthread
run_alone 1 ./threads x
near "waits of threads for each other are measured by default" \
	"$(query '.overheads.OSYNC_PTMUTEX * .p' report "$EXP")" 0.2
equal "with their causes" "$(query '.[0] | "\(.wait) \(.region) \(.cause)"' waits "$EXP")" \
	"OSYNC_PTMUTEX main other"
build threads threads.c -pthread --sis-cr=CR_F,CR_P,CR_PTJOIN,CR_PTMUTEX
run_alone 1 ./threads x
near "the same, with a place of their own" \
	"$(query '.overheads.OSYNC_PTMUTEX * .p' report "$EXP")" 0.2

# -- nothing to do
source_file idle.c <<'END'
#include <unistd.h>
int main(void) { usleep(1000000); return 0; }
END
build idle idle.c
run_alone 1 ./idle
equal "nothing that is worth a change" "$(query '.actions | length' report "$EXP")" 0
matches "is said" "$(analyze report "$EXP")" '^Nothing is worth a change: '
