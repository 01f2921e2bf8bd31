# SPDX-License-Identifier: BSD-3-Clause
# sis-analyze run: what processes, threads, daemons and sandboxes do, what programs open late, and
# low limits, in programs that were not compiled with sisc. Most programs are those of other tests
# of this folder. They behave as without SIS, and each of their processes is in the experiment, or
# the report says what is missing.
# ci: runs 170 programs twice
# parts: 5
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_as_plain.sh"
share_with_all
unset SIS_ASLEEP SIS_OVERHEAD
export OMP_NUM_THREADS=2
leaves=jail

plain() { # plain PROGRAM SOURCE OPTION...
	program=$1 source=$2
	shift 2
	"$CC" -w -O1 -g -o "$program" "-I$E2E/include" "-I$TOP/rtlib/sis" "$@" "$source" \
		-pthread || give_up "$source is compiled"
}

# all: runs the commands of standard input. Each line begins with the number of processes; `+`
# stands for any number, because the last ones may be killed early.
all() {
	while read -r processes command; do
		as_plain sh -c "exec $command"
		[ "$processes" = + ] || equal "$command: processes" "$(seen)" "$processes"
	done
	equal "all time is accounted for" "$(unaccounted)" ""
}

processes_and_threads() {
	plain ends "$HERE/ends.c" -fopenmp
	plain exits "$HERE/exits.c"
	plain moments "$HERE/exits_moments.c"
	plain survive "$HERE/survive.c"
	plain jumps "$E2E/regions/jumps.c" "-I$build_dir/include"
	plain jumps_team "$E2E/regions/jumps_team.c" -fopenmp
	plain storage "$HERE/processes_storage.c"
	plain actions "$HERE/signal_actions.c"
	plain own "$HERE/own_threads.c"
	plain fresh "$HERE/fresh_memory.c"
	plain small "$HERE/small_stacks.c"
	all <<'END'
1 ./ends
1 ./ends exit
1 ./ends _exit
1 ./ends quick_exit
1 ./ends abort
1 ./exits exit
1 ./exits return
1 ./exits handler
1 ./exits destructor
1 ./exits again
1 ./exits probes
1 ./exits signal
1 ./exits _exit
1 ./exits exec
1 ./exits leave
1 ./moments 1
1 ./moments 7
1 ./moments 20
1 ./moments 160
1 ./survive return
1 ./survive exit
1 ./survive _exit
1 ./survive abort
1 ./survive assert
1 ./survive kill
1 ./survive term
1 ./survive segv
1 ./survive raise
1 ./survive handler
1 ./survive exec
1 ./jumps
1 ./jumps_team
1 ./storage
1 ./actions
+ ./actions crash
1 ./own
1 ./fresh
1 ./small handler 16384
1 ./small handler 8192
2 ./small fork 16384
1 ./small thread 16384
1 ./small exit 16384
1 ./small _exit 16384
1 ./small last 16384
END
}

surroundings() {
	plain surroundings "$HERE/surroundings.c" -fopenmp
	printf 'int plugged(int n) { return n + 3; }\n' >plugin.c
	plain plugin.so plugin.c -shared -fPIC
	plain few "$HERE/sandbox.c"
	plain more "$HERE/sandbox.c" -DMORE
	./few filter >check.out 2>&1
	[ $? = 4 ] || give_up "this kernel has no seccomp, or a filter forbids it"
	{
		[ "$(id -u)" != 0 ] || cat <<'END'
1 ./surroundings setuid
1 ./surroundings seteuid
1 ./surroundings chroot
1 ./surroundings jail
END
		cat <<'END'
1 ./surroundings closed
1 ./surroundings nofile
1 ./surroundings fsize
1 ./surroundings as
1 ./surroundings full
1 ./surroundings room
1 ./surroundings data
3 ./surroundings daemon
3 ./surroundings fork
2 ./surroundings _Fork
4 ./surroundings team
1 ./surroundings faults
1 ./surroundings stacks
5 ./surroundings spawn
1 ./surroundings dlopen ./plugin.so
1 ./few filter
1 ./few strict
1 ./few all 3
1 ./few worker 2
1 ./few lone
1 ./few retry
2 ./few child
END
		for end in crash abort _exit thread fork memory many; do
			echo "+ ./more filter 0 $end"
			echo "+ ./more all 2 $end"
			echo "+ ./more worker 2 $end"
		done
	} >list
	all <list
}

samples() {
	plain stacks "$HERE/stacks.c"
	plain threads "$HERE/stacks_threads.c"
	plain modules "$HERE/stacks_modules.c"
	plain bare "$HERE/bare_thread.c"
	plain one.so "$HERE/spin.c" -shared -fPIC
	cp one.so two.so
	all <<'END'
1 ./stacks calls
1 ./stacks signals
2 ./stacks forks
2 ./stacks executes
1 ./stacks killed
1 ./stacks threads
1 ./stacks closes
1 ./stacks deep 50
1 ./stacks deep 5000
1 ./threads posix
1 ./threads c11
1 ./threads nest
1 ./threads refused
1 ./threads many
2 ./threads forks
1 ./modules once ./one.so ./two.so
1 ./modules often ./one.so ./two.so
301 ./modules forks ./one.so
61 ./bare children
1 ./bare last
END
}

# A thread opens a module of the runtime while another one makes a child, which uses the dynamic
# linker.
forks_beside_modules() {
	export SIS_TRACE=1
	statuses=$(for i in $(seq 15); do
		timeout -s KILL 60 "$ANALYZE" run --db run.db --report report \
			./threads forks 2>&1 | paste -sd' '
	done | sort | uniq -c | tr -s ' ')
	equal "a child while a module is opened" "$statuses" \
		" 15 depth 4, argument abc result bc child 3"
	unset SIS_TRACE
}

