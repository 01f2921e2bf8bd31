/* SPDX-License-Identifier: BSD-3-Clause */
/* signal_action.h - libc's sigaction, under a name that nobody replaces. The runtime interposes the
 * name sigaction (adapters/libc/signals.c). So do sanitizers, whose function changes nothing. */
#ifndef SIS_SIGNAL_ACTION_H
#define SIS_SIGNAL_ACTION_H

#include <signal.h>

int __sigaction(int number, const struct sigaction *action, struct sigaction *before);

#endif
