/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c - which run this process belongs to. The process finds this out without sending messages or
 * waiting for other processes. Called by one thread, when the process is first measured.
 *
 * If SIS_RUN is set, the value names the run. Else:
 *
 * A process that no launcher started is a run of its own. If a launcher started the processes of a
 * run on one host, they identify the run by their nearest ancestor that is not a rank itself, and
 * by the time when this ancestor began. If the run is on several hosts, the launcher has a helper
 * on each host. Then the processes identify the run by the name that the launcher gave it.
 */
#include "base/config.h"
#include "base/read_text.h"
#include "base/state.h"
#include "output/profile/text.h"
#include "output/run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The variables in which a launcher gives a process its rank. */
static const struct launcher {
	const char *rank;              /* set in every process that the launcher starts */
	/* the number of processes, and of processes on this host; NULL: the launcher sets no such
	 * variable */
	const char *size, *local_size;
	/* together, their values are the same on all hosts of the run; NULL: none */
	const char *job[2];
} launchers[] = {
	{ "PMIX_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", { "PMIX_NAMESPACE" } },
	{ "OMPI_COMM_WORLD_RANK",
	  "OMPI_COMM_WORLD_SIZE",
	  "OMPI_COMM_WORLD_LOCAL_SIZE",
	  { "OMPI_MCA_ess_base_jobid" } },
	{ "PALS_RANKID", NULL, NULL, { "PALS_APID" } },
	{ "FLUX_TASK_RANK", "FLUX_JOB_SIZE", NULL, { "FLUX_JOB_ID" } },
	{ "PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS", { "PMI_JOBID" } },
	{ "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", NULL, { "SLURM_JOB_ID", "SLURM_STEP_ID" } },
};

static const struct launcher *launcher; /* NULL: none */
static int leader;                      /* the process that identifies the run on this host */
static unsigned long long leader_start; /* its start, in clock ticks since boot */

/* -- processes -------------------------------------------------------------------------------- */

/* Reads field `number` (from 1) of /proc/PID/stat. Fields are counted from the end of the program's
 * name, because this name may contain any characters. */
static unsigned long long stat_field(int pid, int number)
{
	char path[64], text[1024];
	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	sis__read_file(path, text, sizeof text);
	const char *p = strrchr(text, ')');
	for (int field = 2; p && field < number; field++)
		p = strchr(p + 1, ' ');
	return p ? strtoull(p, NULL, 10) : 0;
}
enum { STAT_PARENT = 4, STAT_START = 22 };

/* Finds the NUL-ended string of /proc/PID/WHAT that begins with `start`. With `next`, returns the
 * string after it. NULL: there is no such string. */
static const char *string_of(int pid, const char *what, const char *start, bool next)
{
	static char text[1 << 17];
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/%s", pid, what);
	size_t length = sis__read_file(path, text, sizeof text);
	for (size_t at = 0; at < length; at += strlen(text + at) + 1)
		if (strncmp(text + at, start, strlen(start)) == 0)
			return text + at + (next ? strlen(text + at) + 1 : 0);
	return NULL;
}

/* -- the launcher ----------------------------------------------------------------------------- */

static long number(const char *variable)
{
	const char *value = variable ? getenv(variable) : NULL;
	return value ? strtol(value, NULL, 10) : 0;
}

/* Returns the nearest ancestor that is not a rank itself. This is not always the parent, because a
 * script may be between the launcher and this process. */
static int find_leader(void)
{
	char variable[64];
	int pid = (int)getpid();
	if (!launcher)
		return pid;
	snprintf(variable, sizeof variable, "%s=", launcher->rank);
	for (int up = 0; up < 64 && pid > 1; up++) {
		pid = (int)stat_field(pid, STAT_PARENT);
		if (!string_of(pid, "environ", variable, false))
			break;
	}
	return pid;
}

static bool is_on_one_host(void)
{
	return !launcher || (number(launcher->size) > 0 &&
			     number(launcher->size) == number(launcher->local_size));
}

/* Makes a name that is the same on all hosts of the run; "": there is none. Under Hydra the name
 * consists of the control port of mpiexec and the process group, because all helpers have these as
 * arguments. LIMIT: a later run may get the same port, and then has the same name. */
