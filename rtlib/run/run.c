/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c - which run this process belongs to. The process finds that out alone: no message is sent,
 * and no other process is waited for. One thread, when the process is first measured.
 *
 * A process that no launcher started is a run of its own. If a launcher started the processes of a
 * run on one host, they find the run by their nearest ancestor that is not a rank itself, and by
 * the time when this ancestor began. On several hosts the launcher has a helper on each host. There
 * the processes find the run by the name that the launcher gave it.
 */
#include "base/read_text.h"
#include "base/state.h"
#include "profile/text.h"
#include "run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The variables in which a launcher gives a process its rank. */
static const struct launcher {
	const char *rank;              /* set in every process that it starts */
	/* number of processes, and of those on this host; NULL: it has no such variable */
	const char *size, *local_size;
	/* their values together name the run on all hosts; NULL: none */
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
static unsigned long long leader_start; /* clock ticks from the start of the system to its own */

/* -- processes --------------------------------------------------------------------------------- */

/* Field `number` (from 1) of /proc/PID/stat. Fields are counted from the end of the program's name,
 * which may have any characters. */
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

/* The NUL-ended string of /proc/PID/WHAT that begins with `start`; with `next`, the one after it.
 * NULL: none. */
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

/* -- the launcher ------------------------------------------------------------------------------ */

static long number(const char *variable)
{
	const char *value = variable ? getenv(variable) : NULL;
	return value ? strtol(value, NULL, 10) : 0;
}

/* A launcher that started a single process does not count. That process may be an interactive
 * shell, and the programs that it starts one after the other are not one run. */
static const struct launcher *find_launcher(void)
{
	for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
		if (getenv(launchers[i].rank) && number(launchers[i].size) != 1)
			return &launchers[i];
	return NULL;
}

/* There may be a script between the launcher and this process. */
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

/* The run's name on all hosts; "": none. Hydra's helpers have in common the control port of
 * mpiexec, and the group of processes that they start. LIMIT: a later run may get the same port,
 * and then has the same name. */
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

void sis__run_identify(struct sis_profile_header *header)
{
	char job[256];
	launcher = find_launcher();
	leader = find_leader();
	leader_start = stat_field(leader, STAT_START);
	job_name(job, sizeof job);
	unsigned long long hash = job[0] ? sis_checksum(job, strlen(job)) : 0;
	if (job[0] && !is_on_one_host())
		snprintf(header->run_id, sizeof header->run_id, "%.40s-%016llx", job, hash);
	/* a launcher that starts more processes while the run lasts gives these another name */
	else
		snprintf(header->run_id, sizeof header->run_id, "%.20s-%d-%llu-%x", header->host,
			 leader, leader_start, (unsigned)(hash >> 32));
}

/* -- what it means for the experiment ---------------------------------------------------------- */

bool sis__run_is_shared(void) { return launcher != NULL; }

int sis__run_launcher_rank(long *size)
{
	*size = launcher ? number(launcher->size) : 0;
	return launcher ? (int)number(launcher->rank) : -1;
}

int sis__run_pid(void) { return leader; }

/* When the run began, the same for all of its processes on a host. */
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

/* The process whose working directory is the launcher's. Hydra's helper changes its own for each
 * process that it starts, so its parent is taken. */
static int launcher_pid(void)
{
	return string_of(leader, "cmdline", "--control-port", false)
		       ? (int)stat_field(leader, STAT_PARENT)
		       : leader;
}

/* Processes may be started in different directories, so all of them take the launcher's directory.
 * On other hosts the launcher's helper is in the home directory or the root; then the process takes
 * its own directory. */
bool sis__run_directory(char *path, size_t size)
{
	char link[64];
	const char *home = getenv("HOME");
	snprintf(link, sizeof link, "/proc/%d/cwd", launcher ? launcher_pid() : 0);
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
