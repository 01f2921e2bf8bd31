/* SPDX-License-Identifier: BSD-3-Clause */
/* signal_name.c - names of signals. It has no state; any thread may call it. Signals have the
 * numbers of this machine. */
#include "base/signal_name.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

const char *signal_name(int number, char *buffer)
{
	const char *name = sigabbrev_np(number);
	if (name)
		snprintf(buffer, SIGNAL_NAME, "SIG%s", name);
	else if (number >= SIGRTMIN && number <= SIGRTMAX)
		snprintf(buffer, SIGNAL_NAME, "SIGRTMIN+%d", number - SIGRTMIN);
	else
		snprintf(buffer, SIGNAL_NAME, "signal %d", number);
	return buffer;
}
