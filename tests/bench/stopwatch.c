/* stopwatch.c - runs a command; prints the CPU seconds that it and its children needed, how many KB
 * the largest of these processes had, and the seconds that went by. `stopwatch -o FILE COMMAND...`:
 * to the file. */
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static double seconds(struct timeval t) { return (double)t.tv_sec + (double)t.tv_usec * 1e-6; }

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
	pid_t child;
	int status, error;
	struct rusage usage;
	FILE *out = stdout;
	if (argc > 3 && strcmp(argv[1], "-o") == 0) {
		out = fopen(argv[2], "we");
		argc -= 2;
		argv += 2;
	}
	if (argc < 2 || !out)
		return 2;
	double start = now();
	error = posix_spawnp(&child, argv[1], NULL, NULL, argv + 1, environ);
	if (error) {
		fprintf(stderr, "stopwatch: error: cannot run '%s': %s\n", argv[1],
			strerror(error));
		return 127;
	}
	if (waitpid(child, &status, 0) < 0 || status)
		return 1;
	double elapsed = now() - start;
	getrusage(RUSAGE_CHILDREN, &usage);
	fprintf(out, "%.4f %ld %.4f\n", seconds(usage.ru_utime) + seconds(usage.ru_stime),
		usage.ru_maxrss, elapsed);
	return fclose(out) != 0;
}
