/* own_threads.c [tasks] - counts the threads that it creates; with `tasks`, shows all threads
 * of the process and which signals they block. */
#define _GNU_SOURCE
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
extern int count_of_threads(void) __attribute__((weak));
static int work(int n)
{
	for (int i = 0; i < 9; i++)
		n ^= i;
	return n;
}
static void *thread(void *data)
{
	work(1);
	return data;
}
/* Of each task: its name, and which signals it blocks. Returns how many are named sis-... */
static int show_tasks(FILE *out)
{
	char name[400], line[256];
	int named = 0;
	DIR *tasks = opendir("/proc/self/task");
	for (struct dirent *task; tasks && (task = readdir(tasks));) {
		snprintf(name, sizeof name, "/proc/self/task/%s/status", task->d_name);
		FILE *status = fopen(name, "r");
		while (status && fgets(line, sizeof line, status)) {
			named += !strncmp(line, "Name:\tsis-", 10);
			if (out && (!strncmp(line, "Name:", 5) || !strncmp(line, "SigBlk:", 7)))
				fputs(line, out);
		}
		if (status)
			fclose(status);
	}
	if (tasks)
		closedir(tasks);
	return named;
}
int main(int argc, char **argv)
{
	pthread_t other;
	for (int i = 0; i < 20; i++) {
		pthread_create(&other, NULL, thread, NULL);
		pthread_join(other, NULL);
	}
	if (argc > 1 && !strcmp(argv[1], "tasks")) {
		for (int i = 0; i < 1000 && show_tasks(NULL) < 2; i++)
			usleep(10000); /* they take their names when they first run */
		show_tasks(stderr);
	}
	printf("%d\n", count_of_threads ? count_of_threads() : 20);
	return 0;
}
