/* Each function sleeps, or waits for something outside of the program, in one way, and prints how
 * long by its own clock. What calls return, errno, and their ends by signals are checked, too. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NAP_MS = 40, PIECES = 4 };

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#define LOGGED(name, call) \
	static void name(void) \
	{ \
		double from = now(); \
		if (!(call)) \
			printf("%s: wrong result, errno %d\n", #name, errno); \
		printf("%s %.9f\n", #name, now() - from); \
	}

static const struct timespec nap = { 0, NAP_MS * 1000000 };
static struct timeval nap_us = { 0, NAP_MS * 1000 };

LOGGED(by_usleep, usleep(NAP_MS * 1000) == 0)
LOGGED(by_nanosleep, nanosleep(&nap, NULL) == 0)
LOGGED(by_clock, clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL) == 0)
LOGGED(by_poll, poll(NULL, 0, NAP_MS) == 0)
LOGGED(by_ppoll, ppoll(NULL, 0, &nap, NULL) == 0)
LOGGED(by_select, select(0, NULL, NULL, NULL, &nap_us) == 0)
LOGGED(by_pselect, pselect(0, NULL, NULL, NULL, &nap, NULL) == 0)

static int epoll;
static struct epoll_event event;
LOGGED(by_epoll, epoll_wait(epoll, &event, 1, NAP_MS) == 0)

static sigset_t alarms;
LOGGED(by_sigtimedwait, sigtimedwait(&alarms, NULL, &nap) == -1 && errno == EAGAIN)

static pid_t child_of(void (*run)(void))
{
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		run();
		_exit(3);
	}
	return child;
}

static void rest(void) { nanosleep(&nap, NULL); }
static pid_t child;
static int status;
LOGGED(by_waitpid, waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 3)
LOGGED(by_wait, wait(&status) == child && WEXITSTATUS(status) == 3)
LOGGED(by_system, system("sleep 0.05; exit 5") == 5 << 8)

/* -- what another thread writes, late ---------------------------------------------------------- */

static int end[2];
static char piece[64];

static void *write_late(void *unused)
{
	for (int i = 0; i < PIECES; i++) {
		nanosleep(&nap, NULL);
		if (write(end[1], piece, sizeof piece) != sizeof piece)
			abort();
	}
	return unused;
}

static pthread_t begin(int kind)
{
	pthread_t thread;
	if (kind == SOCK_STREAM ? socketpair(AF_UNIX, kind, 0, end) : pipe(end))
		abort();
	pthread_create(&thread, NULL, write_late, NULL);
	return thread;
}

static void finish(pthread_t thread)
{
	pthread_join(thread, NULL);
	close(end[0]), close(end[1]);
}

static char got[sizeof piece];
static struct iovec part = { got, sizeof got };
static int all_read(void)
{
	for (int i = 0; i < PIECES; i++)
		if (read(end[0], got, sizeof got) != sizeof got)
			return 0;
	return 1;
}
LOGGED(by_read, all_read())
LOGGED(by_recv, recv(end[0], got, sizeof got, 0) == sizeof got)
LOGGED(by_readv, readv(end[0], &part, 1) == sizeof got)

/* A write into a full pipe waits for the reader. */
static void *read_late(void *unused)
{
	static char much[65536];
	nanosleep(&nap, NULL);
	if (read(end[0], much, sizeof much) <= 0)
		abort();
	return unused;
}

static char filling[65536];
LOGGED(by_write, write(end[1], filling, 100) == 100)

static void full_pipe(void)
{
	pthread_t thread;
	if (pipe(end) || write(end[1], filling, sizeof filling) != sizeof filling)
		abort();
	pthread_create(&thread, NULL, read_late, NULL);
	by_write();
	finish(thread);
}

/* -- what does not wait ------------------------------------------------------------------------ */

/* Reads much from memory: long, and no wait. */
static void no_wait(void)
{
	enum { MUCH = 1 << 25 };
	FILE *zero = fopen("/dev/zero", "r");
	char *much = malloc(MUCH);
	for (int i = 0; i < 4; i++)
		if (read(fileno(zero), much, MUCH) != MUCH)
			abort();
	for (int i = 0; i < 1000; i++)
		poll(NULL, 0, 0), waitpid(-1, NULL, WNOHANG);
	fclose(zero);
	free(much);
}

/* -- ends by signals and cancellation ---------------------------------------------------------- */

static sigjmp_buf back;
static volatile sig_atomic_t jumps;
static void handle(int number)
{
	(void)number;
	if (jumps)
		siglongjmp(back, 1);
}

static void interrupted(void)
{
	struct itimerval soon = { { 0, 0 }, { 0, 20000 } };
	struct timespec time = { 5, 0 }, left = { 0, 0 };
	struct sigaction action = { .sa_handler = handle }; /* it interrupts calls */
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	errno = 0;
	int result = nanosleep(&time, &left);
	printf("interrupted: %d %d %d\n", result, errno == EINTR, left.tv_sec == 4);
	jumps = 1;
	if (sigsetjmp(back, 1) == 0) {
		setitimer(ITIMER_REAL, &soon, NULL);
		poll(NULL, 0, 5000);
		puts("no jump");
	}
	jumps = 0;
	errno = 0;
	printf("failed: %d %d\n", epoll_wait(-1, &event, 1, 1), errno == EBADF);
	errno = 0;
	printf("closed: %zd %d\n", read(-1, got, 1), errno == EBADF);
}

static void *sleep_long(void *unused)
{
	sleep(100);
	return unused;
}

static void cancelled(void)
{
	pthread_t thread;
	void *result;
	pthread_create(&thread, NULL, sleep_long, NULL);
	nanosleep(&nap, NULL);
	pthread_cancel(thread);
	pthread_join(thread, &result);
	printf("cancelled: %d\n", result == PTHREAD_CANCELED);
}

int main(void)
{
	by_usleep(), by_nanosleep(), by_clock(), by_poll(), by_ppoll(), by_select(), by_pselect();
	epoll = epoll_create1(0);
	by_epoll();
	sigemptyset(&alarms), sigaddset(&alarms, SIGUSR1), sigprocmask(SIG_BLOCK, &alarms, NULL);
	by_sigtimedwait();
	child = child_of(rest), by_waitpid();
	child = child_of(rest), by_wait();
	by_system();
	pthread_t thread = begin(0);
	by_read(), finish(thread);
	thread = begin(SOCK_STREAM);
	by_recv(), finish(thread);
	thread = begin(0);
	by_readv(), finish(thread);
	full_pipe();
	no_wait();
	interrupted();
	cancelled();
	return 0;
}
