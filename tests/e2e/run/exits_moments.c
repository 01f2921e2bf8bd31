/* exits_moments.c N - a signal that ends the process arrives at the N-th call of sigaction() or
 * pthread_sigmask(), which the runtime calls while it starts and ends. */
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
int __sigaction(int, const struct sigaction *, struct sigaction *);
static int at, asked;
static void step(void) {}
static void on_signal(int signal)
{
	(void)signal;
	step();
	exit(3);
}
static void moment(void)
{
	if (at && ++asked == at)
		raise(SIGTERM);
}
int sigaction(int signal, const struct sigaction *action, struct sigaction *before)
{
	moment();
	return __sigaction(signal, action, before);
}
int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
	moment();
	int result = (int)syscall(SYS_rt_sigprocmask, how, set, before, 8);
	moment();
	return result;
}
int main(int argc, char **argv)
{
	step();
	signal(SIGTERM, on_signal);
	at = argc > 1 ? atoi(argv[1]) : 0;
	return 3;
}
