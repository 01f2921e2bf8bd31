/* samples.c - work whose CPU time samples of call stacks prolong. Prints the CPU seconds of a fixed
 * amount of work.
 *
 *     samples [HZ]       HZ: the event and the signal of samples, so often, which nobody takes.
 *                        This is what the kernel and the machine need for them
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { DEPTH = 10, CELLS = 1000, WORKS = 150000 };
static double cell[CELLS];
static int event;

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static __attribute__((noinline)) double work(int depth)
{
	double sum = 0;
	if (depth > 0)
		return work(depth - 1) + 1;
	for (int i = 1; i < CELLS; i++)
		sum += cell[i] = cell[i] * 0.5 + cell[i - 1] * 0.25 + 1;
	return sum;
}

static void arm(int number)
{
	(void)number;
	ioctl(event, PERF_EVENT_IOC_REFRESH, 1);
}

static int start_event(unsigned hz)
{
	struct perf_event_attr attributes = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof attributes,
		.config = PERF_COUNT_SW_CPU_CLOCK, .disabled = 1, .exclude_kernel = 1,
		.exclude_hv = 1, .wakeup_events = 1, .sample_period = 1000000000u / hz,
	};
	signal(SIGRTMIN, arm);
	event = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
	if (event < 0 || fcntl(event, F_SETOWN, getpid()) || fcntl(event, F_SETSIG, SIGRTMIN) ||
	    fcntl(event, F_SETFL, O_ASYNC))
		return 1;
	arm(0);
	return 0;
}

int main(int argc, char **argv)
{
	volatile double sum = 0;
	if (argc > 1 && start_event((unsigned)atoi(argv[1]))) {
		perror("samples: error: no event");
		return 1;
	}
	double begin = seconds();
	for (int i = 0; i < WORKS; i++)
		sum += work(DEPTH);
	printf("%.6f\n", seconds() - begin);
	return 0;
}
