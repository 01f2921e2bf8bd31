/* start.c - what measuring adds to a program that is over at once: start and end of the runtime.
 * Prints `KEY VALUE`, in milliseconds of CPU time: the lower quartile of MEASURED's runs, which
 * others on the machine disturb least, less that of PLAIN's; they take turns.
 *
 *     start KEY MEASURED PLAIN [NAME=VALUE...]    variables of the environment of MEASURED
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { RUNS = 25, PROGRAMS = 2, VARIABLES = 1000 };

extern char **environ;

static double milliseconds(struct timeval t)
{
	return (double)t.tv_sec * 1e3 + (double)t.tv_usec * 1e-3;
}

/* Below 0: it does not run, or fails. */
static double run(char *program, char **environment)
{
	char *arguments[] = { program, NULL };
	struct rusage usage;
	pid_t child;
	int status;
	if (posix_spawn(&child, program, NULL, NULL, arguments, environment) != 0 ||
	    wait4(child, &status, 0, &usage) != child || status != 0)
		return -1;
	return milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	double ms[PROGRAMS][RUNS];
	char *measured[VARIABLES];
	int n = 0;
	if (argc < 2 + PROGRAMS)
		return 2;
	for (int i = 2 + PROGRAMS; i < argc && n < VARIABLES / 2; i++)
		measured[n++] = argv[i];
	for (int i = 0; environ[i] && n < VARIABLES - 1; i++)
		measured[n++] = environ[i];
	measured[n] = NULL;
	for (int i = 0; i < RUNS; i++)
		for (int k = 0; k < PROGRAMS; k++) {
			ms[k][i] = run(argv[2 + k], k == 0 ? measured : environ);
			if (ms[k][i] < 0) {
				fprintf(stderr, "start: error: '%s' fails\n", argv[2 + k]);
				return 1;
			}
		}
	for (int k = 0; k < PROGRAMS; k++)
		qsort(ms[k], RUNS, sizeof ms[k][0], compare);
	printf("%s %.3f\n", argv[1], ms[0][RUNS / 4] - ms[1][RUNS / 4]);
	return 0;
}
