/* SPDX-License-Identifier: BSD-3-Clause */
/* signal_mask.h - changes the signals that the calling thread blocks. The runtime interposes libc's
 * function (adapters/libc/signals.c), so that one signal stays unblocked. sis__signal_mask can
 * block all signals. The result is 0, or -1 with errno set. A confined thread (state.h) calls it
 * for the program only. */
#ifndef SIS_SIGNAL_MASK_H
#define SIS_SIGNAL_MASK_H

#include "base/system_call.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline int sis__signal_mask(int how, const sigset_t *set, sigset_t *before)
{
	if (before)
		sigemptyset(before); /* the kernel knows fewer signals than the set has room for */
	return (int)sis__system_call(SYS_rt_sigprocmask, how, set, before, _NSIG / 8);
}

#endif
