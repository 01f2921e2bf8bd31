/* Constructs that make tasks. `bodies: N` says how many tasks one makes; tasks.sh compares. */
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

void foreign(int tasks); /* is not compiled by sisc */

static int done;

static void step(int us)
{
	usleep(us);
#pragma omp atomic
	done++;
}

#define TWICE(body) { body body }
#define TASK(body) _Pragma("omp task") body
#define BOTH TASK(step(0);) TASK(step(0);)

static void plain(void)
{
	for (int i = 0; i < 10; i++)
#pragma omp task /* bodies: 10 */
		step(100);
#pragma omp task /* bodies: 1 */
	TWICE(step(0);)
	BOTH /* bodies: 2 */
#pragma omp task if (0) /* bodies: 1 */
	step(1000);
#pragma omp task final(1) mergeable /* bodies: 1 */
#pragma omp task /* bodies: 1 */
	step(0);
}

static void nested(int depth)
{
	if (depth > 0)
#pragma omp task firstprivate(depth) if (depth > 2) /* bodies: 6 */
	{
		step(10);
		nested(depth - 1);
	}
#pragma omp taskwait
}

/* Its parts may run in different threads. */
static void untied(void)
{
	for (int i = 0; i < 20; i++)
#pragma omp task untied /* bodies: 20 */
	{
		step(100);
#pragma omp task /* bodies: 20 */
		step(10);
#pragma omp taskyield
		step(100);
#pragma omp taskwait
		step(100);
	}
}

static void loops(void)
{
	int last = 0;
#pragma omp taskloop grainsize(4) /* bodies: 5 */
	for (int i = 0; i < 20; i++)
		step(10);
#pragma omp taskloop num_tasks(1000) nogroup /* bodies: 1000 */
	for (int i = 0; i < 1000; i++)
		step(0);
#pragma omp taskloop num_tasks(4) untied lastprivate(last) /* bodies: 4 */
	for (int i = 0; i < 40; i++)
		step(last = i);
#pragma omp taskloop simd num_tasks(3) /* bodies: 3 */
	for (int i = 0; i < 30; i++)
		last += i;
#pragma omp taskwait
	done += last;
}

/* Of a call in a clause. */
static int made(int tasks)
{
	for (int i = 0; i < tasks; i++)
#pragma omp task /* bodies: 2 */
		step(0);
	return tasks;
}

static void clauses(void)
{
	int order = 0;
	omp_event_handle_t event;
#pragma omp task priority(made(2)) depend(out : order) /* bodies: 1 */
	order = 1;
#pragma omp task depend(in : order) /* bodies: 1 */
	step(order);
#pragma omp task detach(event) /* bodies: 1 */
	omp_fulfill_event(event);
#pragma omp taskwait
}

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		plain();
		nested(6);
		untied();
		loops();
		clauses();
		foreign(7);
	}
#pragma omp parallel num_threads(2) default(none)
#pragma omp masked
#pragma omp task default(none) /* bodies: 1 */
	step(0);
#pragma omp task /* bodies: 1 */
	step(0);
	printf("%d\n", done);
	return 0;
}
