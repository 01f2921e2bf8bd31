/* costs_faults.c - two threads touch pages, and print how many and the processor time it took. */
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}
static void touch(long pages)
{
	char *p = mmap(NULL, (size_t)pages * 4096, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(p, (size_t)pages * 4096, MADV_NOHUGEPAGE);
	double from = now();
#pragma sis cr touches pmetric ODATA_PGFLT begin
	for (long i = 0; i < pages; i++)
		p[i * 4096] = 1;
#pragma sis end cr
	printf("%ld %.6f\n", pages, now() - from);
	munmap(p, (size_t)pages * 4096);
}
static void *few(void *arg)
{
	touch(5000);
	return arg;
}
int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, few, NULL);
	pthread_join(thread, NULL);
	touch(40000);
#pragma sis cr idle pmetric ODATA_PGFLT begin
	usleep(100000);
#pragma sis end cr
	return 0;
}
