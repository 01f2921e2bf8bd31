/* crash_restart.h - a crash of the front end or of a plugin costs one file its probes, not the user a build. */
#ifndef SISC_CRASH_RESTART_H
#define SISC_CRASH_RESTART_H

#include <stdbool.h>

/* First of all in main. Learns which sources were crashed on; those who are started need not know. */
void sis_crash_restart_start(char **argv);

/* Whether an earlier run of this command crashed on the source. */
bool sis_crash_restart_crashed(const char *source);

/* Between these a crash starts the command again, which will then leave the source alone. */
void sis_crash_restart_begin(const char *source);
void sis_crash_restart_end(void);

#endif
