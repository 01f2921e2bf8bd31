/* SPDX-License-Identifier: BSD-3-Clause */
/* switched.h - what was off, for which cause, and when: struct sis_switched in the profile. */
#ifndef SIS_RT_SWITCHED_H
#define SIS_RT_SWITCHED_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* Returns the number of the cause with this text. The same text always has the same number. Not
 * called by probes. */
uint32_t sis__cause(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* All structs of one region or one thread, one for each cause. NULL: there is none yet. Only one
 * thread at a time uses a list. */
typedef struct sis_switched *sis__switched_list;
/* Returns the struct of the cause, and makes it if the list lacks it. NULL: there is no room in the
 * file. The next two functions accept NULL. */
struct sis_switched *sis__switched_of(sis__switched_list *list, enum sis_switched_what what,
				      uint32_t id, uint32_t cause);
void sis__switched_off(struct sis_switched *one, uint64_t now); /* does nothing if it is off */
void sis__switched_on(struct sis_switched *one, uint64_t now);  /* does nothing if it is on */
/* These note the same for the trace. Any thread may call them, also in a signal handler. */
void sis__switched_trace_off(uint32_t cause, uint64_t now);
void sis__switched_trace_on(uint64_t now);
void sis__switched_new_process(void);

#pragma GCC visibility pop
#endif
