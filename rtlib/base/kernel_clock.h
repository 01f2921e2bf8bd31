/* SPDX-License-Identifier: BSD-3-Clause */
/* kernel_clock.h - the clocks of the kernel, without a function of libc. The program may define
 * clock_gettime itself; its function could take a lock that the interrupted thread holds. */
#ifndef SIS_KERNEL_CLOCK_H
#define SIS_KERNEL_CLOCK_H

#include <stdint.h>
#include <time.h>

#pragma GCC visibility push(default) /* libsis-mpi.so uses it */

/* Nanoseconds; 0: there is no such clock. */
uint64_t sis__clock_ns(clockid_t clock);

#pragma GCC visibility pop
#endif
