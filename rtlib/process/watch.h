/* SPDX-License-Identifier: BSD-3-Clause */
/* watch.h - measures processes that have no probes (SIS_RUN). */
#ifndef SIS_WATCH_H
#define SIS_WATCH_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

void sis__watch_begin(void);       /* before main */
void sis__watch_new_process(void); /* in a forked child */
/* Called when the process ends or, with `goes_on`, before it executes another program. Opens the
 * profile now if the process has lived long enough; else notes that the process existed. */
void sis__watch_end(bool goes_on);
/* Called before the process gives up what the runtime needs to open its files. Opens the profile.
 */
void sis__watch_confine(void);
void sis__watch_stop(void); /* the timer sends no signal any more */

#pragma GCC visibility pop
#endif