# calls PATTERN: names and calls of regions of `exp`
calls() {
	"$ANALYZE" regions --db run.db --json exp | jq -r --arg pattern "$1" '
		[.[] | select(.calls and (.region | test($pattern)))] | group_by(.region) |
		map("\(.[0].region) \(map(.calls) | add)") | join(", ")'
}

# Libraries with MPI or OpenMP that a program opens when it has a profile already.
opened_late() {
	cat >first.c <<'END'
#include <time.h>
__attribute__((constructor)) static void work_first(void)
{
	volatile double sum = 0;
	for (clock_t end = clock() + CLOCKS_PER_SEC / 20; clock() < end;)
		for (int i = 0; i < 1000; i++)
			sum += i;
}
END
	for pair in mpich:libmpich.so.12 openmpi:libmpi.so.40; do
		name=${pair%:*} library=${pair#*:}
		command -v "mpiexec.$name" >/dev/null ||
			{ skip "$name, opened late" "no mpiexec.$name"; continue; }
		includes=$("mpicc.$name" -show | tr ' ' '\n' | grep '^-I' | tr '\n' ' ')
		# shellcheck disable=SC2086
		plain loaded "$E2E/mpi/loaded.c" first.c $includes
		for how in "" deep; do
			# shellcheck disable=SC2086
			as_plain "mpiexec.$name" -n 2 ./loaded "$library" $how
			equal "$name, opened late $how: prints" "$(cat run.out)" 24
			equal "$name, opened late $how: processes" "$(seen)" 2
			equal "$name, opened late $how: calls" "$(calls '^MPI_')" \
				"MPI_Allreduce 4, MPI_Comm_rank 2, MPI_Finalize 2, MPI_Init 2, \
MPI_Recv 1, MPI_Send 1"
		done
	done
	cat >team.c <<'END'
int team(void);
int team(void)
{
	int sum = 0;
#pragma omp parallel num_threads(2)
	for (int i = 0; i < 10; i++) {
#pragma omp critical
		sum += i;
#pragma omp barrier
	}
	return sum;
}
END
	cat >opens.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	void *library = dlopen(argv[1], RTLD_NOW | (argc > 2 ? RTLD_GLOBAL : RTLD_LOCAL));
	int (*team)(void) = library ? (int (*)(void))dlsym(library, "team") : NULL;
	if (!team)
		return fprintf(stderr, "%s\n", dlerror());
	printf("%d %d\n", team(), team());
	return 3;
}
END
	plain opens opens.c first.c
	for compiler in "$CC" clang-19; do
		"$compiler" -w -O1 -g -fopenmp -shared -fPIC -o team.so team.c 2>build.err ||
			give_up "$compiler: the library is built" build.err
		for how in "" global; do
			# shellcheck disable=SC2086
			as_plain ./opens ./team.so $how
			equal "OpenMP of $compiler, opened late $how: prints" "$(cat run.out)" \
				"90 90"
			equal "OpenMP of $compiler, opened late $how: calls" \
				"$(calls '^(parallel|critical wait)$')" \
				"critical wait 40, parallel 4"
		done
	done
	equal "all time is accounted for" "$(unaccounted)" ""
}

# What programs may do with low limits is what they may do without SIS.
low_limits() {
	plain low "$HERE/low_limits.c"
	echo 'int main(void) { return 3; }' >short.c
	plain short short.c
	unkept="not measured: low, which could not make a file in the directory of the experiment"
	limited() { # limited LIMIT PROCESSES [WORD]: stdout is a pipe, which -f does not limit
		limit=$1 processes=$2
		as_plain sh -c "{ prlimit $limit ./low ${3:-}; echo \$?; } | tee"
		equal "$limit ${3:-}: processes" "$(ls exp/proc-*.sis | grep -c .)" "$processes"
	}
	limited --stack=65536 3
	limited --nofile=8 3
	limited --as=400000000 3
	for bytes in 0 1024; do
		for word in "" ignores; do
			limited --fsize=$bytes 1 $word
			matches "--fsize=$bytes $word: the report says it" "$(cat report)" "$unkept"
		done
		as_plain sh -c "for i in 1 2 3; do prlimit --fsize=$bytes ./short; echo \$?; done"
		matches "--fsize=$bytes, short processes: the report says it" "$(cat report)" \
			"all processes lived for less than 5 ms|not measured: short"
	done
	[ "$(id -u)" = 0 ] || return 0 # the number of a user's processes is known if there is none
	ANALYZE=$T/sis/bin/sis-analyze user=64321
	umask 0 # this user makes files in the directory of the experiment
	for most in 1 2; do
		as_plain setpriv --reuid $user --clear-groups prlimit --nproc=$most ./low
		matches "--nproc=$most: the report says that the runtime has no thread" \
			"$(cat report)" "no thread can be created"
		equal "--nproc=$most: processes" "$(ls exp/proc-*.sis | grep -c .)" "$most"
	done
	equal "all time is accounted for" "$(unaccounted)" ""
}

# shellcheck disable=SC2086 # part and parts
set -- ${PART:-}
case ${1:-} in
1) processes_and_threads ;;
2) surroundings ;;
3) export SIS_TRACE=1 && surroundings ;;
4) samples && forks_beside_modules ;;
5) opened_late && low_limits ;;
*)
	processes_and_threads && surroundings && samples && forks_beside_modules
	opened_late && low_limits
	;;
esac
echo "1..$number"
