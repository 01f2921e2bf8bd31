/* SPDX-License-Identifier: BSD-3-Clause */
/* signal_name.h - names of signals. */
#ifndef SIS_ANALYSIS_SIGNAL_NAME_H
#define SIS_ANALYSIS_SIGNAL_NAME_H

enum { SIGNAL_NAME = 24 };

/* Writes "SIGSEGV", "SIGRTMIN+2", or "signal 99" if the number has no name, to `buffer`, which has
 * SIGNAL_NAME bytes. Returns `buffer`. */
const char *signal_name(int number, char *buffer);

#endif
