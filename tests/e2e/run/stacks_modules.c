/* Libraries for stacks_modules.sh: stacks_modules once|often FILE... loads each FILE, calls its
 * function and unloads it. stacks_modules forks FILE makes children while a thread does so. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static atomic_bool over;

static void use(const char *file, int ms)
{
	void *library = dlopen(file, RTLD_NOW);
	double (*spin)(int) = library ? (double (*)(int))dlsym(library, "spin") : NULL;
	if (!spin || spin(ms) < 0) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	dlclose(library);
}

/* Measured: it opens the child's profile, and calls enough for the budget's thread. */
static __attribute__((noinline)) double work(void)
{
	volatile double sum = 0;
	for (int i = 0; i < 10; i++)
		sum += i;
	return sum;
}

static void *use_on(void *file)
{
	while (!atomic_load(&over))
		dlclose(dlopen(file, RTLD_NOW));
	return NULL;
}

/* A child has no other thread: what the dynamic linker has locked then stays so. */
static void forks(char *file)
{
	pthread_t thread;
	int good = 0, status;
	pthread_create(&thread, NULL, use_on, file);
	for (int i = 0; i < 300; i++) {
		pid_t child = fork();
		if (child == 0) {
			for (int k = 0; k < 30000; k++)
				work();
			_exit(0);
		}
		good += waitpid(child, &status, 0) == child && status == 0;
	}
	atomic_store(&over, true);
	pthread_join(thread, NULL);
	printf("%d\n", good);
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "forks") == 0) {
		forks(argv[2]);
		return 0;
	}
	int times = argc > 1 && strcmp(argv[1], "often") == 0 ? 400 : 1;
	for (int time = 0; time < times; time++)
		for (int i = 2; i < argc; i++)
			use(argv[i], times > 1 ? 1 : 150);
	printf("%d\n", __libc_single_threaded);
	return 0;
}
