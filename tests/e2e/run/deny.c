/* SPDX-License-Identifier: BSD-3-Clause */
/* deny.c - runs a program to which the kernel refuses system calls, as a container's filter does:
 *
 *     deny perf_event_open[,timer_create] PROGRAM ARGUMENT...
 *
 * They fail with EACCES. Threads and processes of the program have the filter, too. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int deny(unsigned number)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { sizeof filter / sizeof *filter, filter };
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv)
{
	if (argc < 3 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return 125;
	if (strstr(argv[1], "perf_event_open") && deny(SYS_perf_event_open) != 0)
		return 125;
	if (strstr(argv[1], "timer_create") && deny(SYS_timer_create) != 0)
		return 125;
	execvp(argv[2], argv + 2);
	perror("deny: cannot run the program");
	return 126;
}
