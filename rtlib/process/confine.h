/* SPDX-License-Identifier: BSD-3-Clause */
/* confine.h - what the runtime does when a thread of the program goes into a sandbox (seccomp). */
#ifndef SIS_CONFINE_H
#define SIS_CONFINE_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

struct sis_sandbox {
	bool all;    /* a sandbox of all threads; else of the calling thread */
	bool strict; /* in this sandbox, threads cannot read the processor's counter, either */
};
/* Called before the calling thread goes into a sandbox. From now on the runtime makes no system
 * call in confined threads. False: the thread was confined before, or nothing is measured. Then
 * sis__unconfine and sis__confined_note must not follow. */
bool sis__confine(const struct sis_sandbox *sandbox);
void sis__unconfine(void); /* called if the kernel refused the sandbox */
/* Notes in the profile that the thread is in the sandbox. `how`: "measured" or "not measured". */
void sis__confined_note(const struct sis_sandbox *sandbox, const char *how);
#pragma GCC visibility pop
#endif
