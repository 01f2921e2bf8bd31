/* SPDX-License-Identifier: BSD-3-Clause */
/* fatal_signal.h - notes the signal of a crash in the profile. */
#ifndef SIS_RT_FATAL_SIGNAL_H
#define SIS_RT_FATAL_SIGNAL_H

#include "base/runtime.h"

#include <signal.h>

#pragma GCC visibility push(hidden)

SIS_EXPORT void sis__fatal_signals_catch(void);
/* Restores the actions from before sis__fatal_signals_catch. True: there were actions to
 * restore. */
SIS_EXPORT bool sis__fatal_signals_release(void);

typedef void sis_handler(int number);
/* These replace sigaction, and the result of signal, so that the program does not see the runtime's
 * handler. */
SIS_EXPORT int sis__sigaction(int number, const struct sigaction *action, struct sigaction *before);
SIS_EXPORT sis_handler *sis__handler_replaced(int number, sis_handler *before);

#pragma GCC visibility pop
#endif
