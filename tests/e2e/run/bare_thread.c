/* bare_thread.c - programs with a sampler, which starts after some thousand activations.
 *
 *     bare_thread alone       prints whether there is a sampler, and whether libc knows it
 *     bare_thread child       the same, in a forked child
 *     bare_thread children    prints how many of 60 forked children end well
 *     bare_thread blocked     the same, while a signal with a handler is blocked
 *     bare_thread rights      as root: gives up its rights, and prints those of all threads
 *     bare_thread variables   has large thread-local variables, and prints their sum
 *     bare_thread last        ends its initial thread before the other one
 *     bare_thread plugin FILE loads a library with thread-local variables and a region
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <grp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LARGE = 1 << 20, NOBODY = 65534 };
static _Thread_local double large[LARGE] __attribute__((aligned(64)));
static _Thread_local int set = 5;

__attribute__((noinline)) static int work(int n)
{
	volatile int sum = 0;
	for (int i = 0; i < n; i++)
		sum += i;
	return sum;
}

static void start_sampler(void)
{
	for (int i = 0; i < 200000; i++)
		work(10);
	usleep(20000);
}

/* With `show`, prints the lines of each thread's status that begin with a key. Whether one of the
 * threads is the sampler. */
static int each_thread(const char *const *key, int keys, int show)
{
	int sampler = 0;
	struct dirent *entry;
	DIR *tasks = opendir("/proc/self/task");
	while (tasks && (entry = readdir(tasks))) {
		char path[300], line[200];
		snprintf(path, sizeof path, "/proc/self/task/%s/status", entry->d_name);
		FILE *status = entry->d_name[0] == '.' ? NULL : fopen(path, "r");
		while (status && fgets(line, sizeof line, status)) {
			sampler |= strcmp(line, "Name:\tsis-sampler\n") == 0;
			for (int k = 0; show && k < keys; k++)
				if (strncmp(line, key[k], strlen(key[k])) == 0)
					fputs(line, stdout);
		}
		if (status)
			fclose(status);
	}
	closedir(tasks);
	return sampler;
}

static void tell(void)
{
	printf("%s sampler, libc knows %s\n", each_thread(NULL, 0, 0) ? "a" : "no",
	       __libc_single_threaded ? "one thread" : "more threads");
}

static void rights(void)
{
	static const char *const key[] = { "Uid:", "Gid:", "Groups:" };
	gid_t group = NOBODY;
	start_sampler();
	if (setgroups(1, &group) != 0 || setgid(NOBODY) != 0 || setuid(NOBODY) != 0)
		exit(1);
	start_sampler();
	each_thread(key, 3, 1);
	tell();
}

static void variables(void)
{
	double sum = 0;
	for (int i = 0; i < LARGE; i++)
		large[i] = i;
	start_sampler();
	for (int i = 0; i < LARGE; i++)
		sum += large[i];
	printf("%.0f %d\n", sum, set);
	tell();
}

static void ignore(int number) { (void)number; }

static void *outlive(void *initial)
{
	pthread_join(*(pthread_t *)initial, NULL);
	start_sampler();
	puts("the last one");
	return NULL;
}

int main(int argc, char **argv)
{
	static pthread_t initial, other;
	const char *mode = argc > 1 ? argv[1] : "";
	if (strcmp(mode, "alone") == 0) {
		start_sampler();
		tell();
	} else if (strcmp(mode, "child") == 0) {
		start_sampler();
		pid_t child = fork();
		start_sampler();
		if (child == 0) {
			tell();
			return 0;
		}
		waitpid(child, NULL, 0);
	} else if (strcmp(mode, "children") == 0) {
		int good = 0, status;
		start_sampler();
		for (int i = 0; i < 60; i++) {
			pid_t child = fork();
			if (child == 0) {
				start_sampler();
				_exit(0);
			}
			good += waitpid(child, &status, 0) == child && status == 0;
		}
		printf("%d\n", good);
	} else if (strcmp(mode, "blocked") == 0) {
		sigset_t one;
		sigemptyset(&one);
		sigaddset(&one, SIGUSR1);
		signal(SIGUSR1, ignore);
		sigprocmask(SIG_BLOCK, &one, NULL);
		start_sampler();
		tell();
	} else if (strcmp(mode, "rights") == 0) {
		rights();
	} else if (strcmp(mode, "variables") == 0) {
		variables();
	} else if (strcmp(mode, "last") == 0) {
		start_sampler();
		initial = pthread_self();
		pthread_create(&other, NULL, outlive, &initial);
		pthread_exit(NULL);
	} else if (argc > 2) {
		start_sampler();
		void *library = dlopen(argv[2], RTLD_NOW);
		int (*plugged)(int) = (int (*)(int))dlsym(library, "plugged");
		int sum = 0;
		for (int i = 0; i < 200000; i++)
			sum += plugged(1);
		start_sampler();
		printf("%d\n", sum);
		tell();
	}
	return 0;
}
