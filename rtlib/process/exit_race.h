/* SPDX-License-Identifier: BSD-3-Clause */
/* exit_race.h - chooses the thread that seals the profile, if several threads end the process at
 * once. */
#ifndef SIS_EXIT_RACE_H
#define SIS_EXIT_RACE_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

bool sis__ending_begin(void);   /* false: another thread has begun; call sis__ending_wait */
void sis__ending_done(void);    /* the profile is sealed */
bool sis__ending_is_over(void);
void sis__ending_wait(void);    /* waits until the profile is sealed, if another thread seals it */
bool sis__ending_is_mine(void); /* whether this thread seals the profile now */
void sis__ending_new_process(void); /* in a forked child */

#pragma GCC visibility pop
#endif
