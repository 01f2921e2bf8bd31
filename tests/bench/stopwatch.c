/* stopwatch.c - runs a command; prints the CPU seconds that it and its children needed, and how many KB the
 * largest of these processes had. */
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char **environ;

static double seconds(struct timeval t) { return (double)t.tv_sec + (double)t.tv_usec * 1e-6; }

int main(int argc, char **argv)
{
	pid_t child;
	int status, error;
	struct rusage usage;
	if (argc < 2)
		return 2;
	error = posix_spawnp(&child, argv[1], NULL, NULL, argv + 1, environ);
	if (error) {
		fprintf(stderr, "stopwatch: error: cannot run '%s': %s\n", argv[1], strerror(error));
		return 127;
	}
	if (waitpid(child, &status, 0) < 0 || status)
		return 1;
	getrusage(RUSAGE_CHILDREN, &usage);
	printf("%.4f %ld\n", seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss);
	return 0;
}
