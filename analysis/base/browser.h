/* SPDX-License-Identifier: BSD-3-Clause */
/* browser.h - starts the user's browser. */
#ifndef SIS_ANALYSIS_BROWSER_H
#define SIS_ANALYSIS_BROWSER_H

#include "base/err.h"

/* Shows a file or a web address in $BROWSER or the desktop's default browser, and does not wait for
 * the browser. */
int browser_open(const char *address, struct err *err);

#endif
