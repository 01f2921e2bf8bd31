/* static_ends.c [HOW] - a thread, forks, and every way to end a process. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>
static int work(int n)
{
	for (int i = 0; i < 9; i++)
		n ^= i;
	return n;
}
static void *thread(void *data)
{
	for (int i = 0; i < 5; i++)
		work(i);
	return data;
}
int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	pthread_t other;
	pthread_create(&other, NULL, thread, NULL);
	pthread_join(other, NULL);
	printf("%d\n", work(3));
	fflush(stdout);
	if (!strcmp(how, "exit"))
		exit(3);
	if (!strcmp(how, "_exit"))
		_exit(4);
	if (!strcmp(how, "quick_exit"))
		quick_exit(4);
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "assert")) {
		free(&other);
	}
	if (!strcmp(how, "kill"))
		raise(SIGKILL);
	if (!strcmp(how, "exec"))
		execlp("sh", "sh", "-c", "exit 6", (char *)0);
	if (!strcmp(how, "execve"))
		execve("/nowhere", argv, argv + argc);
	if (!strcmp(how, "fork")) {
		if (fork() == 0) {
			work(4);
			_exit(0);
		}
		wait(NULL);
		if (vfork() == 0)
			_exit(0);
		wait(NULL);
	}
	return 5;
}
