/* SPDX-License-Identifier: BSD-3-Clause */
/* sensor.c - samples the host's load while the run lasts, every SIS_SENSORS seconds. A thread of
 * the runtime (own_thread.c) does it, in one process of each host: the one that first creates the
 * file sensors-HOST in the experiment. The thread that ends the process adds a last sample.
 *
 * Samples are what the kernel has counted since it was started; a reader takes differences.
 * LIMIT: when that process ends before the others of its host, so do the samples.
 */
#include "base/config.h"
#include "base/futex.h"
#include "base/kernel_clock.h"
#include "base/lock.h"
#include "base/own_thread.h"
#include "base/read_text.h"
#include "profile/store.h"
#include "profile/text.h"
#include "run/directory.h"
#include "process/sensor.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK_BYTES = 16 << 10, TEXT = 512 << 10 /* machines of many processors */ };

static struct sis_chunk *filling;
static struct sis_lock lock; /* held for a sample */
static bool sampling;        /* this process samples */
/* The initial thread has ended before the process: the sampler ends as well, or the process would
 * not end with the program's last thread. */
static uint32_t stopped;

/* -- what the kernel says ---------------------------------------------------------------------- */

/* The number after `key`, which begins a line; none: SIS_SENSOR_NONE. */
static uint64_t number_after(const char *text, const char *key)
{
	size_t length = strlen(key);
	for (const char *line = text; line; line = strchr(line, '\n'), line += line != NULL)
		if (strncmp(line, key, length) == 0)
			return strtoull(line + length, NULL, 10);
	return SIS_SENSOR_NONE;
}

/* /proc/stat: `cpu user nice system idle iowait irq softirq steal guest guest_nice`. The two last
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

/* A line of /proc/net/dev: `name: received 7-more sent ...`. The loopback interface does not
 * count. */
static void add_interface(struct sis_sensor_sample *sample, const char *line)
{
	enum { SENT = 8 };
	const char *name = line + strspn(line, " ");
	char *at = strchr(name, ':');
	if (!at || at > strchr(name, '\n') || strncmp(name, "lo:", 3) == 0)
		return;
	at++;
	for (int i = 0; i <= SENT; i++) {
		uint64_t bytes = strtoull(at, &at, 10);
		sample->received += i == 0 ? bytes : 0;
		sample->sent += i == SENT ? bytes : 0;
	}
}

/* The first lines are titles, which have no colon. */
static void read_network(struct sis_sensor_sample *sample, char *text)
{
	if (sis__read_file("/proc/net/dev", text, TEXT) == 0)
		return;
	sample->received = sample->sent = 0;
	for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
		add_interface(sample, line);
}

/* -- samples ----------------------------------------------------------------------------------- */

static struct sis_sensor_sample *next_sample(void)
{
	uint64_t bytes = sizeof(struct sis_sensor_sample);
	if (!filling || filling->used + bytes > filling->size - sizeof *filling)
		filling = sis__chunk_new(SIS_CHUNK_SENSORS, SIS_NO_SLOT,
					 CHUNK_BYTES - sizeof *filling);
	return filling ? (struct sis_sensor_sample *)((char *)sis__payload(filling) + filling->used)
		       : NULL;
}

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
	struct sis_sensor_sample *next = next_sample();
	if (!next)
		return;
	*next = sample;
	__atomic_store_n(&filling->used, filling->used + sizeof sample, __ATOMIC_RELEASE);
}

static void sleep_until(uint64_t end)
{
	uint64_t now;
	while (!__atomic_load_n(&stopped, __ATOMIC_RELAXED) &&
	       (now = sis__clock_ns(CLOCK_MONOTONIC)) < end)
		sis__futex_wait(&stopped, 0, end - now);
}

static void *sample_on(void *unused)
{
	sis__own_thread_begin("sis-sensors");
	uint64_t next = sis__clock_ns(CLOCK_MONOTONIC);
	for (;;) {
		next += sis__config.sensor_ns;
		sleep_until(next);
		if (!sis__store_is_live() || __atomic_load_n(&stopped, __ATOMIC_RELAXED))
			return unused;
		if (sis__lock(&lock)) {
			take_sample();
			sis__unlock(&lock);
		}
	}
}

/* -- start and end ----------------------------------------------------------------------------- */

static bool is_first_of_host(void)
{
	char path[PATH_MAX];
	snprintf(path, sizeof path, "%s/sensors-%s", sis__store_directory(), sis__header()->host);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
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
