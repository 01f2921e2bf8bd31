/* SPDX-License-Identifier: BSD-3-Clause */
/* fatal_signal.h - notes the signal of a crash in the profile. */
#ifndef SIS_RT_FATAL_SIGNAL_H
#define SIS_RT_FATAL_SIGNAL_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

SIS_EXPORT void sis__fatal_signals_catch(void);
/* Restores the actions of before. True: there was something to restore. */
SIS_EXPORT bool sis__fatal_signals_release(void);

#pragma GCC visibility pop
#endif
