/* SPDX-License-Identifier: BSD-3-Clause */
/* signal_action.h - libc's own sigaction: the runtime interposes it (libc/signals.c), and so do
 * sanitizers, which let it change nothing. */
#ifndef SIS_SIGNAL_ACTION_H
#define SIS_SIGNAL_ACTION_H

#include <signal.h>

int __sigaction(int number, const struct sigaction *action, struct sigaction *before);

#endif
