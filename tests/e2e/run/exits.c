/* exits.c HOW - two threads end the process at the same time. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_barrier_t both;
static const char *how;

static void step(void) {}
static void meet(void)
{
	step();
	pthread_barrier_wait(&both);
}
static void in_exit(const char *where)
{
	if (!strcmp(how, where)) {
		meet();
		usleep(1000);
	}
	step();
}
static void handler(void) { in_exit("handler"); }
static void __attribute__((destructor)) destructor(void)
{
	in_exit("destructor");
	if (!strcmp(how, "again"))
		exit(3);
}
static void on_signal(int signal)
{
	(void)signal;
	step();
	exit(3);
}

static void *second(void *unused)
{
	meet();
	if (!strcmp(how, "handler") || !strcmp(how, "destructor"))
		meet();
	if (!strcmp(how, "probes"))
		for (;;)
			step();
	if (!strcmp(how, "signal"))
		kill(getpid(), SIGTERM);
	if (!strcmp(how, "exec"))
		execl("/bin/sh", "sh", "-c", "exit 3", (char *)0);
	if (!strcmp(how, "_exit"))
		_exit(3);
	if (!strcmp(how, "again"))
		return unused;
	exit(3);
}

int main(int argc, char **argv)
{
	pthread_t thread;
	how = argv[argc - 1];
	atexit(handler);
	signal(SIGTERM, on_signal);
	pthread_barrier_init(&both, NULL, 2);
	pthread_create(&thread, NULL, second, NULL);
	meet();
	if (!strcmp(how, "exit"))
		exit(3);
	if (!strcmp(how, "leave"))
		pthread_exit(NULL); /* the process ends with its last thread, which calls exit */
	return 3;
}
