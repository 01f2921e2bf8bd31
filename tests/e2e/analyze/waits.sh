# SPDX-License-Identifier: BSD-3-Clause
# Waits, their culprits, and the regions of the culprits. Rank 1 waits for rank 0; rank 2 waits for
# rank 1, because rank 1 had waited.
# asleep: its truth is time asleep, which ends later on a busy machine
. "$(dirname "$0")/../lib.sh"

# -- a trace that begins late ----------------------------------------------------------------------
source_file begun.c <<'END'
#include <omp.h>
#include <unistd.h>
#include "sis/sis.h"
static void before(void) { usleep(200000); }
static void after(void) { usleep(300000); }
int main(void)
{
	for (int i = 0; i < 2; i++) {
		if (i)
			SIS_TRACE_START();
#pragma omp parallel
		if (omp_get_thread_num()) {
			if (i)
				after();
			else
				before();
		}
	}
	return 0;
}
END
build begun begun.c -O1 -fopenmp
SIS_TRACE=wait run_alone 2 ./begun
for region in before after; do
	near "a trace that begins late: $region is a cause" "$(query \
		"[.[] | select(.path | endswith(\"$region\")) | .direct_seconds] | add * 2" \
		waits --culprits "$EXP")" "$([ $region = before ] && echo 0.2 || echo 0.3)"
done

# -- collectives: all commands have the same waits -------------------------------------------------
# More ranks than processors, perhaps. Each operation has another rank that comes late.
source_file skew.c <<'END'
#include <mpi.h>
#include <unistd.h>

enum { ROUNDS = 25 };
static int rank, turn;

static void work(void) { usleep(turn++ % 4 == rank ? 1000 : 0); }

int main(int argc, char **argv)
{
	double x = 1, y[4], *window;
	MPI_Win win;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Win_allocate(sizeof x, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
	for (int i = 0; i < ROUNDS; i++) {
		work();
		MPI_Barrier(MPI_COMM_WORLD);
		work();
		MPI_Allreduce(&x, y, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		work();
		MPI_Bcast(&x, 1, MPI_DOUBLE, i % 4, MPI_COMM_WORLD);
		work();
		MPI_Reduce(&x, y, 1, MPI_DOUBLE, MPI_SUM, i % 4, MPI_COMM_WORLD);
		work();
		MPI_Gather(&x, 1, MPI_DOUBLE, y, 1, MPI_DOUBLE, i % 4, MPI_COMM_WORLD);
		work();
		MPI_Scan(&x, y, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		work();
		MPI_Win_fence(0, win);
	}
	MPI_Win_free(&win);
	MPI_Finalize();
	return 0;
}
END
build skew skew.c -O1
run 4 1 ./skew
equal "runs with skew" $run_status 0
# same WHAT SECONDS SECONDS: but for rounding
same() {
	equal "$1" "$(echo "$2 $3" | awk '{ d = $1 - $2; print (d * d < 1e-10) }')" 1
}
for leaf in OSYNC_MBAR OSYNC_NXN OSYNC_LATEBCAST OSYNC_EARLYRED OSYNC_EARLYSCAN OSYNC_FENCE; do
	booked=$(query ".overheads.$leaf * .p" overhead "$EXP")
	same "pairs explain $leaf" "$booked" "$(query \
		"[.[] | select(.wait == \"$leaf\") | .seconds] | add // 0" waits --pairs "$EXP")"
	same "places have $leaf" "$booked" \
		"$(query "[.[] | select(.wait == \"$leaf\") | .seconds] | add // 0 | . * 4" \
			waits "$EXP")"
done
waited=$(query '[.[] | .seconds] | add' waits --victims "$EXP")
caused=$(query '[.[] | select(.cause != "run" or (.wait | test("INIT|FINWAIT"))) |
	.seconds] | add' waits --pairs "$EXP")
same "what pairs do not explain is without a cause" \
	"$(echo "$waited $caused" | awk '{ print ($1 - $2) / 4 }')" \
	"$(query '.[0].not_recorded' show "$EXP")"

source_file chain.c <<'END'
#include <mpi.h>
#include <unistd.h>

static void serial(void) { usleep(400000); }
static void own_work(void) { usleep(100000); }

int main(int argc, char **argv)
{
	int rank, x = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		serial();
		MPI_Send(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
	} else if (rank == 1) {
		MPI_Recv(&x, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		own_work();
		MPI_Send(&x, 1, MPI_INT, 2, 7, MPI_COMM_WORLD);
	} else {
		MPI_Recv(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
END
build chain chain.c -O1
run 3 1 ./chain
equal "runs" $run_status 0

# Seconds of the lists are divided by p.
# waits CONDITION VALUE: the sum of VALUE over these waits
waits() { query "[.[] | select($1)] | map($2) | add // 0" waits "$EXP"; }
# culprits REGION VALUE: the sum of VALUE over these culprits
culprits() {
	query "[.[] | select(.region == \"$1\")] | map($2) | add // 0" waits --culprits "$EXP"
}

near "rank 1 waits for 0" \
	"$(waits '.wait == "OSYNC_LATESEND" and .line_start == 17' '.seconds * 3')" \
	0.4
equal "which was in serial" \
	"$(query '.[] | select(.wait == "OSYNC_LATESEND" and .line_start == 17) |
		"\(.culprit) \(.cause) \(.cause_file):\(.cause_line_start)"' waits "$EXP")" \
	"0.0 serial chain.c:4"
near "rank 2 waits for 1" \
	"$(waits '.wait == "OSYNC_LATESEND" and .line_start == 21' '.seconds * 3')" \
	0.5
equal "which waited itself, mostly" \
	"$(query '.[] | select(.wait == "OSYNC_LATESEND" and .line_start == 21) |
		"\(.culprit) \(.cause) \(.cause_share * 10 | round)"' waits "$EXP")" \
	"1.0 MPI_Recv 8"
near "serial is the cause of the one wait" "$(culprits serial '.direct_seconds * 3')" 0.4
equal "and of most of the other, and of what 0 waited at the end" \
	"$(culprits serial '.indirect_seconds * 3 | . > 0.37 and . < 0.6')" \
	true
near "the rest is rank 1's own" \
	"$(query '.[0].ns / 1e9' sql \
		"SELECT sum(w.ns) AS ns FROM wait_cause w JOIN region r ON r.id = w.cause
	WHERE r.name = 'own_work' AND w.leaf = 'OSYNC_LATESEND'")" 0.1
equal "the worst culprit is the first" "$(query '.[0].region' waits --culprits "$EXP")" serial
near "victims have their own seconds" \
	"$(query '[.[] | select(.process == 2 and .wait == "OSYNC_LATESEND") | .seconds] | add' \
		waits --victims "$EXP")" \
	0.5
# pairs JQ: of the list of pairs
pairs() { query "$1" waits --pairs "$EXP"; }
near "pairs say which rank waited for which" "$(pairs '[.[] | select(.victim == "1.0" and
	.culprit == "0.0" and .line_start == 17 and .cause == "serial") | .seconds] | add')" 0.4
equal "of one region and one overhead" \
	"$(query '[.[] | "\(.victim) \(.wait) \(.line_start)"] | unique | .[]' waits --pairs \
		--region chain.c:17 --overhead OSYNC_M "$EXP")" "1.0 OSYNC_LATESEND 17"
equal "the whole run has all" "$(query length waits --pairs --region program "$EXP")" \
	"$(pairs length)"
one_error "--region of another list" 2 'restrict --pairs' \
	"$ANALYZE" waits --db "$T/sis.db" --region main "$EXP"
equal "nobody waits for himself" "$(pairs '[.[] | select(.victim == .culprit)] | length')" 0
equal "the pairs of a wait add up to its causes" \
	"$(pairs 'group_by(.wait) | map({wait: .[0].wait, ns: ([.[].seconds] | add * 1e9 | round)})
		| .[]' | jq -c 'select(.ns > 0)')" \
	"$(query '.[]' sql "SELECT d.leaf AS wait, sum(d.ns) AS ns FROM drg_node n
		JOIN delay d ON d.drg_node = n.id
		WHERE n.experiment = (SELECT max(id) FROM experiment)
		GROUP BY d.leaf HAVING sum(d.ns) > 0 ORDER BY d.leaf" | jq -c .)"
equal "all causes of messages are known" \
	"$(query '[.[] | select(.wait == "OSYNC_LATESEND") | (.seconds - .known_seconds) | fabs] |
		add < 1e-6' waits "$EXP")" \
	true
equal "shares are of the overhead" \
	"$(query '([.[].share] | add) | . > 0.4 and . <= 1.0001' waits "$EXP")" \
	true
equal "the report names the cause" \
	"$(query '.actions[] | select(.line_start == 17) | .cause |
		"\(.process).\(.thread) \(.region) \(.share > 0.9)"' report "$EXP")" \
	"0.0 serial true"
equal "and counts the waits that follow from it" \
	"$(query '.actions[] | select(.line_start == 17) | .seconds * 3 | . > 0.75 and . < 1.1' \
		report "$EXP")" true
near "a wait for another wait gains only the rest" \
	"$(query '.actions[] | select(.line_start == 21) | .seconds * 3' report "$EXP")" 0.1
lead='own_work \(chain.c:5\), rank 1, thread 0, makes others wait in'
said='It is the cause of ([89][0-9]|100) % of it'
matches "also in words" \
	"$(analyze report "$EXP")" \
	"$lead MPI_Recv \(chain.c:21\).* ($said)(, .* estimated)?\.\$"
equal "so does the explanation" \
	"$(query '[.[] | select(.line_start == 17 and .process == 1) | "\(.culprit) \(.cause)"] |
		unique | .[]' overhead --explain OSYNC_LATESEND "$EXP")" \
	"0.0 serial"
matches "as text" \
	"$(analyze waits "$EXP")" \
	'^OSYNC_LATESEND +MPI_Recv +chain.c:17 .* rank 0, thread 0 +serial +chain.c:4 '
equal "as csv" \
	"$(analyze waits --csv "$EXP" | head -n 1 | cut -d, -f1-6)" \
	"wait,region,file,line_start,seconds,share"
equal "filtered" \
	"$(query '.[].line_start' waits --filter 'wait=OSYNC_LATESEND' --sort line_start "$EXP" |
		tr '\n' ' ')" \
	"21 17 "
one_error "two questions" 2 'choose one' \
	"$ANALYZE" waits --db "$T/sis.db" --victims --culprits "$EXP"

# within a process: thread 1 waits for the lock that 0 has while it is in `slow`. At the end 0 waits
# for the work of 1, not for itself
source_file threads.c <<'END'
#include <omp.h>
#include <unistd.h>

static omp_lock_t lock;

static void slow(void) { usleep(400000); }
static void own_work(void) { usleep(100000); }

int main(void)
{
	omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
	{
		int first = omp_get_thread_num() == 0;
		if (!first)
			own_work();
		omp_set_lock(&lock);
		if (first)
			slow();
		omp_unset_lock(&lock);
		if (!first)
			own_work();
	}
	return 0;
}
END
build threads threads.c -O1 -fopenmp
run 1 2 ./threads
equal "runs with threads" $run_status 0
near "one waits for the lock" "$(waits '.wait == "OSYNC_LOCK"' '.seconds * 2')" 0.3
equal "which the other one has, in slow" \
	"$(query '.[] | select(.wait == "OSYNC_LOCK") |
		"\(.culprit) \(.cause) \(.cause_share > 0.9)"' waits "$EXP")" \
	"0.0 slow true"
near "at once" "$(culprits slow '.direct_seconds * 2')" 0.3
equal "and not for its own wait at the end" \
	"$(culprits slow '.indirect_seconds * 2 | . < 0.02')" \
	true
equal "in share of the overhead" \
	"$(query '.[] | select(.region == "slow") | .share > 0.4' waits --culprits "$EXP")" \
	true
equal "the report names it" \
	"$(query '.actions[] | select(.overhead == "OSYNC_LOCK") | .cause |
		"\(.process).\(.thread) \(.region)"' report "$EXP")" \
	"0.0 slow"
equal "the explanation, too" \
	"$(query '[.[] | select(.thread == 1) | "\(.culprit) \(.cause)"] | unique | .[]' overhead \
		--explain OSYNC_LOCK "$EXP")" \
	"0.0 slow"
matches "in one process, only the thread is named" "$(analyze waits "$EXP")" \
	'^OSYNC_LOCK .* thread 1 +thread 0 +slow +threads.c:6 '
lacks "and no process" "$(analyze waits "$EXP"; analyze report "$EXP")" '(rank|process) 0'

# a helper with two callers, and a wrapper of MPI with two: call paths tell them apart
source_file stubs.c <<'END'
#include <mpi.h>
#include <unistd.h>

void spend_ms(int ms) { usleep(ms * 1000); }
void receive(int *x) { MPI_Recv(x, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
END
source_file helper.c <<'END'
#include <mpi.h>

void spend_ms(int ms);
void receive(int *x);

static void solve(int rank)
{
	int x = 0;
	if (rank == 1) {
		receive(&x);
		return;
	}
	spend_ms(400);
	MPI_Send(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
}

static void setup(int rank)
{
	int x = 0;
	if (rank == 1) {
		receive(&x);
		return;
	}
	spend_ms(200);
	MPI_Send(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	setup(rank);
	solve(rank);
	MPI_Finalize();
	return 0;
}
END
build helper helper.c stubs.c -O1
run 2 1 ./helper
equal "runs with a helper" $run_status 0
equal "each wait of the wrapper has its own cause" \
	"$(query '.[:2][] | "\(.wait) \(.path) \(.cause_path) \(.cause_share > 0.9)"' \
		waits "$EXP")" \
	"OSYNC_LATESEND main/solve/receive/MPI_Recv main/solve/spend_ms true
OSYNC_LATESEND main/setup/receive/MPI_Recv main/setup/spend_ms true"
equal "and the keys that it had" \
	"$(query '.[0] | "\(.region) \(.cause) \(.worst) \(.culprit)"' waits "$EXP")" \
	"MPI_Recv spend_ms 1.0 0.0"
near "the longer one costs what it took" \
	"$(query '.[] | select(.path == "main/solve/spend_ms") | .seconds * 2' waits --culprits \
		"$EXP")" \
	0.4
matches "text names the callers" "$(analyze waits "$EXP")" \
	'^OSYNC_LATESEND +setup > receive > MPI_Recv +stubs.c:5 .* setup > spend_ms +stubs.c:4 '
matches "of culprits, too" "$(analyze waits --culprits "$EXP")" \
	'^solve > spend_ms +stubs.c:4 .* solve > receive > MPI_Recv$'
matches "of victims" "$(analyze waits --victims "$EXP")" \
	'^OSYNC_LATESEND +solve > receive > MPI_Recv +stubs.c:5 '
matches "of an explanation" "$(analyze overhead --explain OSYNC_LATESEND "$EXP")" \
	'solve > receive > MPI_Recv +stubs.c .* rank 0, thread 0 +solve > spend_ms'
analyze report "$EXP" >report.txt
matches "of the critical path" "$(cat report.txt)" '^solve > spend_ms +stubs.c:4 '
lead='solve > spend_ms \(stubs.c:4\), rank 0, thread 0, makes others wait in'
matches "of advice" "$(cat report.txt)" \
	"^[12]\. $lead solve > receive > MPI_Recv .*It is the cause of 100 % of it"
equal "which has a line for each" \
	"$(query '[.actions[] | select(.region == "MPI_Recv") | .path] | join(" ")' report \
		"$EXP")" \
	"main/solve/receive/MPI_Recv main/setup/receive/MPI_Recv"

# whatever is estimated in JSON is called so in text
estimated() { query "$1" report "$EXP" | awk '{ print ($1 > 0) }'; }
equal "causes in advice" \
	"$(grep -c '^[0-9.]* *[a-z].* > MPI_Recv .*estimated\.$' report.txt)" \
	"$(query '[.actions[] | select(.cause.estimated_share > 0)] | length' report "$EXP")"
equal "the critical path" "$(grep -c '^[0-9.]* s of it, [0-9.]* %, are estimated' report.txt)" \
	"$(estimated .critical_path_estimated)"
equal "the waits" "$(analyze waits "$EXP" | head -n 1 | grep -c ' estimated \[s\] ')" \
	"$(query '[.[].estimated_seconds] | add' waits "$EXP" | awk '{ print ($1 > 0) }')"
lacks "what is exact is not" "$(analyze waits "$EXP" --filter estimated_seconds=0)" estimated
lacks "nor messages of which all were kept" "$(analyze messages "$EXP")" estimated

# a recursive function is one place at all depths
source_file deep.c <<'END'
#include <omp.h>
#include <unistd.h>

static void deep(int n)
{
	usleep(40000);
	if (n)
		deep(n - 1);
}

int main(void)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num())
		deep(9);
	return 0;
}
END
build deep deep.c -O1 -fopenmp
run_alone 2 ./deep
equal "recursion has one line" \
	"$(query '[.[] | select(.region == "deep") | .path] | join(" ")' waits --culprits "$EXP")" \
	"main/omp parallel@13/deep"
near "with all of its time" \
	"$(query '.[] | select(.region == "deep") | .direct_seconds * 2' waits --culprits "$EXP")" \
	0.4

# processes that are no ranks
source_file fork.c <<'END'
#include <sys/wait.h>
#include <unistd.h>

static volatile double sum;
static void compute(int n)
{
	for (int i = 0; i < n; i++)
		sum += i;
}

int main(void)
{
	pid_t child = fork();
	compute(child ? 1000 : 10000000);
	return child ? wait(NULL) < 0 : 0;
}
END
build fork fork.c -O1
run_alone 1 ./fork
matches "a process is no rank" "$(analyze imbalance "$EXP" --filter compute)" \
	'^compute .* process 1, thread 0$'
equal "in JSON it is as before" "$(query '.[0].slowest' imbalance "$EXP" --filter compute)" 1.0

# a full log: the records that were kept stand for the rest
source_file many.c <<'END'
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int rank, x = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 2000; i++)
		if (rank == 0) {
			usleep(400);
			MPI_Send(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
		} else {
			MPI_Recv(&x, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		}
	MPI_Finalize();
	return 0;
}
END
build many many.c -O1
SIS_RECORDS=4096 run 2 1 ./many
equal "runs with a full log" $run_status 0
estimate=$(analyze show "$EXP" |
	sed -n 's/.* so \([0-9.]*\) s of \([0-9.]*\) s of waits are estimated.*/\1 \2/p')
equal "most of the waits were not recorded, which is said" \
	"$(echo "$estimate" | awk '{ print ($1 > 0.5 * $2) }')" \
	1
equal "and are there" \
	"$(query '[.[] | select(.process == 1 and .wait == "OSYNC_LATESEND") | .seconds] | add' \
		waits --victims "$EXP" |
	awk -v all="${estimate#* }" '{ print ($1 > 0.8 * all && $1 <= 1.01 * all) }')" 1
equal "and marked" \
	"$(query '.[] | select(.wait == "OSYNC_LATESEND") | .estimated_seconds > 0.3 * .seconds' \
		waits "$EXP")" \
	true
matches "in text, too" "$(analyze waits "$EXP" | head -n 1)" ' estimated \[s\] '
matches "so are counts of messages" "$(analyze messages "$EXP")" \
	' receiving \[s\]  counts estimated  kind$'
identity "with estimates"

# -- copyprivate: all threads meet once, in two functions of libgomp's -----------------------------
source_file copies.c <<'END'
#include <omp.h>
#include <unistd.h>
static void first(void) { usleep(60000); }
static void late(void) { usleep(100000); }
static void later(void) { usleep(140000); }
int main(void)
{
	int x = 0;
#pragma omp parallel num_threads(2) firstprivate(x)
	{
#pragma omp single copyprivate(x)
		{
			first();
			x = 1;
		}
		if (omp_get_thread_num() == x)
			late();
#pragma omp barrier
		if (omp_get_thread_num() != x)
			later();
#pragma omp barrier
	}
	return 0;
}
END
for compiler in gcc clang-19; do
	command -v $compiler >/dev/null || { skip "$compiler" "there is none"; continue; }
	build copies copies.c -O1 -fopenmp --sis-cc=$compiler
	SIS_TRACE=1 run_alone 2 ./copies
	for case in "11 first" "18 late" "21 later"; do
		equal "$compiler, traced copyprivate: ${case#* } is the cause in line ${case% *}" \
			"$(query "[.[] | select(.seconds > 0.02 and .line_start == ${case% *}) |
				.cause] | unique | .[]" waits "$EXP")" "${case#* }"
	done
done
echo "1..$number"
