/* confine.c - routines of libc by which a program gives up rights or room that opening its files takes, interposed
 * (libc_entry.h): before they do so, a descriptor of each is put aside (files.c). Any thread.
 *
 * What they do and return is libc's. A program that then closes all of its descriptors keeps what it measured until
 * then.
 */
#include "libc/libc_entry.h"

#define CONFINE(name, parameters, ...) \
	SIS_EXPORT int OWN(name) parameters \
	{ \
		sis__files_keep(); \
		return REAL(name)(__VA_ARGS__); \
	}
CONFINE(chroot, (const char *path), path)
CONFINE(setuid, (uid_t user), user)
CONFINE(seteuid, (uid_t user), user)
CONFINE(setreuid, (uid_t real, uid_t effective), real, effective)
CONFINE(setresuid, (uid_t real, uid_t effective, uid_t saved), real, effective, saved)
CONFINE(setfsuid, (uid_t user), user)
CONFINE(setgid, (gid_t group), group)
CONFINE(setegid, (gid_t group), group)
CONFINE(setregid, (gid_t real, gid_t effective), real, effective)
CONFINE(setresgid, (gid_t real, gid_t effective, gid_t saved), real, effective, saved)
CONFINE(setfsgid, (gid_t group), group)
CONFINE(unshare, (int flags), flags)
CONFINE(setns, (int fd, int kind), fd, kind)

/* The thread sanitizer calls these before it can be called itself. */
#define LIMIT(name, parameters, ...) \
	SIS_EXPORT __attribute__((no_sanitize_thread)) int OWN(name) parameters \
	{ \
		if (resource == RLIMIT_NOFILE) \
			sis__files_keep(); \
		return REAL(name)(__VA_ARGS__); \
	}
LIMIT(setrlimit, (__rlimit_resource_t resource, const struct rlimit *limit), resource, limit)
LIMIT(setrlimit64, (__rlimit_resource_t resource, const struct rlimit64 *limit), resource, limit)
LIMIT(prlimit, (pid_t pid, __rlimit_resource_t resource, const struct rlimit *limit, struct rlimit *old), pid, resource, limit, old)
LIMIT(prlimit64, (pid_t pid, __rlimit_resource_t resource, const struct rlimit64 *limit, struct rlimit64 *old), pid, resource,
      limit, old)
