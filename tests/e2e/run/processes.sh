# SPDX-License-Identifier: BSD-3-Clause
# Processes and threads that begin and end in every way.
. "$(dirname "$0")/../lib.sh"

# calls REGION: all activations of it in the last experiment
calls() { query "[.[] | select(.region == \"$1\") | .calls] | add // 0" regions "$EXP"; }

source_file forks.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "work.h"
int main(void)
{
	int status, sum = 0;
	rest(100);
	for (int i = 0; i < 2; i++) {
		fflush(stdout);
		pid_t child = fork();
		if (child == 0) {
			rest(100);
			rest(100);
			exit(i + 1);
		}
		waitpid(child, &status, 0);
		sum += WEXITSTATUS(status);
	}
	sum += WEXITSTATUS(system("exit 4"));
	printf("%d\n", sum);
	return 0;
}
END
build forks "-I$E2E/include" forks.c -O1
run_alone 1 ./forks
equal "fork: prints the same" "$(cat run.out)" 7
equal "fork: three processes are kept" "$(ls "$EXP"/proc-*.sis | wc -l)" 3
equal "fork: calls of all of them" "$(calls rest)" 5
identity fork

source_file mpi_fork.c <<'END'
#include <mpi.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void rest(void) { usleep(1000); }
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	rest();
	pid_t child = fork();
	if (child == 0) {
		rest();
		_exit(0);
	}
	waitpid(child, NULL, 0);
	rest();
	MPI_Finalize();
	return 0;
}
END
build mpi_fork mpi_fork.c -O1
run 2 1 ./mpi_fork
equal "ranks fork: calls of all processes, each once" "$(calls rest)" 6
equal "ranks fork: a rank is still a rank" \
	"$(query '[.[0].processes[] | select(.state == "ended")] | length' show "$EXP")" \
	2
identity "ranks fork"
equal "ranks fork: _exit is the end of a forked child" \
	"$(query '.[0] | "\(.complete) \(.warnings | length)"' show "$EXP")" "true 0"

source_file team_forks.c <<'END'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static int seven(void) { usleep(1000); return 7; }
int main(void)
{
	int sum = 0;
#pragma omp parallel reduction(+ : sum)
	for (int i = 0; i < 10; i++) {
		int status = 0;
		pid_t child = fork();
		if (child == 0)
			_exit(seven());
		waitpid(child, &status, 0);
		sum += WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
	}
	printf("%d\n", sum);
	return 0;
}
END
source_file child_ends.c <<'END'
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static void rest(void) { usleep(1000); }
int main(int argc, char **argv)
{
	int status = 0;
	rest();
	pid_t child = fork();
	if (child == 0) {
		rest();
		if (!strcmp(argv[argc - 1], "exec"))
			execlp("true", "true", (char *)0);
		if (!strcmp(argv[argc - 1], "kill"))
			raise(SIGKILL);
		_exit(3);
	}
	waitpid(child, &status, 0);
	return 0;
}
END
build child_ends child_ends.c -O1
for how in _exit exec kill; do
	run_alone 1 ./child_ends $how
	equal "a forked child ends with $how: is the run complete" \
		"$(query '.[0].complete' import "$EXP")" \
		"$([ $how = kill ] && echo false || echo true)"
	equal "a forked child ends with $how: calls" "$(calls rest)" 2
	identity "a forked child ends with $how"
done

build team_forks team_forks.c -O1 -fopenmp
run_alone 4 ./team_forks
equal "threads fork at once: prints the same" "$(cat run.out)" 280
equal "threads fork at once: every process is kept" "$(ls "$EXP"/proc-*.sis | wc -l)" 41

source_file threads.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
#include "work.h"
static void *twice(void *x) { rest(100); rest(100); return x; }
static void *outlives(void *x) { rest(100); rest(100); rest(100); puts("late"); return x; }
int main(void)
{
	pthread_t a, b, c;
	for (int i = 0; i < 2; i++) {
		pthread_create(&a, NULL, twice, NULL);
		pthread_create(&b, NULL, twice, NULL);
		pthread_join(a, NULL);
		pthread_join(b, NULL);
	}
	pthread_create(&c, NULL, outlives, NULL);
	pthread_detach(c);
	pthread_exit(NULL);
}
END
build threads "-I$E2E/include" threads.c -O1 -pthread
run_alone 1 ./threads
equal "threads: prints the same, exits the same" "$(cat run.out) $run_status" "late 0"
equal "threads: calls of all of them" "$(calls rest)" 11
equal "threads that never overlap share a processing unit" "$(query .p overhead "$EXP")" 3
identity threads

