/* driver_foreign_deep.c - opens a library with RTLD_DEEPBIND, and calls it in two threads. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
static int (*apart)(int);
static int outer(int n)
{
	volatile int s = 0;
	for (int i = 0; i < n * 1000; i++)
		s += i % 7;
	return s + apart(n);
}
static void *run(void *argument)
{
	for (int i = 0; i < 10; i++)
		outer(i);
	return argument;
}
int main(void)
{
	pthread_t thread;
	void *library = dlopen("./libapart.so", RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
	apart = (int (*)(int))dlsym(library, "apart");
	pthread_create(&thread, 0, run, 0);
	run(0);
	return pthread_join(thread, 0);
}
