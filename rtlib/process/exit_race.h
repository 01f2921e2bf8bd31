/* SPDX-License-Identifier: BSD-3-Clause */
/* exit_race.h - several threads end the process at once. */
#ifndef SIS_EXIT_RACE_H
#define SIS_EXIT_RACE_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

bool sis__ending_begin(void);   /* false: another thread has begun; call sis__ending_wait */
void sis__ending_done(void);
bool sis__ending_is_over(void);
void sis__ending_wait(void);    /* until the end is done, if another thread has begun it */
bool sis__ending_is_mine(void); /* this thread has begun it */
void sis__ending_new_process(void); /* in a forked child */

#pragma GCC visibility pop
#endif
