# SPDX-License-Identifier: BSD-3-Clause
# The sampler and the writer of the trace are threads that libc does not know: stdio and malloc stay
# as fast as in a program with one thread. They execute no function of the program, have its rights,
# and read their own thread-local variables.
# ci: it runs many programs
. "$(dirname "$0")/../lib.sh"
share_with_all
SIS_OVERHEAD=5%
mkdir open && chmod 777 open
bare="a sampler, libc knows one thread"
known="a sampler, libc knows more threads"

# prints WHAT WANTED COMMAND...: it says nothing else, and each second is accounted for
prints() {
	what=$1 wanted=$2
	shift 2
	runs=$((${runs:-0} + 1)) EXP=$T/open/exp$runs
	SIS_OUTPUT=$EXP timeout 60 "$@" >run.out 2>run.err </dev/null
	equal "$what" "$? $(cat run.err run.out)" "0 $wanted"
	identity "$what"
}

# all_of PROGRAM: what is the same for shared and static programs
all_of() {
	prints "$1: one thread" "$bare" "./$1" alone
	prints "$1: a forked child" "$bare" "./$1" child
	prints "$1: a signal with a handler is blocked" "$bare" "./$1" blocked
	SIS_TRACE=1 prints "$1: with a trace, which a second thread writes" "$bare" "./$1" alone
	equal "$1: the trace is whole, and compressed" \
		"$(query '.[0].trace[] | [.events > 400000, .dropped, .damaged, .ended] | @csv' \
			show "$EXP") $(($(cat "$EXP"/trace-* | wc -c) < 1200000))" "true,0,0,true 1"
	prints "$1: large thread-local variables" "549755289600 5
$bare" "./$1" variables
	prints "$1: the initial thread ends first" "the last one" "./$1" last
	[ "$(id -u)" = 0 ] || { echo "# not run: rights: only root can give them up"; return; }
	SIS_TRACE=1 SIS_OUTPUT=$T/open/rights timeout 60 "./$1" rights >run.out 2>run.err
	equal "$1: rights are given up" "$? $(cat run.err) $(tail -n 1 run.out)" "0  $bare"
	for key in Uid Gid Groups; do
		equal "$1: $key of all threads" \
			"$(grep "^$key:" run.out | tr -d ' ' | sort | uniq -c |
				awk '{ print ($1 == 3 || $1 == 4), $3 }')" \
			"1 65534" # the fourth is sis-switches, if the kernel allows its records
	done
	rm -rf open/rights
}
build shared "$HERE/bare_thread.c" -O1 -pthread -ldl --sis-cr=CR_F
all_of shared
source_file plugin.c <<'END'
static _Thread_local int calls[1000];
int plugged(int n) { return calls[n] += n, n; }
END
build plugin.so -O1 -shared -fPIC --sis-cr=CR_F plugin.c
prints "a library that is loaded later" "200000
$bare" ./shared plugin ./plugin.so
SIS_BLAME=1000hz prints "call stacks are sampled" "$bare" ./shared alone
SIS_BLAME=1000hz prints "call stacks of a forked child" "$bare" ./shared child
SIS_BLAME=1000hz prints "call stacks of many children" 60 ./shared children
SIS_BLAME=1000hz prints "call stacks, and a library that is loaded later" "200000
$bare" ./shared plugin ./plugin.so
SIS_TIMING=sample prints "regions that are counted and sampled" "$bare" ./shared alone

# -- functions of the program
source_file hooks.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
/* Functions that libraries replace, to follow what a program does. Each takes a lock. */
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void follow(void)
{
	if (syscall(SYS_gettid) != syscall(SYS_getpid))
		abort();
	pthread_rwlock_wrlock(&lock);
	pthread_rwlock_unlock(&lock);
}
#define HOOK(type, name, parameters, ...) \
	type name parameters { follow(); return (type)syscall(__VA_ARGS__); }
HOOK(void *, mmap, (void *at, size_t size, int protection, int flags, int fd, off_t offset),
     SYS_mmap, at, size, protection, flags, fd, offset)
HOOK(int, munmap, (void *at, size_t size), SYS_munmap, at, size)
HOOK(int, mprotect, (void *at, size_t size, int protection), SYS_mprotect, at, size, protection)
HOOK(int, close, (int fd), SYS_close, fd)
HOOK(int, fstat, (int fd, struct stat *status), SYS_fstat, fd, status)
HOOK(int, stat, (const char *path, struct stat *status), SYS_stat, path, status)
HOOK(int, madvise, (void *at, size_t size, int advice), SYS_madvise, at, size, advice)
HOOK(ssize_t, process_vm_readv, (pid_t process, const struct iovec *to, unsigned long tos,
				 const struct iovec *from, unsigned long froms,
				 unsigned long flags),
     SYS_process_vm_readv, process, to, tos, from, froms, flags)
HOOK(ssize_t, read, (int fd, void *to, size_t size), SYS_read, fd, to, size)
HOOK(ssize_t, readlink, (const char *path, char *to, size_t size), SYS_readlink, path, to, size)
HOOK(int, ioctl, (int fd, unsigned long what, void *how), SYS_ioctl, fd, what, how)
HOOK(ssize_t, write, (int fd, const void *bytes, size_t size), SYS_write, fd, bytes, size)
HOOK(int, clock_gettime, (clockid_t clock, struct timespec *time), SYS_clock_gettime, clock, time)
HOOK(int, nanosleep, (const struct timespec *time, struct timespec *left), SYS_nanosleep, time,
     left)
HOOK(int, clock_nanosleep, (clockid_t clock, int how, const struct timespec *time,
			    struct timespec *left), SYS_clock_nanosleep, clock, how, time, left)
HOOK(int, getrusage, (int of, struct rusage *usage), SYS_getrusage, of, usage)
HOOK(pid_t, getpid, (void), SYS_getpid)
END
build hooked "$HERE/bare_thread.c" hooks.c -O1 -pthread -ldl --sis-cr=CR_F \
	--sis-exclude='follow,m*map,mprotect,madvise,close,*stat,write,read*,ioctl' \
	--sis-exclude='process_vm_readv,clock_*,nanosleep,getrusage,getpid'
prints "functions of the program" "$bare" ./hooked alone
SIS_TRACE=1 prints "functions of the program, with a trace" "$bare" ./hooked alone
SIS_BLAME=1000hz prints "functions of the program, with call stacks" "$bare" ./hooked alone
SIS_CLOCK=monotonic SIS_BLAME=1000hz \
	prints "functions of the program, with the clock of the kernel" "$bare" ./hooked alone

# -- where a thread of pthreads is needed
echo 'int main(void) { return 0; }' >none.c
if gcc -fsanitize=address none.c -o none 2>cc.err; then
	build sanitized "$HERE/bare_thread.c" -O1 -pthread -ldl -fsanitize=address --sis-cr=CR_F
	ASAN_OPTIONS=detect_leaks=0 prints "a sanitizer knows each thread" "$known" ./sanitized alone
else
	skip "the address sanitizer" "not installed"
fi
if gcc -static none.c -o none 2>cc.err; then
	build static "$HERE/bare_thread.c" -O1 -static -pthread --sis-cr=CR_F
	all_of static
else
	skip "static linking" "this system has no static libraries"
fi
