/* SPDX-License-Identifier: BSD-3-Clause */
/* fork.h - a forked child gets a file of its own. */
#ifndef SIS_RT_FORK_H
#define SIS_RT_FORK_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

void sis__fork_init(void);
void sis__fork_prepare(void); /* before a fork, in the thread that forks ... */
void sis__fork_parent(void);  /* ... and after it, on both sides */
void sis__fork_child(void);
bool sis__fork_is_handled(void); /* the calling thread is between prepare and parent or child */

#pragma GCC visibility pop
#endif
