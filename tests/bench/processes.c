/* processes.c - makes an experiment of many summaries: `processes P` forks P processes that have
 * one thread and some
 * 1000 nodes each, in a call graph three functions deep, a tenth of it calls that write;
 * -DLEVELS=4: 10 000 nodes. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define EACH(level) FUNCTION(level, 0) FUNCTION(level, 1) FUNCTION(level, 2) FUNCTION(level, \
	3) FUNCTION(level, 4) \
	FUNCTION(level, 5) FUNCTION(level, 6) FUNCTION(level, 7) FUNCTION(level, 8)
#define ALL(level) \
	level##0, level##1, level##2, level##3, level##4, level##5, level##6, level##7, level##8

typedef void function(FILE *out);
static void call_each(function *const *each, FILE *out)
{
	for (int i = 0; i < 9; i++)
		each[i](out);
}

#define FUNCTION(level, k) static void level##k(FILE *out) { LEAF(k) }
#define LEAF(k) if (k == 0) fwrite("0", 1, 1, out);
EACH(leaf)
static function *const leaves[] = { ALL(leaf) };
#undef LEAF

#define LEAF(k) call_each(leaves, out);
EACH(inner)
static function *const inners[] = { ALL(inner) };
#undef LEAF

#define LEAF(k) call_each(inners, out);
EACH(outer)
static function *const outers[] = { ALL(outer) };
#undef LEAF

#if LEVELS == 4
#define LEAF(k) call_each(outers, out);
EACH(outermost)
static function *const all[] = { ALL(outermost) };
#else
#define all outers
#endif

int main(int argc, char **argv)
{
	int processes = argc > 1 ? atoi(argv[1]) : 1;
	FILE *out = fopen("/dev/null", "w");
	for (int i = 0; out && i < processes; i++)
		if (fork() == 0) {
			call_each(all, out);
			exit(0);
		} else if (i % 8 == 7) {
			while (wait(NULL) > 0) /* no more at a time: the node has few cores */
				;
		}
	while (wait(NULL) > 0)
		;
	return !out;
}
