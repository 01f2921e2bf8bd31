/* header.c - what the profile says about the process, the program, the run it belongs to and the machine.
 * Start and end of the process, one thread.
 *
 * Everything comes from /proc and the environment; what is not to be had stays empty.
 */
#include "core.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* A small file, NUL-ended; its length. */
static size_t read_file(const char *path, char *text, size_t size)
{
	size_t length = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	for (ssize_t n = 1; fd >= 0 && n > 0 && length < size - 1; length += n > 0 ? (size_t)n : 0)
		n = read(fd, text + length, size - 1 - length);
	if (fd >= 0)
		close(fd);
	text[length] = '\0';
	return length;
}

/* -- the run's id ----------------------------------------------------------------------------------------- */

/* Field `number` (from 1) of /proc/PID/stat, counted after the name, which may hold anything. */
static unsigned long long stat_field(int pid, int number)
{
	char path[64], text[1024];
	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	read_file(path, text, sizeof text);
	const char *p = strrchr(text, ')');
	for (int field = 2; p && field < number; field++)
		p = strchr(p + 1, ' ');
	return p ? strtoull(p, NULL, 10) : 0;
}
enum { STAT_PARENT = 4, STAT_START = 22 };

/* The variables by which launchers tell a process its place. */
static const char *const launcher[] = { "PMI_RANK=", "PMIX_RANK=", "OMPI_COMM_WORLD_RANK=", "SLURM_PROCID=", NULL };

static const char *launcher_variable(void)
{
	for (int i = 0; launcher[i]; i++) {
		char name[64];
		snprintf(name, sizeof name, "%.*s", (int)strlen(launcher[i]) - 1, launcher[i]);
		if (getenv(name))
			return launcher[i];
	}
	return NULL;
}

static bool has_variable(int pid, const char *variable)
{
	char path[64];
	static char text[1 << 17];
	snprintf(path, sizeof path, "/proc/%d/environ", pid);
	size_t length = read_file(path, text, sizeof text);
	for (size_t at = 0; at < length; at += strlen(text + at) + 1)
		if (strncmp(text + at, variable, strlen(variable)) == 0)
			return true;
	return false;
}

/* The process that stands for the run: the launcher's, which is the nearest one that was not itself launched as a
 * rank (a script may stand between); without a launcher, this one. */
static int run_leader(void)
{
	const char *variable = launcher_variable();
	int pid = (int)getpid();
	if (!variable)
		return pid;
	for (int up = 0; up < 64 && pid > 1; up++) {
		pid = (int)stat_field(pid, STAT_PARENT);
		if (!has_variable(pid, variable))
			break;
	}
	return pid;
}

/* -- header ----------------------------------------------------------------------------------------------- */

static void fill_program(struct sis_profile_header *header)
{
	ssize_t n = readlink("/proc/self/exe", header->program, sizeof header->program - 1);
	header->program[n < 0 ? 0 : n] = '\0';
	read_file("/proc/self/cmdline", header->command, sizeof header->command);
	if (!getcwd(header->directory, sizeof header->directory))
		header->directory[0] = '\0';
}

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
	fill_program(header);
}

/* What is asked only when the process is going to be measured. */
void sis__header_complete(struct sis_profile_header *header)
{
	int leader = run_leader();
	header->cores = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
	header->memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	snprintf(header->run_id, sizeof header->run_id, "%.30s-%d-%llu", header->host, leader,
		 stat_field(leader, STAT_START));
	sis__clock_calibrate(header);
}

/* -- machine ---------------------------------------------------------------------------------------------- */

static void note_processor(void)
{
	char text[4096];
	read_file("/proc/cpuinfo", text, sizeof text);
	char *model = strstr(text, "model name");
	model = model ? strchr(model, ':') : NULL;
	if (!model)
		return;
	model += strspn(model, ": \t");
	model[strcspn(model, "\n")] = '\0';
	sis__text("machine", "processor\t%s", model);
}

void sis__machine_note(void)
{
	struct utsname name;
	if (uname(&name) == 0) {
		sis__text("machine", "system\t%s %s", name.sysname, name.release);
		sis__text("machine", "architecture\t%s", name.machine);
	}
	note_processor();
}

/* One process of a node is enough; launchers number them. */
void sis__machine_topology(void)
{
	static const char *const local_rank[] = { "MPI_LOCALRANKID", "OMPI_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID" };
	for (size_t i = 0; i < sizeof local_rank / sizeof *local_rank; i++)
		if (getenv(local_rank[i]) && strcmp(getenv(local_rank[i]), "0") != 0)
			return;
	void (*describe)(void (*)(const char *, const char *)) = NULL;
	if (access("/sys/devices/system/cpu", R_OK) != 0)
		return; /* hwloc would complain on the program's stderr */
	void *symbol = sis__module("libsis-hwloc.so", "sis_hwloc_describe");
	memcpy(&describe, &symbol, sizeof describe);
	if (describe)
		describe(sis__machine_fact);
}

void sis__machine_fact(const char *key, const char *value)
{
	sis__text("machine", "%s\t%s", key, value);
}
