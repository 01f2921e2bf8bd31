/* SPDX-License-Identifier: BSD-3-Clause */
/* sample_signal.h - the signal of the samples. The program must not notice it. */
#ifndef SIS_SAMPLE_SIGNAL_H
#define SIS_SAMPLE_SIGNAL_H

#include <signal.h>
#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* Called at the start of the process. */
void sis__sample_signal_start(void);
/* Installs the handler for a signal that nobody uses, unless this has been done. Returns its
 * number; 0: there is none. */
int sis__sample_signal_take(void);
/* The handler calls `first` for each signal, which returns true if the signal is no sample. */
typedef bool sis_sample_question(const siginfo_t *info);
void sis__sample_signal_ask(sis_sample_question *first);
void sis__sample_signal_release(void); /* in a new process */
/* Removes a pending signal, because it would end the program after an exec. */
void sis__sample_signal_drain(void);
/* Called before the program sets the action of signal `number`, or blocks only this signal. If it
 * is the signal of the samples, another one is chosen. */
void sis__sample_signal_wanted(int number);
/* Called when the program asks for the signal's action. Sets *action to the action that the signal
 * had before. */
void sis__sample_signal_hide(int number, struct sigaction *action);
/* Called when the program blocks a set of signals. If the set has so many signals that it is meant
 * to be all signals, the signal of the samples is removed from the set. Else the program wants this
 * signal, and another one is chosen. */
void sis__sample_signal_unblocked(sigset_t *set);

#pragma GCC visibility pop
#endif
