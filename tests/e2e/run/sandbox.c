/* sandbox.c - goes into a sandbox, works there and ends:
 *
 *     sandbox HOW [THREADS [END]]
 *
 *     strict   read, write, exit and sigreturn are allowed
 *     filter   the calls of a list are allowed; any other one ends the process
 *     all      the same for all threads
 *     worker   the same for one thread, which is not the initial one
 *     lone     strict, for another thread than the initial one
 *     retry    the kernel refuses the filter first
 *     child    a forked child goes into the sandbox of filter, before its first region
 *
 * END: how it ends there
 *     -        by return from main; with strict, by the system call exit. Status 4
 *     crash, abort, _exit
 *     many     after so many new call paths that no memory is left for them
 *     thread   after it made a thread
 *     fork     after it made a child
 *     memory   after it allocated and freed memory */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ALLOW(name) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), \
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* What this program calls afterwards. */
static long set_filter(unsigned flags)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		ALLOW(write), ALLOW(exit_group), ALLOW(exit), ALLOW(futex),
#ifdef MORE /* what libc needs for threads, processes and memory */
		ALLOW(clone), ALLOW(clone3), ALLOW(mmap), ALLOW(mprotect), ALLOW(brk),
		ALLOW(munmap), ALLOW(madvise), ALLOW(rseq), ALLOW(set_robust_list),
		ALLOW(rt_sigprocmask), ALLOW(wait4), ALLOW(tgkill), ALLOW(gettid), ALLOW(getpid),
		ALLOW(rt_sigaction), ALLOW(getrandom),
#endif
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	const struct sock_fprog program = { sizeof filter / sizeof *filter, filter };
	if (flags)
		return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

enum { THREADS = 64, MANY = 200000, DEEP = 5 };
static pthread_barrier_t both, never;
static volatile unsigned sum;

__attribute__((noinline)) static void step(unsigned i) { sum = sum * 5 + i; }
__attribute__((noinline)) static void inside(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		step(i);
}
/* new call paths */
static void tree_b(int n);
__attribute__((noinline)) static void tree_a(int n)
{
	if (n)
		tree_a(n - 1), tree_b(n - 1);
	step(1);
}
__attribute__((noinline)) static void tree_b(int n)
{
	if (n)
		tree_b(n - 1), tree_a(n - 1);
	step(2);
}

static void *work(void *unused)
{
	inside(1000);
	pthread_barrier_wait(&both);
	pthread_barrier_wait(&both); /* the sandbox is there */
	for (int i = 0; i < 100; i++)
		inside(100);
	tree_a(DEEP);
	pthread_barrier_wait(&both);
	pthread_barrier_wait(&never); /* the end of a thread would be other calls */
	return unused;
}

static void *go_alone(void *unused)
{
	inside(10);
	pthread_barrier_wait(&both);
	if (set_filter(0) != 0)
		exit(5);
	inside(MANY);
	tree_a(DEEP);
	pthread_barrier_wait(&both);
	pthread_barrier_wait(&both);
	pthread_barrier_wait(&never);
	return unused;
}

static void meet(int threads)
{
	if (threads)
		pthread_barrier_wait(&both);
}

static void go(const char *how)
{
	if (strcmp(how, "retry") == 0 &&
	    (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) == 0 ||
	     syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 1u << 30, "") == 0))
		exit(6);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		exit(7);
	if (strcmp(how, "strict") == 0 ? prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT)
				       : set_filter(strcmp(how, "all") == 0
							    ? SECCOMP_FILTER_FLAG_TSYNC : 0))
		exit(8);
}

static void *in_thread(void *unused)
{
	inside(50);
	return unused;
}

static void in_child(void)
{
	int status = 0;
	pid_t child = fork();
	if (child == 0) {
		inside(70);
		_exit(3);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 3)
		exit(11);
}

static void end(const char *how)
{
	pthread_t thread;
	if (strcmp(how, "crash") == 0)
		*(volatile int *)0 = 1;
	if (strcmp(how, "abort") == 0)
		abort();
	if (strcmp(how, "_exit") == 0)
		_exit(3);
	if (strcmp(how, "many") == 0)
		tree_a(15);
	if (strcmp(how, "thread") == 0 &&
	    (pthread_create(&thread, NULL, in_thread, NULL) || pthread_join(thread, NULL)))
		exit(10);
	if (strcmp(how, "fork") == 0)
		in_child();
	for (size_t i = 0; strcmp(how, "memory") == 0 && i < 1000; i++) {
		char *volatile some = malloc(i << 10);
		free(some);
	}
}

static void *go_strict(void *unused)
{
	inside(10);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
		exit(5);
	inside(MANY);
	syscall(SYS_exit, 0);
	return unused;
}

static int lone_thread(void)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, go_strict, NULL) || pthread_join(thread, NULL))
		return 13;
	inside(MANY);
	printf("lone\n");
	return 4;
}

static int sandboxed_child(void)
{
	int status = 0;
	pid_t child = fork();
	if (child == 0) {
		go("filter");
		inside(30);
		exit(4);
	}
	waitpid(child, &status, 0);
	printf("child\n");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 12;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "strict";
	int threads = argc > 2 ? atoi(argv[2]) : 0;
	static char buffer[1000];
	pthread_t thread[THREADS];
	setvbuf(stdout, buffer, _IOFBF, sizeof buffer); /* nothing is written before the end */
	inside(MANY);
	if (strcmp(how, "child") == 0)
		return sandboxed_child();
	if (strcmp(how, "lone") == 0)
		return lone_thread();
	pthread_barrier_init(&both, NULL, (unsigned)threads + 1);
	pthread_barrier_init(&never, NULL, THREADS + 1);
	for (int i = 0; i < threads; i++)
		if (pthread_create(&thread[i], NULL, strcmp(how, "worker") ? work : go_alone,
				   NULL) != 0)
			return 9;
	if (strcmp(how, "worker") == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return 7;
	meet(threads);
	if (strcmp(how, "worker") != 0)
		go(how);
	inside(MANY);
	tree_b(DEEP);
	meet(threads);
	meet(threads);
	end(argc > 3 ? argv[3] : "-");
	printf("%s\n", how);
	if (strcmp(how, "strict") != 0)
		return 4;
	fflush(stdout);
	return (int)syscall(SYS_exit, 4); /* that of a process is not allowed */
}
