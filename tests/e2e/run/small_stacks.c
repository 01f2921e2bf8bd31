/* small_stacks.c HOW SIZE - a program with stacks of so many bytes:
 *
 *     handler    signal handlers have such a stack
 *     fork       a thread with such a stack makes a child
 *     thread     it makes another one
 *     exit, _exit   it ends the process
 *     last       it goes on when all other threads have ended */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { GUARD = 4096 };
static const char *how;
static pthread_t initial;
static pthread_attr_t small;
static volatile double sink;

/* Until the process has used so much more CPU time. */
static void burn(int ms)
{
	for (clock_t end = clock() + ms * (CLOCKS_PER_SEC / 1000); clock() < end;)
		for (int i = 0; i < 1000; i++)
			sink += i;
}

static void set_handler_stack(size_t size)
{
	char *low = mmap(NULL, GUARD + size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const stack_t stack = { .ss_sp = low + GUARD, .ss_size = size };
	if (low == MAP_FAILED || mprotect(low + GUARD, size, PROT_READ | PROT_WRITE) != 0 ||
	    sigaltstack(&stack, NULL) != 0)
		exit(77);
}

static void make_child(void)
{
	int status = 0;
	pid_t child = fork();
	if (child == 0) {
		burn(20);
		_exit(3);
	}
	waitpid(child, &status, 0);
	printf("child %d\n", status);
}

static void *work(void *unused)
{
	pthread_t other;
	burn(20);
	if (strcmp(how, "fork") == 0)
		make_child();
	if (strcmp(how, "exit") == 0)
		exit(5);
	if (strcmp(how, "_exit") == 0)
		_exit(5);
	if (strcmp(how, "last") == 0)
		pthread_join(initial, NULL);
	if (strcmp(how, "thread") == 0) {
		how = "";
		if (pthread_create(&other, &small, work, NULL) == 0)
			pthread_join(other, NULL);
	}
	burn(20);
	puts("thread");
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	size_t size = argc > 2 ? (size_t)atol(argv[2]) : 16384;
	how = argc > 1 ? argv[1] : "";
	if (strcmp(how, "handler") == 0) {
		set_handler_stack(size);
		burn(100);
		return 0;
	}
	initial = pthread_self();
	pthread_attr_init(&small);
	if (pthread_attr_setstacksize(&small, size) != 0 ||
	    pthread_create(&thread, &small, work, NULL) != 0)
		return 77;
	if (strcmp(how, "last") == 0)
		pthread_exit(NULL);
	pthread_join(thread, NULL);
	return 0;
}
