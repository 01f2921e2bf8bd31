/* SPDX-License-Identifier: BSD-3-Clause */
/* browser.h - the user's browser. */
#ifndef SIS_ANALYSIS_BROWSER_H
#define SIS_ANALYSIS_BROWSER_H

#include "base/err.h"

/* Shows a file or an address: $BROWSER, or what the desktop starts. Does not wait for it. */
int browser_open(const char *address, struct err *err);

#endif
