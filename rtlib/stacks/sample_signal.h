/* SPDX-License-Identifier: BSD-3-Clause */
/* sample_signal.h - the signal of the samples. The program must not notice it. */
#ifndef SIS_SAMPLE_SIGNAL_H
#define SIS_SAMPLE_SIGNAL_H

#include <signal.h>
#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* At the start of the process. */
void sis__sample_signal_start(void);
/* Installs the handler for a signal that nobody uses; returns its number, 0: there is none. */
int sis__sample_signal_take(void);
void sis__sample_signal_release(void); /* in a new process */
/* Takes one that is pending: a program after exec would end by it. */
void sis__sample_signal_drain(void);
/* The program is about to set the signal's action, or to block it alone: another one is taken. Does
 * nothing for other signals. */
void sis__sample_signal_wanted(int number);
/* The program asks for the signal's action: the one that it had before. */
void sis__sample_signal_hide(int number, struct sigaction *action);
/* The set of signals without it, unless the program wants to block just this one. */
void sis__sample_signal_unblocked(sigset_t *set);

#pragma GCC visibility pop
#endif
