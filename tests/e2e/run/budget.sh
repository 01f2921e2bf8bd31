# SPDX-License-Identifier: BSD-3-Clause
# SIS_OVERHEAD: what costs most is measured less, and the experiment says so. Counts of regions that
# were not off are exact, and so are results of the program.
# ci: its programs run until the sampler has seen enough
. "$(dirname "$0")/../lib.sh"

# rungs: the regions that were measured less, with the lowest rung of each
rungs() {
	query '[.[0].turned_down | group_by(.region)[] | "\(.[0].region) \([.[].rung] |
		if index("off") then "off" elif index("sampled") then "sampled"
		elif index("fraction") then "fraction" else "full" end)"] | .[]' show "$EXP"
}
calls() { query "[.[] | select(.region == \"$1\") | .calls] | add" regions "$EXP"; }

# one hot function, and one that is called as often as a program can afford
source_file hot.c <<'END'
#include <stdio.h>
static volatile unsigned sink;
__attribute__((noinline)) static void hot(unsigned n) { sink += n; }
__attribute__((noinline)) static void cold(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sink += i;
}
int main(void)
{
	for (unsigned i = 0; i < 60000; i++) {
		cold(20000);
		for (unsigned k = 0; k < 1000; k++)
			hot(k);
	}
	printf("%u\n", sink);
	return 0;
}
END
build hot hot.c -O1 --sis-cr=CR_F,CR_P
SIS_OVERHEAD=off run 1 1 ./hot
printed=$(cat run.out)
equal "off: nothing is measured less" "$(rungs)" ""
equal "off: all calls" "$(calls hot) $(calls cold)" "60000000 60000"
equal "off: no errors" "$(query '[.[].error] | add' regions "$EXP")" 0
SIS_OVERHEAD=5% run 1 1 ./hot
equal "5%: the program is the same" "$(cat run.out)$(cat run.err)" "$printed"
equal "5%: the hot function is measured less, and no other one" "$(rungs | cut -d' ' -f1)" hot
equal "5%: the other one has all its calls" "$(calls cold)" 60000
check "5%: the hot one has not more than it had" [ "$(calls hot)" -le 60000000 ]
identity "5%"
matches "5%: show lists it" "$(analyze show "$EXP")" \
	"^  hot \(hot.c:3\): .* from [0-9.]* s on"
matches "5%: and so does report" "$(analyze report "$EXP")" \
	"^  hot \(hot.c:3\): .* from [0-9.]* s on"
matches "5%: regions says that times are estimates" "$(analyze regions "$EXP")" \
	"^some regions were measured less.*SIS_OVERHEAD=5%"
probes=$(query '.overheads.OPROBE' overhead "$EXP") all=$(query '.t_p' overhead "$EXP")
check "5%: probes that are cheaper are not charged more ($probes of $all s)" \
	awk "BEGIN { exit !($probes < 0.25 * $all) }"
lacks "5%: no leave is missed" "$(query '.[0].warnings[]' show "$EXP")" "activation"
equal "5%: a table of the repository" \
	"$(query 'length > 0' sql "SELECT * FROM turned_down WHERE rung != 'full'")" \
	true
# The time of a region that is off is in the region around it, which says so.
includes() { query '[.[] | select(.includes_off | length > 0) |
	"\(.region): \(.includes_off | join(" "))"] | unique | .[]' regions "$EXP"; }
source_file around.c <<'END'
static volatile unsigned sink;
__attribute__((noinline)) static void inner(unsigned n) { sink += n; }
__attribute__((noinline)) static void outer(unsigned n) { inner(n); sink += n; }
int main(void)
{
	for (unsigned i = 0; i < 100000000; i++)
		outer(i);
	return 0;
}
END
build around around.c -O1 --sis-cr=CR_F,CR_P
SIS_OVERHEAD=5% run 1 1 ./around
equal "off inside of off: both are off" "$(rungs)" "inner off
outer off"
equal "off inside of off: the region that is on includes both" "$(includes)" "main: inner outer"
for command in regions "regions --tree" report; do
	# shellcheck disable=SC2086 # words
	matches "off inside of off: $command says it" "$(analyze $command "$EXP")" \
		"^ *main .* 2 regions that are off: inner, outer"
done
equal "off inside of off: report, as JSON" \
	"$(query '.includes_off[] | "\(.region): \(.includes_off | join(" "))"' report "$EXP")" \
	"main: inner outer"
SIS_OVERHEAD=off run 1 1 ./hot
equal "nothing is off: nothing is included" "$(includes)" ""
lacks "nothing is off: regions has no such column" "$(analyze regions "$EXP")" "includes"
SIS_OVERHEAD=5% run 1 1 ./hot
equal "decisions are part of an export" \
	"$(analyze export --format json "$EXP" | jq '.turned_down | length > 0')" true
