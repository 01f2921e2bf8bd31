/* SPDX-License-Identifier: BSD-3-Clause */
/* sensor.c - samples the host's load while the run lasts, every SIS_SENSORS seconds. A thread of
 * the runtime (own_thread.c) does this in one process of each host: the first process that creates
 * the directory sensors-HOST in the experiment. The thread that ends this process adds a last
 * sample.
 *
 * Samples have the kernel's counts since the start of the host. Readers compute differences.
 * LIMIT: if this process ends before others of its host, there are no samples after its end.
 */
#include "base/config.h"
#include "base/futex.h"
#include "base/kernel_clock.h"
#include "base/lock.h"
#include "base/own_thread.h"
#include "base/read_text.h"
#include "output/profile/store.h"
#include "output/profile/text.h"
#include "output/run/directory.h"
#include "process/sensor.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK_BYTES = 16 << 10, TEXT = 512 << 10 /* for machines with many processors */ };

static struct sis_chunk *filling;
static struct sis_lock lock; /* held while a sample is taken */
static bool sampling;        /* this process samples */
/* Set when the initial thread ends before the process. Then the thread that samples ends as well,
 * because otherwise the process would not end with the program's last thread. */
static uint32_t stopped;

/* -- what the kernel says ---------------------------------------------------------------------- */

/* Reads the number in the line that begins with `key`; SIS_SENSOR_NONE: there is no such line. */
static uint64_t number_after(const char *text, const char *key)
{
	size_t length = strlen(key);
	for (const char *line = text; line; line = strchr(line, '\n'), line += line != NULL)
		if (strncmp(line, key, length) == 0)
			return strtoull(line + length, NULL, 10);
	return SIS_SENSOR_NONE;
}

/* /proc/stat: `cpu user nice system idle iowait irq softirq steal guest guest_nice`. The last two
 * are not added, because user and nice include them. */
static void read_processors(struct sis_sensor_sample *sample, char *text)
{
	enum { IDLE = 3, IOWAIT = 4, COUNTED = 8 };
	char *at = text + strlen("cpu ");
	if (sis__read_file("/proc/stat", text, TEXT) == 0 || strncmp(text, "cpu ", 4) != 0)
		return;
	sample->cpu_busy = sample->cpu_all = 0;
	for (int i = 0; i < COUNTED; i++) {
		uint64_t ticks = strtoull(at, &at, 10);
		sample->cpu_all += ticks;
		sample->cpu_busy += i == IDLE || i == IOWAIT ? 0 : ticks;
	}
	sample->switches = number_after(text, "ctxt ");
	sample->running = number_after(text, "procs_running ");
}

static void read_memory(struct sis_sensor_sample *sample, char *text)
{
	sis__read_file("/proc/meminfo", text, TEXT);
	uint64_t all = number_after(text, "MemTotal:"),
		 available = number_after(text, "MemAvailable:");
	if (all != SIS_SENSOR_NONE && available != SIS_SENSOR_NONE)
		sample->memory_used = (all - available) * 1024;
	sis__read_file("/proc/vmstat", text, TEXT);
	sample->faults = number_after(text, "pgfault ");
	sample->major_faults = number_after(text, "pgmajfault ");
}

/* Lines of /proc/net/dev: `name: received 7-more sent ...`. The first lines are titles, and have no
 * colon. The loopback interface is not counted. */
static void read_network(struct sis_sensor_sample *sample, char *text)
{
	enum { SENT = 8 };
	if (sis__read_file("/proc/net/dev", text, TEXT) == 0)
		return;
	sample->received = sample->sent = 0;
	for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
		const char *name = line + strspn(line, " ");
		char *at = strchr(name, ':');
		if (!at || at > strchr(name, '\n') || strncmp(name, "lo:", 3) == 0)
			continue;
		at++;
		for (int i = 0; i <= SENT; i++) {
			uint64_t bytes = strtoull(at, &at, 10);
			sample->received += i == 0 ? bytes : 0;
			sample->sent += i == SENT ? bytes : 0;
		}
	}
}

/* -- samples ----------------------------------------------------------------------------------- */

/* The caller holds the lock. */
static void take_sample(void)
{
	static char text[TEXT];
	struct sis_sensor_sample sample;
	memset(&sample, 0xff, sizeof sample); /* SIS_SENSOR_NONE */
	sample.ticks = sis__ticks();
	read_processors(&sample, text);
	read_memory(&sample, text);
	read_network(&sample, text);
	if (!filling || filling->used + sizeof sample > filling->size - sizeof *filling)
		filling = sis__chunk_new(SIS_CHUNK_SENSORS, SIS_NO_SLOT,
					 CHUNK_BYTES - sizeof *filling);
	if (!filling)
		return;
	*(struct sis_sensor_sample *)((char *)sis__payload(filling) + filling->used) = sample;
	__atomic_store_n(&filling->used, filling->used + sizeof sample, __ATOMIC_RELEASE);
}

static void *sample_on(void *unused)
{
	sis__own_thread_begin("sis-sensors");
	uint64_t next = sis__clock_ns(CLOCK_MONOTONIC), now;
	for (;;) {
		next += sis__config.sensor_ns;
		while (!__atomic_load_n(&stopped, __ATOMIC_RELAXED) &&
		       (now = sis__clock_ns(CLOCK_MONOTONIC)) < next)
			sis__futex_wait(&stopped, 0, next - now);
		if (!sis__store_is_live() || __atomic_load_n(&stopped, __ATOMIC_RELAXED))
			return unused;
		if (sis__lock(&lock)) {
			take_sample();
			sis__unlock(&lock);
		}
	}
}

/* -- start and end ----------------------------------------------------------------------------- */

/* The mark is a directory, because a directory costs the process no further open file. */
static bool is_first_of_host(void)
{
	char path[PATH_MAX];
	snprintf(path, sizeof path, "%s/sensors-%s", sis__store_directory(), sis__header()->host);
	return mkdir(path, 0777) == 0;
}

void sis__sensors_start(void)
{
	if (!sis__config.sensor_ns || sis__header()->parent_pid || !is_first_of_host())
		return;
	sis__guard();
	if (sis__lock(&lock)) {
		take_sample();
		sis__unlock(&lock);
	}
	sampling = sis__own_thread_start(sample_on, NULL) == 0;
	if (!sampling)
		sis__warn("the node's load is not sampled: no thread can be created");
	sis__unguard();
}

void sis__sensors_end(void)
{
	if (!sampling || !sis__lock(&lock))
		return;
	take_sample();
	sis__unlock(&lock);
}

void sis__sensors_stop(void)
{
	if (!sampling)
		return;
	__atomic_store_n(&stopped, 1, __ATOMIC_RELAXED);
	sis__futex_wake(&stopped);
}

void sis__sensors_new_process(void)
{
	stopped = 0;
	sampling = false;
	filling = NULL;
}
