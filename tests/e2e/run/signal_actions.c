/* signal_actions.c - prints the actions of signals that a program sees, before and after it sets
 * them. With an argument it crashes then. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

void (*bsd_signal(int number, void (*handler)(int)))(int); /* POSIX of 2001 */

static void mine(int number) { (void)number; }
static void measured(void) {}

int main(int argc, char **argv)
{
	struct sigaction before, action = { .sa_handler = mine };
	measured();
	sigaction(SIGSEGV, NULL, &before);
	printf("%d %d %d\n", before.sa_handler == SIG_DFL, before.sa_flags,
	       sigismember(&before.sa_mask, SIGUSR1));
	printf("%d\n", signal(SIGBUS, mine) == SIG_DFL);
	printf("%d\n", signal(SIGBUS, SIG_DFL) == mine);
	printf("%d\n", sigaction(SIGFPE, &action, &before) == 0 && before.sa_handler == SIG_DFL);
	printf("%d\n", sigaction(SIGFPE, &before, &action) == 0 && action.sa_handler == mine);
	printf("%d\n", signal(SIGUSR1, mine) == SIG_DFL && signal(SIGUSR1, SIG_IGN) == mine);
	printf("%d\n", bsd_signal(SIGILL, SIG_DFL) == SIG_DFL);
	printf("%d %d\n", sigaction(0, NULL, &before), sigaction(SIGKILL, &action, NULL));
	fflush(stdout);
	if (argc > 1)
		*(volatile char *)argv[argc] = 1;
	return 0;
}
