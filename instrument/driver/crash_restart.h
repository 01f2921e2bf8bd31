/* SPDX-License-Identifier: BSD-3-Clause */
/* crash_restart.h - after a crash of the frontend or of a plugin, the file is compiled without
 * probes. */
#ifndef SISC_CRASH_RESTART_H
#define SISC_CRASH_RESTART_H

#include <stdbool.h>

/* Called first in main. Reads from the environment on which sources an earlier run of this command
 * crashed, and removes the variable. */
void sis_crash_restart_start(char **argv);

/* Whether an earlier run of this command crashed on the source. */
bool sis_crash_restart_crashed(const char *source);

/* Between these two calls, a crash starts the command again, which then compiles the source
 * untouched. */
void sis_crash_restart_begin(const char *source);
void sis_crash_restart_end(void);

#endif