SIS_OVERHEAD=100 run 1 1 ./hot
check "100%: the hot function is not off, or the program is slower than twice" \
	[ "$(rungs | wc -l)" -le 1 ]

# calls of input and output that are short are no exception, long ones are timed each time
source_file bytes.c <<'END'
#include <stdio.h>
static char large[1 << 20];
int main(void)
{
	FILE *zero = fopen("/dev/zero", "r"), *null = fopen("/dev/null", "w");
	long sum = 0;
	for (long i = 0; i < 30000000; i++) {
		sum += fgetc(zero) + 1;
		fputc((int)(sum & 127), null);
	}
	for (int i = 0; i < 100; i++)
		sum += (long)fread(large, 1, sizeof large, zero);
	printf("%ld\n", sum);
	return fclose(null) | fclose(zero);
}
END
build bytes bytes.c -O1
SIS_OVERHEAD=5% run 1 1 ./bytes
equal "bytes: the program is the same" "$(cat run.out)$(cat run.err)" 134857600
matches "bytes: reading is measured less" "$(rungs)" '^fgetc (sampled|off)$'
matches "bytes: and so is writing" "$(rungs)" '^fputc (sampled|off)$'
lacks "bytes: large pieces are not" "$(rungs)" fread
equal "bytes: the large ones have all calls" "$(calls fread)" 100
equal "bytes: and no error" \
	"$(query '[.[] | select(.region == "fread") | .error] | add' regions "$EXP")" 0
identity bytes
SIS_OVERHEAD=off run 1 1 ./bytes
equal "bytes, off: all calls" "$(calls fgetc) $(calls fputc)" "30000000 30000000"
SIS_TIMING=1/16 run 1 1 ./bytes
equal "bytes, SIS_TIMING: all calls" "$(calls fgetc) $(calls fputc)" "30000000 30000000"
check "bytes, SIS_TIMING: the times of short ones are estimates" [ "$(query \
	'[.[] | select(.region == "fgetc") | .error > 0] | all' regions "$EXP")" = true ]
identity "bytes, SIS_TIMING"

# what is sampled is counted exactly, in recursion as well
source_file deep.c <<'END'
static volatile unsigned sink;
__attribute__((noinline)) static void deep(unsigned n)
{
	sink += n;
	if (n > 0)
		deep(n - 1);
	sink -= n;
}
int main(void)
{
	for (unsigned i = 0; i < 20000; i++)
		deep(999);
	return 0;
}
END
build deep deep.c -O1 -fno-optimize-sibling-calls --sis-cr=CR_F,CR_P
SIS_OVERHEAD=20% run 1 1 ./deep
matches "recursion: it is measured less" "$(rungs)" '^deep (sampled|off)$'
check "recursion: not more calls than there were" [ "$(calls deep)" -le 20000000 ]
lacks "recursion: no leave is missed" "$(query '.[0].warnings[]' show "$EXP")" "activation"
identity recursion

# A rule turns a recursion off and on in the middle, again and again: each leave ends its own
# activation. What is called afterwards always has the same caller.
sed -e 's/^int main/__attribute__((noinline)) static void after(void) { sink++; }\n&/' \
	-e 's/deep(999);/deep(99999), after();/; s/20000/300/' deep.c > flip.c
printf 'period 10ms\nwhen calls(deep) > 0 then off deep else on deep\n' > flip.rules
build flip flip.c -O1 -fno-optimize-sibling-calls --sis-cr=CR_F,CR_P
SIS_RULES=flip.rules run 1 1 ./flip
equal "recursion and a rule: runs" "$run_status" 0
check "recursion and a rule: off and on" [ "$(calls deep)" -lt 30000000 ]
equal "recursion and a rule: what follows has all its calls" "$(calls after)" 300
equal "recursion and a rule: and one caller" \
	"$(query '[.[] | select(.path | test("after$")) | .path] | unique | join(" ")' \
		regions --tree "$EXP")" "main/after"
lacks "recursion and a rule: no leave is missed" "$(query '.[0].warnings[]' show "$EXP")" activation
identity "recursion and a rule"

# threads decide alone; ranks as well
source_file threads.c <<'END'
#include <mpi.h>
#include <omp.h>
static volatile unsigned sink[64];
__attribute__((noinline)) static void tiny(int t) { sink[t]++; }
static void many(int n)
{
	for (int i = 0; i < n; i++)
		tiny(omp_get_thread_num());
}
int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
	if (rank == 0)
		many(20000000);
	else
		many(100);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
END
SISC_CC=$MPICC build threads threads.c -O1 -fopenmp --sis-cr=CR_F,CR_OMP,CR_MPI,CR_P
SIS_OVERHEAD=5% run 2 2 ./threads
equal "ranks that differ: only one of them measures less" \
	"$(query '[.[0].turned_down[] | select(.region == "tiny") | "\(.processes) of \(.of)"] |
		unique | .[]' show "$EXP")" \
	"1 of 2"
