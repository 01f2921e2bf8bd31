/* SPDX-License-Identifier: BSD-3-Clause */
/* sandbox.c - interposed functions of libc (libc_entry.h) with which a program gives up rights or
 * descriptors that the runtime needs to open its files. Each function first opens and keeps a
 * descriptor of each file (files.c). Functions that limit the address space, and functions that
 * forbid system calls (process/confine.c), are interposed here, too. Waits by the system's futex go
 * to adapters/pthread. Called by any thread.
 *
 * The functions have the effect and result of libc's. If the program then closes all descriptors,
 * its profile cannot grow any more.
 */
#include "base/system_call.h"
#include "output/profile/files.h"
#include "output/profile/store.h"
#include "measure/sampling/sampler.h"
#include "measure/sampling/switches.h"
#include "output/trace/tracing.h"
#include "process/confine.h"
#include "process/process.h"
#include "process/watch.h"
#include "adapters/libc/libc_entry.h"
#include "adapters/pthread/pt_real.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/syscall.h>

/* Called before the process gives up rights or descriptors. */
static void keep_files(void)
{
	sis__watch_confine();
	sis__files_keep();
}

#define CONFINE(name, parameters, ...) \
	SIS_EXPORT int INTERPOSED(name) parameters \
	{ \
		keep_files(); \
		return REAL(name)(__VA_ARGS__); \
	}
CONFINE(chroot, (const char *path), path)
CONFINE(setfsuid, (uid_t user), user)
CONFINE(setfsgid, (gid_t group), group)

/* For functions that change the rights of all threads. libc does not know bare threads, and would
 * not change their rights. So these threads end, and begin again with the new rights. */
struct paused { bool sampler, switches, writer; };

static struct paused pause_bare_threads(void)
{
	return (struct paused){ sis__sampler_pause(), sis__switches_stop(),
				sis__trace_writer_pause() };
}

static void resume_bare_threads(struct paused paused)
{
	int saved = errno;
	if (paused.sampler)
		sis__sampler_resume();
	if (paused.switches)
		sis__switches_start();
	if (paused.writer)
		sis__trace_writer_resume();
	errno = saved;
}

#define CONFINE_ALL(name, parameters, ...) \
	SIS_EXPORT int INTERPOSED(name) parameters \
	{ \
		keep_files(); \
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

/* These functions fail in a process with several threads, so the sampler is ended first. */
#define CONFINE_ALONE(name, parameters, ...) \
	SIS_EXPORT int INTERPOSED(name) parameters \
	{ \
		keep_files(); \
		sis__sampler_leave(); \
		sis__switches_leave(); \
		return REAL(name)(__VA_ARGS__); \
	}
CONFINE_ALONE(unshare, (int flags), flags)
CONFINE_ALONE(setns, (int fd, int kind), fd, kind)

/* The thread sanitizer calls these functions before it is initialized. For the kernel's limit,
 * addresses that are only reserved count as used. So the runtime releases such addresses; otherwise
 * the program could map nothing any more. */
#define LIMIT(name, sets_own, parameters, ...) \
	SIS_EXPORT __attribute__((no_sanitize_thread)) int INTERPOSED(name) parameters \
	{ \
		if (resource == RLIMIT_NOFILE) \
			keep_files(); \
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

/* -- seccomp ----------------------------------------------------------------------------------- */

/* What a call of seccomp or prctl requests. A call without a filter has no effect: libraries make
 * such calls to see what the kernel supports. */
struct wish { bool effective; struct sis_sandbox sandbox; };
static const struct wish no_wish;

static struct wish wish_of(long operation, long flags, long filter)
{
	if (operation == SECCOMP_SET_MODE_STRICT && flags == 0 && filter == 0)
		return (struct wish){ true, { .strict = true } };
	if (operation == SECCOMP_SET_MODE_FILTER && filter != 0)
		return (struct wish){ true, { .all = flags & SECCOMP_FILTER_FLAG_TSYNC } };
	return no_wish;
}

static long go_into_sandbox(struct wish wish, long number, const long *with)
{
	bool confined = sis__confine(&wish.sandbox);
	long flags = number == SYS_seccomp ? with[1] : 0;
	long result = sis__system_call(number, with[0], with[1], with[2], with[3], with[4]);
	int saved = errno;
	/* If a filter for all threads is not possible because of one thread, the result is this
	 * thread's number.
	 */
	bool refused = result < 0 || (result != 0 && wish.sandbox.all &&
				      !(flags & SECCOMP_FILTER_FLAG_NEW_LISTENER));
	if (confined && refused)
		sis__unconfine();
	else if (confined)
		sis__confined_note(&wish.sandbox, "measured");
	errno = saved;
	return result;
}

/* Before a program restricts itself to some files (landlock), it calls prctl to give up the right
 * to get new privileges. */
static long call_prctl(const long *with)
{
	struct wish wish = no_wish;
	if (with[0] == PR_SET_SECCOMP && with[1] == SECCOMP_MODE_STRICT)
		wish = wish_of(SECCOMP_SET_MODE_STRICT, 0, 0);
	else if (with[0] == PR_SET_SECCOMP && with[1] == SECCOMP_MODE_FILTER)
		wish = wish_of(SECCOMP_SET_MODE_FILTER, 0, with[2]);
	if (wish.effective)
		return go_into_sandbox(wish, SYS_prctl, with);
	if (with[0] == PR_SET_NO_NEW_PRIVS && !sis__is_confined())
		keep_files();
	return sis__system_call(SYS_prctl, with[0], with[1], with[2], with[3], with[4]);
}

#define MOST 6
#define ARGUMENTS(after, first) \
	va_list rest; \
	va_start(rest, after); \
	for (int i = first; i < MOST; i++) \
		with[i] = va_arg(rest, long); \
	va_end(rest)

SIS_EXPORT SIS_ANY_ARGUMENTS int INTERPOSED(prctl)(int option, ...)
{
	long with[MOST] = { option };
	ARGUMENTS(option, 1);
	return (int)call_prctl(with);
}

SIS_EXPORT SIS_ANY_ARGUMENTS long INTERPOSED(syscall)(long number, ...)
{
	long with[MOST];
	ARGUMENTS(number, 0);
	if (SIS_UNLIKELY(number == SYS_prctl))
		return call_prctl(with);
#ifndef SIS_STATIC
	if (number == SYS_futex)
		return sis__pt_futex(with);
#endif
	struct wish wish = no_wish;
	if (SIS_UNLIKELY(number == SYS_seccomp))
		wish = wish_of(with[0], with[1], with[2]);
	if (SIS_UNLIKELY(wish.effective))
		return go_into_sandbox(wish, number, with);
	/* SYS_exit ends the thread; if it is the last one, the process ends, too. */
	if (SIS_UNLIKELY(number == SYS_exit_group || number == SYS_exit) && sis__is_confined() &&
	    (number == SYS_exit_group || sis__header()->max_slots == 1))
		sis__process_end();
	return sis__system_call(number, with[0], with[1], with[2], with[3], with[4], with[5]);
}
