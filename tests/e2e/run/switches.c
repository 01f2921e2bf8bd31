/* Threads that share one processor spin in regions. Each prints, for each of its regions, how long
 * it was ready to run and had no processor there, by the kernel's count. Then the initial thread
 * sleeps in ways that nobody wraps, and shows its descriptors. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 2, REGIONS = 3, ROUNDS = 12 };
static double lacks[THREADS][REGIONS];
static __thread double *mine;
static __thread int counts; /* the kernel's, of this thread */

static double lack(void)
{
	char text[128] = "";
	if (pread(counts, text, sizeof text - 1, 0) <= 0)
		abort();
	return strtod(strchr(text, ' '), NULL) * 1e-9;
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void spin(double seconds)
{
	for (double end = now() + seconds; now() < end;)
		continue;
}

static volatile int sink;
static void leaf(void)
{
	for (int i = 0; i < 200; i++)
		sink += i;
}

static void long_one(void)
{
	double before = lack();
	spin(0.04);
	mine[0] += lack() - before;
}

static void short_one(void)
{
	double before = lack();
	spin(0.015);
	mine[1] += lack() - before;
}

static void with_calls(void)
{
	double before = lack();
	for (double end = now() + 0.03; now() < end;)
		leaf();
	mine[2] += lack() - before;
}

static pthread_barrier_t ready;
static void *work(void *of)
{
	mine = of;
	counts = open("/proc/thread-self/schedstat", O_RDONLY);
	double before = lack();
	pthread_barrier_wait(&ready);
	for (int i = 0; i < ROUNDS; i++)
		long_one(), short_one(), with_calls();
	printf("all %.6f\n", lack() - before);
	close(counts);
	return NULL;
}

static void share_a_processor(void)
{
	pthread_t thread[THREADS];
	pthread_attr_t attributes;
	cpu_set_t all, one;
	int processor = 0;
	sched_getaffinity(0, sizeof all, &all);
	while (!CPU_ISSET(processor, &all))
		processor++;
	CPU_ZERO(&one);
	CPU_SET(processor, &one);
	pthread_attr_init(&attributes);
	pthread_attr_setaffinity_np(&attributes, sizeof one, &one);
	pthread_barrier_init(&ready, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], &attributes, work, lacks[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < THREADS; i++)
		printf("region long_one %.6f\nregion short_one %.6f\nregion with_calls %.6f\n",
		       lacks[i][0], lacks[i][1], lacks[i][2]);
}

/* -- sleep that is no call of libc's ----------------------------------------------------------- */

static void raw(void)
{
	struct timespec nap = { 0, 100000000 };
	double from = now();
	syscall(SYS_nanosleep, &nap, NULL);
	printf("raw %.6f\n", now() - from);
}

static void ask(void)
{
	int number = 0;
	double from = now();
	if (scanf("%d", &number) == 1)
		printf("ask %.6f %d\n", now() - from, number);
}

/* -- descriptors ------------------------------------------------------------------------------- */

static void show_descriptors(const char *who)
{
	DIR *all = opendir("/proc/self/fd");
	printf("%s:", who);
	for (struct dirent *one; (one = readdir(all));)
		if (one->d_name[0] != '.')
			printf(" %s", one->d_name);
	puts("");
	fflush(stdout);
	closedir(all);
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "exec") == 0) {
		show_descriptors("exec");
		return 0;
	}
	spin(0.02);
	show_descriptors("start");
	closefrom(3);
	printf("next %d\n", open("/dev/null", O_RDONLY));
	share_a_processor();
	raw();
	ask();
	show_descriptors("end");
	if (fork() == 0) {
		spin(0.02);
		show_descriptors("child");
		execl("/proc/self/exe", argv[0], "exec", (char *)NULL);
		_exit(1);
	}
	wait(NULL);
	return 0;
}