equal "ranks that differ: the other one has all calls" \
	"$(query '[.[] | select(.region == "tiny" and .process == 1) | .calls] | add' regions "$EXP")" \
	200
identity "ranks that differ"
equal "ranks that differ: waits are exact" \
	"$(query '[.[] | select(.type == "CR_MPIBARRIER") | .error] | add' regions "$EXP")" 0

# a forked child goes on, a process that is killed keeps what it chose
source_file ends.c <<'END'
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile unsigned sink;
__attribute__((noinline)) static void tiny(void) { sink++; }
static void many(void)
{
	for (int i = 0; i < 30000000; i++)
		tiny();
}
int main(int argc, char **argv)
{
	many();
	if (argc > 1 && strcmp(argv[1], "fork") == 0) {
		if (fork() == 0) {
			many();
			_exit(0);
		}
		wait(0);
	} else if (argc > 1) {
		kill(getpid(), SIGKILL);
	}
	return 0;
}
END
build ends ends.c -O1 --sis-cr=CR_F,CR_P
SIS_OVERHEAD=5% run 1 1 ./ends fork
matches "fork: it is measured less" "$(rungs)" "^tiny "
equal "fork: two processes" "$(query '[.[].process] | unique | length' regions "$EXP")" 2
identity fork
SIS_OVERHEAD=5% SIS_OUTPUT=killed.exp ./ends kill > run.out 2> run.err
EXP=killed.exp
matches "killed: it was measured less" "$(rungs)" "^tiny "
identity killed

# with a trace, and with SIS_TIMING, it has no effect
SIS_OVERHEAD=5% SIS_TRACE=1 SIS_TRACE_SIZE=1M SIS_TRACE_POLICY=drop run 1 1 ./ends
equal "trace: nothing is measured less" "$(rungs)" ""
SIS_OVERHEAD=5% SIS_TIMING=1/16 run 1 1 ./ends
equal "SIS_TIMING: that holds" "$(rungs)" ""
equal "SIS_TIMING: all calls" "$(calls tiny)" 30000000

for bad in x 5%% -1 0.01 101 5x; do
	SIS_OVERHEAD=$bad run 1 1 ./ends
	said="neither a percentage from 0.1% to 100% nor off; taken as 5%"
	matches "bad SIS_OVERHEAD '$bad': one line" "$(cat run.err)" \
		"^sis: warning: bad SIS_OVERHEAD '$bad': $said$"
done

# the source may say how much; the environment is above it
{ echo '#pragma sis measure budget(0.5%)' && cat ends.c; } > small.c
build small small.c -O1 --sis-cr=CR_F,CR_P
unset SIS_OVERHEAD
run 1 1 ./small
matches "budget(0.5%): it holds" "$(analyze regions "$EXP")" "SIS_OVERHEAD=0.5%"
SIS_OVERHEAD=off run 1 1 ./small
equal "budget(0.5%) and SIS_OVERHEAD=off: nothing is measured less" "$(rungs)" ""
sed 's/0.5%/off/' small.c > none.c
build none none.c -O1 --sis-cr=CR_F,CR_P
run 1 1 ./none
equal "budget(off): nothing is measured less" "$(rungs)" ""
run 1 1 ./ends
matches "by default, it is 5 %" "$(analyze regions "$EXP")" "SIS_OVERHEAD=5%"
for bad in '' '()' '(0)' '(101%)' '(2%' '(x)'; do
	{ echo "#pragma sis measure budget$bad" && cat ends.c; } > bad.c
	"$SISC" -c bad.c -o bad.o 2> bad.err && not_ok "budget$bad is wrong"
	matches "budget$bad is an error" "$(cat bad.err)" \
		"^bad.c:1:[0-9]*: error: expected '\(PERCENT%\)' from 0.1% to 100%, or '\(off\)', after 'budget'"
done

# Most calls are made by a signal handler, which interrupts malloc: no thread is made there.
source_file handler.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
static volatile unsigned sink;
__attribute__((noinline)) static void hot(unsigned n) { sink += n; }
static void on_alarm(int number)
{
	for (unsigned k = 0; k < 1000; k++)
		hot(k + (unsigned)number);
}
int main(void)
{
	struct itimerval every = { { 0, 1000 }, { 0, 1000 } };
	void *volatile block[64] = { 0 };
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &every, NULL);
	for (time_t end = time(NULL) + 2; time(NULL) < end;)
		for (unsigned i = 0; i < 64; i++) {
			free(block[i]);
			block[i] = malloc(64 + 997 * i);
		}
	puts("ended");
	return 0;
}
END
build handler handler.c -O1 --sis-cr=CR_F,CR_P
SIS_OVERHEAD=5% SIS_OUTPUT=$T/handler.exp timeout 30 ./handler >run.out 2>run.err
equal "calls in a signal handler that interrupts malloc: the program ends" \
	"$? $(cat run.out run.err)" "0 ended"
