/* SPDX-License-Identifier: BSD-3-Clause */
/* process.h - ends the measurement of the process. */
#ifndef SIS_PROCESS_H
#define SIS_PROCESS_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

void sis__process_end(void); /* seals the profile; only the first thread that calls this does so */
/* A handler for on_exit that is called after all others. */
void sis__ending_last(int status, void *unused);
void sis__process_rate(void); /* makes the clock's rate in the header more exact */
/* Notes how the run ends; the file can still be written afterwards. */
SIS_EXPORT void sis__process_state(enum sis_state state, int status);

#pragma GCC visibility pop
#endif
