/* SPDX-License-Identifier: BSD-3-Clause */
/* preload.c - makes the directory of an experiment for a command, and sets the environment in which
 * the command and its children write to this directory. Called by one thread.
 *
 * The runtime names a run that is not measured by this command itself (rtlib/output/run/). Here the
 * name is made in advance, and all processes inherit it in SIS_RUN. So they need not agree on a
 * directory. */
#include "live/launch/preload.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/installed.h"
#include "base/mem.h"
#include "base/path.h"

/* -- the directory ----------------------------------------------------------------------------- */

/* The default name: that of the runtime. */
static char *default_name(const char *program)
{
	struct timespec now;
	struct tm utc;
	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &utc);
	return mem_print("sis-%.64s-%04d%02d%02d-%02d%02d%02d-%d", path_base(program),
			 utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min,
			 utc.tm_sec, (int)getpid());
}

static char *new_id(void)
{
	struct timespec now;
	char host[32] = "";
	clock_gettime(CLOCK_REALTIME, &now);
	gethostname(host, sizeof host - 1);
	for (char *c = host; *c; c++)
		*c = *c == '/' ? '_' : *c;
	return mem_print("%.20s-%d-%lld.%09ld", host, (int)getpid(), (long long)now.tv_sec,
			 now.tv_nsec);
}

/* Creates the directory PATH or, if it exists, PATH-2, PATH-3 ... Returns its name; NULL: it could
 * not be made, and errno says why. */
static char *make_new(const char *path)
{
	for (int i = 1;; i++) {
		char *name = i == 1 ? mem_string(path) : mem_print("%s-%d", path, i);
		if (mkdir(name, 0777) == 0)
			return name;
		int reason = errno;
		free(name);
		errno = reason;
		if (reason != EEXIST)
			return NULL;
	}
}

/* Writes the file `run`: the name of the run, and what was run. */
static int write_run(const struct preload *preload, const char *const *command, struct err *err)
{
	struct buf text = { 0 };
	char *path = mem_print("%s/run", preload->directory);
	buf_print(&text, "%s\ncommand\t", preload->run_id);
	for (size_t i = 0; command[i]; i++)
		buf_print(&text, "%s%s", i ? " " : "", command[i]);
	buf_print(&text, "\n");
	if (getenv("SIS_TMPDIR") && *getenv("SIS_TMPDIR"))
		buf_print(&text, "tmpdir\t%s\n", getenv("SIS_TMPDIR"));
	FILE *file = fopen(path, "wxe");
	bool written = file && fputs(text.at, file) >= 0;
	written = (!file || fclose(file) == 0) && written;
	int rc = written ? 0 : err_fail(err, "cannot write '%s': %s", path, strerror(errno));
	buf_release(&text);
	free(path);
	return rc;
}

int preload_make_directory(struct preload *preload, const char *name, const char *const *command,
			   struct err *err)
{
	const char *output = getenv("SIS_OUTPUT"), *tmpdir = getenv("SIS_TMPDIR");
	char *absolute = tmpdir && *tmpdir ? realpath(tmpdir, NULL) : NULL;
	if (absolute) /* processes may be started in different directories */
		setenv("SIS_TMPDIR", absolute, 1);
	free(absolute);
	char *wanted = name		? mem_string(name) :
		output && *output	? mem_string(output) :
					  default_name(command[0]);
	*preload = (struct preload){ .run_id = new_id() };
	char *made = make_new(wanted);
	preload->directory = made ? realpath(made, NULL) : NULL;
	int rc = preload->directory ? 0 :
		err_fail(err, "cannot make the directory '%s' of the experiment: %s; name another "
			 "one with --name, or change to a directory that you may write to", wanted,
			 strerror(errno));
	free(made);
	free(wanted);
	return rc ? rc : write_run(preload, command, err);
}

/* The library of annotations (rtlib/apart/annotations/). */
#define ANNOTATIONS "sis/libsis-annotations.so"

/* -- the environment --------------------------------------------------------------------------- */

/* Adds text in front of a variable's value, which may not be set. */
static void put_in_front(const char *variable, const char *text)
{
	const char *value = getenv(variable);
	char *all = value && *value ? mem_print("%s:%s", text, value) : mem_string(text);
	setenv(variable, all, 1);
	free(all);
}

int preload_set_environment(const struct preload *preload, struct err *err)
{
	static const char *const libraries[] = { "libsis-mpi.so." SIS_SOVERSION,
						 "libsis.so." SIS_SOVERSION, ANNOTATIONS };
	static const char *const tool_variables[] = { "NVTX_INJECTION64_PATH",
						      "INTEL_LIBITTNOTIFY64",
						      "KOKKOS_TOOLS_LIBS" };
	char lib[PATH_MAX];
	struct buf list = { 0 };
	installed_lib(lib, sizeof lib);
	if (strpbrk(lib, " :"))
		return err_fail(err, "the dynamic linker preloads no library of '%s', because its "
				"path has a space or a colon; install SIS in another directory",
				lib);
	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
		char *path = mem_print("%s/%s", lib, libraries[i]);
		if (access(path, R_OK) == 0)
			buf_print(&list, "%s%s", list.length ? ":" : "", path);
		free(path);
	}
	if (!list.length)
		return err_fail(err, "cannot find '%s/%s'; install sis-analyze with the runtime",
				lib, libraries[1]);
	put_in_front("LD_PRELOAD", list.at);
	buf_release(&list);
	char *annotations = mem_print("%s/" ANNOTATIONS, lib);
	for (size_t i = 0; i < sizeof tool_variables / sizeof *tool_variables; i++)
		setenv(tool_variables[i], annotations, 0); /* the user may have a tool of its own */
	free(annotations);
	/* Otherwise a program with the address sanitizer ends, because its runtime library is not
	 * the first one. */
	put_in_front("ASAN_OPTIONS", "verify_asan_link_order=0");
	setenv("SIS_OUTPUT", preload->directory, 1);
	setenv("SIS_RUN", preload->run_id, 1);
	/* Without the user's wish, the program's standard error stays its own. The experiment has
	 * the warnings, and the report shows them. */
	setenv("SIS_LOG", "quiet", 0);
	setenv("SIS_BLAME", "1", 0);
	return 0;
}

void preload_remove_directory(const struct preload *preload)
{
	char *path = mem_print("%s/run", preload->directory);
	unlink(path);
	rmdir(preload->directory);
	free(path);
}

void preload_release(struct preload *preload)
{
	free(preload->directory);
	free(preload->run_id);
}
