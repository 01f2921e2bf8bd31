/* SPDX-License-Identifier: BSD-3-Clause */
/* signal_name.h - names of signals. */
#ifndef SIS_ANALYSIS_SIGNAL_NAME_H
#define SIS_ANALYSIS_SIGNAL_NAME_H

enum { SIGNAL_NAME = 24 };

/* "SIGSEGV", "SIGRTMIN+2", or "signal 99" if the number has no name; in `buffer`, of SIGNAL_NAME
 * bytes. */
const char *signal_name(int number, char *buffer);

#endif
