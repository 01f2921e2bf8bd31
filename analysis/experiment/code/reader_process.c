// SPDX-License-Identifier: BSD-3-Clause
/* reader_process.c - starts the process, and takes its answer from a file in memory. One thread
 * calls it. */
#include "experiment/code/reader_process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"

/* Limits of the process: far more than the debug information of large programs needs. */
static const rlim_t MOST_BYTES = (rlim_t)4 << 30;
static const rlim_t MOST_SECONDS = 120;

static void limit(int resource, rlim_t most)
{
	struct rlimit old;
	if (getrlimit(resource, &old) == 0 && old.rlim_cur > most)
		setrlimit(resource, &(struct rlimit){ most, old.rlim_max });
}

static void read_files(int answer, reader_writes *writes, const void *question)
{
	limit(RLIMIT_CPU, MOST_SECONDS);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_FSIZE, MOST_BYTES / 4);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
	limit(RLIMIT_AS, MOST_BYTES); /* sanitizers reserve more address space */
#endif
	if (!freopen("/dev/null", "w", stderr))
		_exit(1);
	FILE *out = fdopen(answer, "w");
	if (!out)
		_exit(1);
	writes(out, question);
	_exit(fflush(out) == 0 ? 0 : 1);
}

static int run(int answer, reader_writes *writes, const void *question, struct err *err)
{
	int status = 0;
	fflush(NULL); /* without this, both processes would write the contents of the buffers */
	pid_t pid = fork();
	if (pid == 0)
		read_files(answer, writes, question);
	if (pid < 0)
		return err_fail(err, "cannot start a process that reads debug information: %s; "
				"free memory or processes, and try again", strerror(errno));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return err_fail(err, "cannot wait for a process: %s", strerror(errno));
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Takes the whole answer, with a NUL after it. */
static char *take_text(int answer)
{
	off_t size = lseek(answer, 0, SEEK_END), at = 0;
	ssize_t n = 0;
	char *text = mem_alloc(size > 0 ? (size_t)size + 1 : 1, 1);
	while (at < size && (n = pread(answer, text + at, (size_t)(size - at), at)) > 0)
		at += n;
	return text;
}

int reader_process(char **text, reader_writes *writes, const void *question, struct err *err)
{
	*text = NULL;
	int answer = memfd_create("sis-places", MFD_CLOEXEC);
	if (answer < 0)
		return err_fail(err, "cannot make a file in memory: %s", strerror(errno));
	int ended_well = run(answer, writes, question, err);
	if (ended_well > 0)
		*text = take_text(answer);
	close(answer);
	return ended_well;
}