static void job_name(char *name, size_t size)
{
	const char *first = launcher && launcher->job[0] ? getenv(launcher->job[0]) : NULL;
	const char *second = launcher && launcher->job[1] ? getenv(launcher->job[1]) : NULL;
	name[0] = '\0';
	if (first) {
		snprintf(name, size, "%s.%s", first, second ? second : "");
		return;
	}
	const char *port = launcher && !is_on_one_host()
				   ? string_of(leader, "cmdline", "--control-port", true)
				   : NULL;
	if (!port)
		return;
	int length = snprintf(name, size, "%s.", port);
	const char *group = string_of(leader, "cmdline", "--pgid", true);
	if (group && length < (int)size)
		snprintf(name + length, size - (size_t)length, "%s", group);
}

/* A launcher that started a single process does not count. That process may be an interactive
 * shell, and the programs that it starts one after the other are not one run. */
void sis__run_identify(struct sis_profile_header *header)
{
	char job[256];
	launcher = NULL;
	for (size_t i = 0; i < sizeof launchers / sizeof *launchers && !launcher; i++)
		if (getenv(launchers[i].rank) && number(launchers[i].size) != 1)
			launcher = &launchers[i];
	if (sis__config.run) {
		leader = (int)getpid();
		snprintf(header->run_id, sizeof header->run_id, "%s", sis__config.run);
		return;
	}
	leader = find_leader();
	leader_start = stat_field(leader, STAT_START);
	job_name(job, sizeof job);
	unsigned long long hash = job[0] ? sis_checksum(job, strlen(job)) : 0;
	if (job[0] && !is_on_one_host())
		snprintf(header->run_id, sizeof header->run_id, "%.40s-%016llx", job, hash);
	/* with the hash, processes that a launcher starts later in the run get another name */
	else
		snprintf(header->run_id, sizeof header->run_id, "%.20s-%d-%llu-%x", header->host,
			 leader, leader_start, (unsigned)(hash >> 32));
}

/* -- consequences for the experiment ---------------------------------------------------------- */

bool sis__run_is_shared(void) { return launcher || sis__config.run; }

int sis__run_launcher_rank(long *size)
{
	*size = launcher ? number(launcher->size) : 0;
	return launcher ? (int)number(launcher->rank) : -1;
}

int sis__run_pid(void) { return leader; }

/* Returns when the run began. All processes of a run on a host get the same time. */
time_t sis__run_began(void)
{
	char text[1 << 14];
	const char *boot = launcher && sis__read_file("/proc/stat", text, sizeof text)
				   ? strstr(text, "\nbtime ")
				   : NULL;
	if (!boot)
		return time(NULL);
	return (time_t)(strtoull(boot + 7, NULL, 10) +
			leader_start / (unsigned long long)sysconf(_SC_CLK_TCK));
}

/* Processes may be started in different directories, so all of them use the launcher's directory.
 * On other hosts, the directory of the launcher's helper is the home directory or the root. Then
 * the process uses its own directory. Hydra's helper changes its own directory for each process
 * that it starts, so the directory of the helper's parent is used instead. */
bool sis__run_directory(char *path, size_t size)
{
	char link[64];
	const char *home = getenv("HOME");
	int pid = leader;
	if (launcher && string_of(leader, "cmdline", "--control-port", false))
		pid = (int)stat_field(leader, STAT_PARENT);
	snprintf(link, sizeof link, "/proc/%d/cwd", pid);
	ssize_t length = launcher ? readlink(link, path, size - 1) : -1;
	if (length > 0) {
		path[length] = '\0';
		if (strcmp(path, "/") != 0 && (!home || strcmp(path, home) != 0) &&
		    access(path, W_OK | X_OK) == 0)
			return true;
	}
	return getcwd(path, size) != NULL;
}

SIS_EXPORT void sis__run_rank(int rank, int size)
{
	struct sis_profile_header *header = sis__header();
	header->mpi_rank = rank;
	header->mpi_size = size;
	if (size > 1 && sis__store_is_live() && !sis__run_is_shared() && rank == 0)
		sis__warn(
			"unknown MPI launcher: it sets none of PMI_RANK, PMIX_RANK, SLURM_PROCID "
			"and the like; each of "
			"the %d processes keeps an experiment of its own",
			size);
}
