/* SPDX-License-Identifier: BSD-3-Clause */
/* fork.h - gives a forked child a file of its own. */
#ifndef SIS_RT_FORK_H
#define SIS_RT_FORK_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

void sis__fork_init(void);
void sis__fork_prepare(void); /* called before a fork, in the thread that forks ... */
void sis__fork_parent(void);  /* ... after the fork in the parent ... */
void sis__fork_child(void);   /* ... and after the fork in the child */
bool sis__fork_is_handled(void); /* prepare was called, but not yet parent or child */

#pragma GCC visibility pop
#endif
