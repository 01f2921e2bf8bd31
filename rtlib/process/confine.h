/* SPDX-License-Identifier: BSD-3-Clause */
/* confine.h - a thread of the program goes into a sandbox (seccomp). */
#ifndef SIS_CONFINE_H
#define SIS_CONFINE_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

struct sis_sandbox {
	bool all;    /* threads; else the calling one */
	bool strict; /* the kernel lets it read no clock, either */
};
/* The calling thread goes into a sandbox. From now on the runtime makes no system call there.
 * False: it knows nothing of this process, and has done nothing. */
bool sis__confine(const struct sis_sandbox *sandbox);
void sis__unconfine(void); /* the kernel refused it */
/* The thread is in it. how: "measured" or "not measured", for the profile. */
void sis__confined_note(const struct sis_sandbox *sandbox, const char *how);
#pragma GCC visibility pop
#endif
