/* SPDX-License-Identifier: BSD-3-Clause */
/* control.h - steers the measurement of a running program: by the rules of SIS_RULES, and by the
 * file `control` in the run's directory, to which `sis-analyze control` adds lines. */
#ifndef SIS_CONTROL_H
#define SIS_CONTROL_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* Called when the profile has been opened: executes the rules' actions that have no condition. */
void sis__control_start(void);
/* Called after a unit was registered: turns off those of its regions that rules turn off now. */
void sis__control_unit_added(void);
/* Reads both files if they changed, and evaluates the conditions. Returns the nanoseconds after
 * which this function must be called again. */
uint64_t sis__control_step(uint64_t now_ns);
/* Called when the initial thread ends before the process: ends the helper thread, too. */
void sis__control_stop(void);
/* Called in a forked child, which reads the files itself. */
void sis__control_new_process(void);

#pragma GCC visibility pop
#endif
