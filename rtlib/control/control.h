/* SPDX-License-Identifier: BSD-3-Clause */
/* control.h - steers the measurement of a running program: by the rules of SIS_RULES, and by the
 * file `control` in the run's directory, to which `sis-analyze control` adds lines. */
#ifndef SIS_CONTROL_H
#define SIS_CONTROL_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* The profile was opened: takes the rules' actions that have no condition. */
void sis__control_start(void);
/* Units were registered: what rules turned off is off in them, too. */
void sis__control_unit_added(void);
/* Looks at both files and asks the conditions. Returns when it wants to be called again, in
 * nanoseconds from now. */
uint64_t sis__control_step(uint64_t now_ns);
/* The initial thread has ended before the process: the helper thread ends as well. */
void sis__control_stop(void);
/* In a forked child, which looks at the files itself. */
void sis__control_new_process(void);

#pragma GCC visibility pop
#endif
