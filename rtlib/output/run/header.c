/* SPDX-License-Identifier: BSD-3-Clause */
/* header.c - what the profile says about the process, the program and the machine. Called at the
 * start and end of the process by one thread. run.c adds the run.
 *
 * All fields come from the kernel and the environment. A field that cannot be read stays empty.
 */
#include "base/config.h"
#include "base/modules.h"
#include "base/read_text.h"
#include "output/profile/text.h"
#include "output/run/header.h"
#include "output/run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

/* -- header ------------------------------------------------------------------------------------ */

void sis__header_fill(struct sis_profile_header *header)
{
	memcpy(header->magic, SIS_PROFILE_MAGIC, sizeof header->magic);
	header->version = SIS_PROFILE_VERSION;
	header->endian = SIS_PROFILE_ENDIAN;
	header->state = SIS_STATE_RUNNING;
	header->clock = sis__clock_is_tsc ? SIS_CLOCK_TSC : SIS_CLOCK_MONOTONIC;
	header->pid = (uint32_t)getpid();
	header->mpi_rank = -1;
	header->ticks_per_second = 1000000000u;
	gethostname(header->host, sizeof header->host - 1);
	for (char *c = header->host; *c; c++)
		if (*c == '/')
			*c = '_';
	snprintf(header->writer, sizeof header->writer, "sis %s", SIS_VERSION);
	ssize_t n = readlink("/proc/self/exe", header->program, sizeof header->program - 1);
	header->program[n < 0 ? 0 : n] = '\0';
	sis__read_file("/proc/self/cmdline", header->command, sizeof header->command);
	if (!getcwd(header->directory, sizeof header->directory))
		header->directory[0] = '\0';
}

/* Fills in the fields that are needed only if the process is measured. */
void sis__header_complete(struct sis_profile_header *header)
{
	header->cores = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
	header->memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	char id[128];
	if (sis__read_file("/proc/sys/kernel/random/boot_id", id, sizeof id) == 0)
		snprintf(id, sizeof id, "%s", header->host);
	header->boot = sis_checksum(id, strlen(id));
	sis__run_identify(header);
	header->timing = sis__config.rung == SIS_RUNG_FRACTION ? sis__config.sampling : 0;
}

/* -- machine ----------------------------------------------------------------------------------- */

enum { PROCESSORS_MOST = 8192 };

/* Writes the processors that the process may use into the profile, as numbers and ranges. */
static void note_affinity(void)
{
	unsigned long mask[PROCESSORS_MOST / (8 * sizeof(unsigned long))] = { 0 };
	enum { WORD = 8 * sizeof *mask };
	char text[1024];
	size_t length = 0;
	if (syscall(SYS_sched_getaffinity, 0, sizeof mask, mask) <= 0)
		return;
	for (int first = 0, end; first < PROCESSORS_MOST; first = end) {
		end = first + 1;
		if (!(mask[first / WORD] >> first % WORD & 1))
			continue;
		while (end < PROCESSORS_MOST && (mask[end / WORD] >> end % WORD & 1))
			end++;
		length += (size_t)snprintf(text + length, sizeof text - length,
					   end > first + 1 ? "%s%d-%d" : "%s%d",
					   length ? "," : "", first, end - 1);
		if (length >= sizeof text)
			return;
	}
	sis__text("affinity", "%s", text);
}

void sis__machine_note(void)
{
	struct utsname name;
	note_affinity();
	if (uname(&name) == 0) {
		sis__text("machine", "system\t%s %s", name.sysname, name.release);
		sis__text("machine", "architecture\t%s", name.machine);
	}
	const char *model = strstr(sis__processor_text(), "model name");
	model = model ? strchr(model, ':') : NULL;
	if (model) {
		model += strspn(model, ": \t");
		sis__text("machine", "processor\t%.*s", (int)strcspn(model, "\n"), model);
	}
}

static void note_fact(const char *key, const char *value)
{
	sis__text("machine", "%s\t%s", key, value);
}

/* Only one process of each host does this: the process with number 0. Launchers number the
 * processes of a host in these variables. */
void sis__machine_topology(const struct sis_time_mark *end)
{
	static const char *const local_rank[] = { "MPI_LOCALRANKID", "OMPI_COMM_WORLD_LOCAL_RANK",
						  "SLURM_LOCALID" };
	for (size_t i = 0; i < sizeof local_rank / sizeof *local_rank; i++)
		if (getenv(local_rank[i]) && strcmp(getenv(local_rank[i]), "0") != 0)
			return;
	/* hwloc opens a dozen files for each processor, which is too much for a short run */
	const struct sis_profile_header *header = sis__header();
	uint64_t least_ms = 1000 + 100 * (uint64_t)header->cores;
	if ((end->monotonic_ns - header->start.monotonic_ns) / 1000000 < least_ms)
		return;
	void (*describe)(void (*)(const char *, const char *)) = NULL;
	if (access("/sys/devices/system/cpu", R_OK) != 0)
		return; /* hwloc would complain on the program's stderr */
	void *symbol = sis__module("libsis-hwloc.so", "sis_hwloc_describe");
	memcpy(&describe, &symbol, sizeof describe);
	if (describe)
		describe(note_fact);
}
