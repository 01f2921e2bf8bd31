/* low_limits.c - tries what limits of the process (ulimit) forbid, and prints what it could do: use
 * its stack, make a thread and a child, open files, write one, allocate. It works long enough to
 * get a profile before and after each of these. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STACK = 40 << 10, MOST = 64 << 20, BYTES = 3000 };

static void *work(void *unused)
{
	volatile double sum = 0;
	for (clock_t end = clock() + CLOCKS_PER_SEC / 50; clock() < end;)
		for (int i = 0; i < 1000; i++)
			sum += i;
	return unused;
}

static __attribute__((noinline)) int use_stack(void)
{
	char bytes[STACK];
	memset(bytes, 1, sizeof bytes);
	__asm__ volatile("" : : "r"(bytes) : "memory");
	return bytes[STACK / 2];
}

static void make_thread(void)
{
	pthread_t thread;
	int error = pthread_create(&thread, NULL, work, NULL);
	if (error == 0)
		pthread_join(thread, NULL);
	printf("thread: %s\n", strerror(error));
}

static void make_child(void)
{
	int status = 0;
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		work(NULL);
		_exit(3);
	}
	printf("child: %s", strerror(child < 0 ? errno : 0));
	if (child > 0)
		waitpid(child, &status, 0);
	printf(", %d\n", status);
}

static void open_files(void)
{
	int n = 0, fd[100];
	while (n < 100 && (fd[n] = open("/dev/null", O_RDONLY)) >= 0)
		n++;
	printf("files: %d, the last one %d\n", n, n ? fd[n - 1] : -1);
	work(NULL);
	while (n)
		close(fd[--n]);
}

static void write_file(void)
{
	static char bytes[BYTES];
	int fd = open("written", O_WRONLY | O_CREAT | O_TRUNC, 0666);
	ssize_t n = fd < 0 ? -1 : write(fd, bytes, sizeof bytes);
	printf("written: %zd, %s\n", n, strerror(n < 0 ? errno : 0));
	close(fd);
	unlink("written");
}

static void allocate(void)
{
	size_t size = MOST;
	void *block;
	while ((block = malloc(size)) == NULL)
		size /= 2;
	printf("allocated: %zu\n", size);
	free(block);
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "ignores") == 0)
		signal(SIGXFSZ, SIG_IGN);
	work(NULL);
	printf("stack: %d\n", use_stack());
	make_thread();
	make_child();
	open_files();
	allocate();
	fflush(stdout);
	write_file();
	work(NULL);
	return 5;
}
