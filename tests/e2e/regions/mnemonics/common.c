/* common.c - every code region that needs neither OpenMP nor MPI, at least once. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

static int next(int i)
{
	int sum = i;
	for (int k = 0; k < 3; k++)
		for (int l = 0; l < 3; l++)
			sum += k * l;
	return sum;
}

static void *other_thread(void *unused)
{
	pthread_mutex_lock(&mutex);
	turn = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void threads(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, other_thread, NULL);
	pthread_mutex_lock(&mutex);
	while (!turn)
		pthread_cond_wait(&changed, &mutex);
	turn = 0;
	pthread_mutex_unlock(&mutex);
	pthread_barrier_t alone;
	pthread_barrier_init(&alone, NULL, 1);
	pthread_barrier_wait(&alone);
	pthread_join(thread, NULL);
}

static int files(char *text, size_t size)
{
	int fd = open("mnemonics.txt", O_CREAT | O_RDWR | O_TRUNC, 0600);
	ssize_t n = write(fd, text, size);
	n += pread(fd, text, size, 0);
	close(fd);
	unlink("mnemonics.txt");
	return n;
}

int main(int argc, char **argv)
{
	char *text = malloc(1 << 20);
	int i = 0;
	memset(text, argc, 1 << 20);
	while (i < 3)
		i += next(1);
	do
		i--;
	while (i > 0);
	if (argc > 1)
		i = argv[1][0];
	switch (argc) {
	case 1:
		i++;
	}
	{
		i++;
	}
#pragma sis cr arbitrary begin
	threads();
#pragma sis end cr
#pragma sis cr moved redistribute begin
	memmove(text + 1, text, 1000);
#pragma sis end cr
	i += files(text, 1000);
	free(text);
	printf("%d\n", i);
	return 0;
}
