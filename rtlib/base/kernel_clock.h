/* SPDX-License-Identifier: BSD-3-Clause */
/* kernel_clock.h - reads the clocks of the kernel without libc's clock_gettime. The program may
 * define a clock_gettime of its own. In a signal handler, this function could try to take a lock
 * that the interrupted thread holds. */
#ifndef SIS_KERNEL_CLOCK_H
#define SIS_KERNEL_CLOCK_H

#include <stdint.h>
#include <time.h>

#pragma GCC visibility push(default) /* libsis-mpi.so calls sis__clock_ns */

/* The clock's time in nanoseconds; 0: there is no such clock. */
uint64_t sis__clock_ns(clockid_t clock);

#pragma GCC visibility pop
#endif
