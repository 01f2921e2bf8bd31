/* SPDX-License-Identifier: BSD-3-Clause */
/* counter_os.c - metrics that the operating system keeps for each thread: CPU time, faults,
 * switches, bytes. The measured thread reads its own metrics.
 */
#include "base/kernel_clock.h"
#include "base/system_call.h"
#include "output/profile/text.h"
#include "measure/counters/counter.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static int find_in(const char *const *names, int count, const char *metric)
{
	for (int i = 0; i < count; i++)
		if (strcmp(names[i], metric) == 0)
			return i;
	return -1;
}
#define FIND(names, metric) find_in(names, sizeof(names) / sizeof *(names), metric)

/* -- CPU time by the thread's clock, because getrusage is not exact on some kernels ------------ */

static int find_cpu(const char *metric, const char **why)
{
	(void)why;
	return strcmp(metric, "CTIME") == 0 ? 0 : -1;
}

static const char *read_cpu(const int *number, int count, uint64_t *value, uint32_t *lost)
{
	(void)number, (void)count, (void)lost;
	value[0] = sis__clock_ns(CLOCK_THREAD_CPUTIME_ID);
	return NULL;
}

const struct sis_source sis__source_cpu = { find_cpu, read_cpu };

/* -- metrics of getrusage: one call reads all of them ------------------------------------------ */

static const char *const usage_names[] = { "UTIME", "STIME", "MINFLT", "MAJFLT",
					   "VCSW",  "IVCSW", "MAXRSS" };

/* Returns what a page fault costs on this machine, including the clearing of the page. The result
 * is the least of some rounds, since other work can only make a round longer. */
static double page_fault_ns(void)
{
	enum { ROUNDS = 5, PAGES = 64 };
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	double best = 0;
	for (int round = 0; round < ROUNDS; round++) {
		char *memory = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (memory == MAP_FAILED)
			return best;
		madvise(memory, PAGES * page, MADV_NOHUGEPAGE);
		uint64_t from = sis__clock_ns(CLOCK_THREAD_CPUTIME_ID);
		for (size_t i = 0; i < PAGES; i++)
			*(volatile char *)(memory + i * page) = 1;
		double ns = (double)(sis__clock_ns(CLOCK_THREAD_CPUTIME_ID) - from) / PAGES;
		munmap(memory, PAGES * page);
		best = round == 0 || ns < best ? ns : best;
	}
	return best;
}

static int find_os(const char *metric, const char **why)
{
	static bool measured; /* the cost is measured when faults are first asked for */
	(void)why;
	if (strcmp(metric, "MINFLT") == 0 && !measured) {
		double cost_ns = page_fault_ns();
		if (cost_ns > 0)
			sis__text_once("cost", "MINFLT\t%.1f\tmeasured", cost_ns);
		measured = true;
	}
	return FIND(usage_names, metric);
}

static uint64_t ns(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_usec * 1000u;
}

static const char *read_os(const int *number, int count, uint64_t *value, uint32_t *lost)
{
	(void)lost;
	struct rusage u;
	memset(&u, 0, sizeof u);
	syscall(SYS_getrusage, RUSAGE_THREAD, &u);
	const uint64_t all[] = { ns(u.ru_utime),        ns(u.ru_stime),       (uint64_t)u.ru_minflt,
				 (uint64_t)u.ru_majflt, (uint64_t)u.ru_nvcsw, (uint64_t)u.ru_nivcsw,
				 (uint64_t)u.ru_maxrss };
	for (int i = 0; i < count; i++)
		value[i] = all[number[i]];
	return NULL;
}

const struct sis_source sis__source_os = { find_os, read_os };

/* -- bytes read and written: what the thread's system calls moved ------------------------------ */

static const char *const io_names[] = { "IOBYTES_R", "IOBYTES_W" };
static const char *const io_lines[] = { "rchar:", "wchar:" };
static const char io_path[] = "/proc/thread-self/io";

static int find_io(const char *metric, const char **why)
{
	int number = FIND(io_names, metric);
	if (number >= 0 && access(io_path, R_OK) != 0) {
		*why = "the kernel has no /proc/thread-self/io";
		return -2;
	}
	return number;
}

/* The file is opened each time, since programs close descriptors that they do not know. Reading the
 * file adds some hundred bytes to rchar. These are subtracted at the next reading. */
static const char *read_io(const int *number, int count, uint64_t *value, uint32_t *lost)
{
	static __thread uint64_t own; /* bytes that this function has read */
	char text[512];
	int fd = open(io_path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : sis__read(fd, text, sizeof text - 1);
	if (fd >= 0)
		close(fd);
	text[n < 0 ? 0 : n] = '\0';
	for (int i = 0; i < count; i++) {
		const char *line = strstr(text, io_lines[number[i]]);
		value[i] = line ? strtoull(line + strlen(io_lines[number[i]]), NULL, 10) : 0;
		if (number[i] == 0)
			value[i] -= own;
	}
	own += n > 0 ? (uint64_t)n : 0;
	*lost = n > 0 ? 0 : ~UINT32_C(0);
	return n > 0 ? NULL : "/proc/thread-self/io cannot be read";
}

const struct sis_source sis__source_io = { find_io, read_io };
