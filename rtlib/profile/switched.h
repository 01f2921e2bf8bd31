/* SPDX-License-Identifier: BSD-3-Clause */
/* switched.h - what was off, for which cause, and when: struct sis_switched in the profile. */
#ifndef SIS_RT_SWITCHED_H
#define SIS_RT_SWITCHED_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* The number of a cause that the text names; the same for the same text. Not from probes. */
uint32_t sis__cause(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* All that one region or one thread has, by cause. NULL: none yet. Only one thread at a time. */
typedef struct sis_switched *sis__switched_list;
/* That of the cause, which is made if the list lacks it. NULL: there is no room in the file, which
 * the other functions accept. */
struct sis_switched *sis__switched_of(sis__switched_list *list, enum sis_switched_what what,
				      uint32_t id, uint32_t cause);
void sis__switched_off(struct sis_switched *one, uint64_t now);
void sis__switched_on(struct sis_switched *one, uint64_t now); /* nothing if it is on */
/* The trace. Any thread, also in a signal handler. */
void sis__switched_trace_off(uint32_t cause, uint64_t now);
void sis__switched_trace_on(uint64_t now);
void sis__switched_new_process(void);

#pragma GCC visibility pop
#endif
