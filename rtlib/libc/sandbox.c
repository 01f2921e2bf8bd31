/* SPDX-License-Identifier: BSD-3-Clause */
/* sandbox.c - functions of libc, interposed (libc_entry.h), with which a program gives up rights or
 * descriptors that the runtime needs to open its files. Each first keeps a descriptor of each file
 * (files.c). Also functions that limit the address space. Any thread.
 *
 * Their effect and result are libc's. If the program then closes all of its descriptors, its
 * profile cannot grow any more.
 */
#include "profile/files.h"
#include "profile/store.h"
#include "sampling/sampler.h"
#include "trace/tracing.h"
#include "libc/libc_entry.h"

#include <errno.h>

#define CONFINE(name, parameters, ...) \
	SIS_EXPORT int INTERPOSED(name) parameters \
	{ \
		sis__files_keep(); \
		return REAL(name)(__VA_ARGS__); \
	}
CONFINE(chroot, (const char *path), path)
CONFINE(setfsuid, (uid_t user), user)
CONFINE(setfsgid, (gid_t group), group)

/* Functions that change the rights of all threads. libc does not know bare threads: they end, and
 * begin anew with the new rights. */
struct paused { bool sampler, writer; };

static struct paused pause_bare_threads(void)
{
	return (struct paused){ sis__sampler_pause(), sis__trace_writer_pause() };
}

static void resume_bare_threads(struct paused paused)
{
	int saved = errno;
	if (paused.sampler)
		sis__sampler_resume();
	if (paused.writer)
		sis__trace_writer_resume();
	errno = saved;
}

#define CONFINE_ALL(name, parameters, ...) \
	SIS_EXPORT int INTERPOSED(name) parameters \
	{ \
		sis__files_keep(); \
		struct paused paused = pause_bare_threads(); \
		int result = REAL(name)(__VA_ARGS__); \
		resume_bare_threads(paused); \
		return result; \
	}
CONFINE_ALL(setuid, (uid_t user), user)
CONFINE_ALL(seteuid, (uid_t user), user)
CONFINE_ALL(setreuid, (uid_t real, uid_t effective), real, effective)
CONFINE_ALL(setresuid, (uid_t real, uid_t effective, uid_t saved), real, effective, saved)
CONFINE_ALL(setgid, (gid_t group), group)
CONFINE_ALL(setegid, (gid_t group), group)
CONFINE_ALL(setregid, (gid_t real, gid_t effective), real, effective)
CONFINE_ALL(setresgid, (gid_t real, gid_t effective, gid_t saved), real, effective, saved)
CONFINE_ALL(setgroups, (size_t count, const gid_t *group), count, group)

/* These fail in a process with several threads, so the sampler goes. */
#define CONFINE_ALONE(name, parameters, ...) \
	SIS_EXPORT int INTERPOSED(name) parameters \
	{ \
		sis__files_keep(); \
		sis__sampler_leave(); \
		return REAL(name)(__VA_ARGS__); \
	}
CONFINE_ALONE(unshare, (int flags), flags)
CONFINE_ALONE(setns, (int fd, int kind), fd, kind)

/* The thread sanitizer calls these before it is initialized. Addresses that are only reserved count
 * as used, so they are released, or the program could map nothing any more. */
#define LIMIT(name, sets_own, parameters, ...) \
	SIS_EXPORT __attribute__((no_sanitize_thread)) int INTERPOSED(name) parameters \
	{ \
		if (resource == RLIMIT_NOFILE) \
			sis__files_keep(); \
		int failed = REAL(name)(__VA_ARGS__); \
		if (resource == RLIMIT_AS && !failed && sis__started && (sets_own)) \
			sis__store_confine(limit->rlim_cur); \
		return failed; \
	}
LIMIT(setrlimit, true, (__rlimit_resource_t resource, const struct rlimit *limit), resource, limit)
LIMIT(setrlimit64, true, (__rlimit_resource_t resource, const struct rlimit64 *limit), resource,
      limit)
LIMIT(prlimit, limit && (pid == 0 || pid == getpid()),
      (pid_t pid, __rlimit_resource_t resource, const struct rlimit *limit, struct rlimit *old),
      pid, resource, limit, old)
LIMIT(prlimit64, limit && (pid == 0 || pid == getpid()), (pid_t pid, __rlimit_resource_t resource,
      const struct rlimit64 *limit, struct rlimit64 *old), pid, resource, limit, old)