# Destructors of thread-specific data may set it again: libc then calls them again, four times in
# all.
cp "$HERE/processes_storage.c" storage.c
build storage storage.c -O1 -pthread --sis-cr=CR_P,CR_F --sis-exclude=last
run_alone 1 ./storage
equal "destructors of a thread's storage: calls of each round" "$(calls round_of)" "$(cat run.out)"
equal "destructors of a thread's storage: threads one after the other are one unit" \
	"$(query .p overhead "$EXP")" \
	2
identity "destructors of a thread's storage"

source_file handlers.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>
static volatile sig_atomic_t hits;
static int count(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
static void on_alarm(int signal) { (void)signal; hits += count(3) > 0; }
static void at_end(void) { printf("end %d\n", count(4)); }
__attribute__((constructor)) static void before(void) { hits = count(2) - 1; }
int main(void)
{
	struct itimerval fast = {{0, 500}, {0, 500}}, off = {{0, 0}, {0, 0}};
	volatile long sum = 0;
	atexit(at_end);
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &fast, NULL);
	while (hits < 200)
		sum += count(100);
	setitimer(ITIMER_REAL, &off, NULL);
	if (chdir("/"))
		return 1;
	return sum < 0;
}
END
build handlers handlers.c -O1
run_alone 1 ./handlers
equal "handlers, constructors, atexit: runs the same" "$(cat run.out) $run_status" "end 6 0"
check "handlers: the functions are counted" test "$(calls count)" -gt 200
identity handlers

source_file plugin.c <<'END'
int plugged(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
END
source_file host.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
	void *library = dlopen("./plugin.so", RTLD_NOW);
	int (*plugged)(int) = library ? (int (*)(int))dlsym(library, "plugged") : 0;
	if (!plugged) { fputs(dlerror(), stderr); return 1; }
	printf("%d\n", plugged(5) + plugged(4));
	return 0;
}
END
"$SISC" -shared -fPIC -O1 -o plugin.so plugin.c 2>build.err || give_up "sisc -shared" build.err
gcc -O1 -o host host.c || exit 1
run_alone 1 ./host
equal "dlopen of a measured library by a program that is not: runs" \
	"$(cat run.out) $run_status" \
	"16 0"
equal "dlopen: its calls are counted" "$(calls plugged)" 2

source_file noinit.c <<'END'
#include <mpi.h>
#include <stdio.h>
static int count(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
int main(int argc, char **argv)
{
	if (argc > 5)
		MPI_Init(&argc, &argv);
	int sum = count(argc + 9);
	printf("%d\n", sum);
	return 0;
}
END
build noinit noinit.c -O1
run_alone 1 ./noinit
equal "MPI_Init never called: runs" "$(cat run.out) $run_status" "45 0"
equal "MPI_Init never called: measured" "$(calls count)" 1
run_alone 1 ./noinit 1 2 3 4 5
equal "MPI_Finalize never called: measured" "$(calls count)" 1

source_file multiple.c <<'END'
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	int rank, given, sum = 0;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(2) reduction(+ : sum) if (given == MPI_THREAD_MULTIPLE)
	for (int i = 0; i < 100; i++) {
		int in, out = i, tag = omp_get_thread_num();
		MPI_Sendrecv(&out, 1, MPI_INT, !rank, tag, &in, 1, MPI_INT, !rank, tag,
		             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		sum += in;
	}
	if (rank == 0)
		printf("%d\n", sum);
	MPI_Finalize();
	return 0;
}
END
build multiple multiple.c -O1 -fopenmp
run 2 2 ./multiple
equal "MPI_THREAD_MULTIPLE: runs" "$(cat run.out) $run_status" "9900 0"
equal "MPI_THREAD_MULTIPLE: calls of all threads" "$(calls MPI_Sendrecv)" 400
identity MPI_THREAD_MULTIPLE
