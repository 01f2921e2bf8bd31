/* SPDX-License-Identifier: BSD-3-Clause */
/* allocations.c - a program whose allocations and accesses are recorded (allocations.sh). What it
 * does is its argument. It prints what must not depend on the measurement. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void *volatile kept; /* so that the compiler leaves out no allocation */

#ifdef LIBRARY
void *library_new(size_t bytes);
#else
static void *library_new(size_t bytes) { return malloc(bytes); }
#endif

/* -- each function once ------------------------------------------------------------------------ */

static int heap(void)
{
	void *at;
	volatile size_t huge = SIZE_MAX / 2;
	char text[2001];
	memset(text, 'x', 2000);
	text[2000] = '\0';
	free(kept = malloc(2001));
	free(kept = calloc(3, 1001));
	free(kept = aligned_alloc(64, 4096));
	free(kept = memalign(64, 5001));
	free(kept = valloc(6001));
	free(kept = reallocarray(NULL, 7, 1001));
	if (posix_memalign(&at, 64, 8001) != 0)
		return 1;
	free(at);
	printf("%zu ", strlen(kept = strdup(text)));
	printf("%zu ", strlen(kept = strndup(text, 1500)));
	free(kept = malloc(100));
	kept = library_new(9001);
	errno = 0;
	printf("%d ", malloc(huge) == NULL && errno == ENOMEM);
	printf("%d ", calloc(huge, 3) == NULL);
	free(NULL);
	printf("%d\n", posix_memalign(&at, 3, 8000));
	return 0;
}

/* `moved` is the last block of the heap, so it grows where it is. */
static int moves(void)
{
	char *last = malloc(2001), *moved = malloc(3001), *before;
	kept = last;
	before = moved;
	kept = moved = realloc(moved, 1500); /* stays */
	printf("%d ", moved == before);
	kept = moved = realloc(moved, 4001); /* stays, and grows */
	printf("%d ", moved == before);
	kept = before = realloc(last, 5001); /* moves: `moved` is behind it */
	printf("%d ", before != NULL);
	printf("%d\n", realloc(moved, SIZE_MAX / 2) == NULL); /* changes nothing */
	kept = moved;
	free(before);
	free(moved);
	kept = realloc(malloc(6001), 0);
	return 0;
}

static int mappings(void)
{
	const size_t page = 4096;
	int access = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS;
	char *at = mmap(NULL, 10 * page, access, flags, -1, 0);
	at[0] = 1;
	munmap(at + 2 * page, page);
	munmap(at + 9 * page, page);
	munmap(at, 10 * page);
	char *moved = mmap(NULL, 20 * page, access, flags, -1, 0);
	moved[19 * page] = 7;
	moved = mremap(moved, 20 * page, 2000 * page, MREMAP_MAYMOVE);
	printf("%d ", moved[19 * page]);
	moved = mremap(moved, 2000 * page, 10 * page, 0);
	munmap(moved, 10 * page);
	errno = 0;
	printf("%d ", munmap((void *)1, page) == -1 && errno == EINVAL);
	printf("%d\n", mmap(NULL, 0, access, flags, -1, 0) == MAP_FAILED && errno == EINVAL);
	char *whole = mmap(NULL, 30 * page, access, flags, -1, 0);
	/* over the middle of it */
	mmap(whole + 10 * page, 5 * page, access, flags | MAP_FIXED, -1, 0);
	return 0;
}

/* As a library does it, which has no wrapper. */
static int reuse(void)
{
	void (*free_of_libc)(void *) = (void (*)(void *))dlsym(RTLD_NEXT, "free");
	for (int i = 0; i < 3; i++) {
		kept = malloc(2001);
		free_of_libc(kept);
	}
	printf("%d\n", kept != NULL);
	return 0;
}

/* 2048 call paths, faster than the sampler looks. */
__attribute__((noinline)) static int paths_below(int depth)
{
	if (depth > 0)
		return paths_below(depth - 1) + 2 * paths_below(depth - 1) + 1;
	kept = malloc(2001);
	return 1;
}

static int paths(void)
{
	printf("%d\n", paths_below(11));
	return 0;
}

/* -- accesses ---------------------------------------------------------------------------------- */

enum { SMALL = 1000, LARGE = 2 << 20 };
static double fixed[SMALL], large[LARGE];
static __thread double local[SMALL];

__attribute__((noinline)) static double sum(const double *v, int n)
{
	double s = 0;
	for (int i = 0; i < n; i++)
		s += v[i];
	return s;
}

static double sum_for(const double *v, int n, int ms)
{
	struct timespec now;
	double s = 0;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	const long long end = now.tv_sec * 1000000000LL + now.tv_nsec + ms * 1000000LL;
	do {
		for (int i = 0; i < 20000 / n + 1; i++)
			s += sum(v, n);
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while (now.tv_sec * 1000000000LL + now.tv_nsec < end);
	return s;
}

static int loops(const char *what)
{
	double here[SMALL] = { 0 };
	double *v = calloc(SMALL, sizeof *v);
	const double *of = strcmp(what, "heap") == 0 ? v
			 : strcmp(what, "static") == 0 ? fixed
			 : strcmp(what, "stack") == 0 ? here : local;
	int is_large = strcmp(what, "large") == 0;
	printf("%g\n", is_large ? sum_for(large, LARGE, 900) : sum_for(of, SMALL, 300));
	free(v);
	return 0;
}

/* -- threads and processes --------------------------------------------------------------------- */

static void *allocate_often(void *unused)
{
	void *block[50];
	for (int round = 0; round < 20; round++) {
		for (int i = 0; i < 50; i++)
			memset(block[i] = malloc(5000), round, 5000);
		for (int i = 0; i < 50; i++)
			free(block[i]);
	}
	return unused;
}

static int threads(void)
{
	pthread_t thread[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, allocate_often, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	puts("joined");
	return 0;
}

static int forks(void)
{
	int status;
	void *of_parent = kept = malloc(2001);
	fflush(NULL);
	if (fork() == 0) {
		sum_for(fixed, SMALL, 1); /* the first region of the child makes its file */
		free(of_parent);
		kept = malloc(3001);
		exit(3);
	}
	wait(&status);
	free(kept = malloc(4001));
	printf("child %d\n", WEXITSTATUS(status));
	return 0;
}

static int is_killed(void)
{
	for (int i = 0; i < 1000; i++)
		kept = malloc(2001);
	return raise(SIGKILL);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	static const struct { const char *name; int (*run)(void); } all[] = {
		{ "heap", heap }, { "moves", moves }, { "mappings", mappings },
		{ "reuse", reuse }, { "paths", paths }, { "threads", threads }, { "forks", forks },
		{ "killed", is_killed },
	};
	printf("%s: ", what); /* libc allocates its buffer now */
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (strcmp(what, all[i].name) == 0)
			return all[i].run();
	return argc > 2 ? loops(argv[2]) : 2;
}
