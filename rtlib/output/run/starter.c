/* SPDX-License-Identifier: BSD-3-Clause */
/* starter.c - starters: programs that only start other programs, and wait for them. Called at the
 * start of a process of `sis-analyze run`.
 *
 * The time of a launcher or a shell is not time of the parallel program. So starters are not
 * measured. Their children inherit SIS_RUN, and are measured.
 * LIMIT: a shell script that computes is not measured.
 * LIMIT: a program that is called like a starter is not measured by `sis-analyze run`.
 */
#include "output/run/starter.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* Names of executable files. `NAME.` stands for all names that begin with it, such as
 * mpiexec.hydra. */
static const char *const starters[] = {
	/* launchers, and their helpers on each host */
	"mpiexec", "mpiexec.", "mpirun", "mpirun.", "orterun", "orted", "prterun", "prte", "prted",
	"prun", "hydra_pmi_proxy", "hydra_bstrap_proxy", "hydra_nameserver", "hydra_persist",
	"pmi_proxy", "srun", "slurmstepd", "sbatch", "salloc", "aprun", "jsrun", "flux", "palsd",
	"ssh", "rsh", "qrsh",
	/* shells */
	"sh", "ash", "bash", "dash", "fish", "ksh", "ksh93", "mksh", "csh", "bsd-csh", "tcsh",
	"zsh", "zsh5", "busybox", "rbash",
	/* programs that set something and then start another one */
	"chroot", "chrt", "env", "firejail", "flock", "ionice", "linux32", "linux64", "nice",
	"nohup", "numactl", "parallel", "prlimit", "runuser", "script", "setarch", "setpriv",
	"setsid", "stdbuf", "su", "sudo", "taskset", "time", "timeout", "unshare", "xargs",
	/* programs that start commands by rules */
	"gmake", "make", "ninja", "sis-analyze",
	/* debuggers and the like */
	"gdb", "gdbserver", "ltrace", "perf", "strace", "valgrind.",
};

bool sis__is_starter(void)
{
	char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
	path[length < 0 ? 0 : length] = '\0';
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	for (size_t i = 0; i < sizeof starters / sizeof *starters; i++) {
		size_t n = strlen(starters[i]);
		bool begins = starters[i][n - 1] == '.';
		if (strncmp(name, starters[i], begins ? n : n + 1) == 0)
			return true;
	}
	return false;
}
