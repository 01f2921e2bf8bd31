/* SPDX-License-Identifier: BSD-3-Clause */
/* chrome_event.c - the begin of an event: phase, process, thread and time. */
#include <inttypes.h>

#include "export/chrome.h"

/* Numbers for viewers. None is 0, which some take for the system's own process and thread, and no
 * two threads have the same number, even in different processes. */
enum { THREADS = 4096 /* per process; threads beyond that are not distinguished */ };

void chrome_event(struct chrome *c, char phase, uint32_t process, uint32_t thread, int64_t ns)
{
	int64_t since = ns > c->zero_ns ? ns - c->zero_ns : 0;
	fprintf(c->out, "%s{\"ph\":\"%c\",\"pid\":%" PRIu64 ",\"tid\":%" PRIu64 ",\"ts\":%" PRId64
		".%03d", c->some ? ",\n" : "", phase, (uint64_t)process + 1,
		(uint64_t)process * THREADS + thread + 1, since / 1000, (int)(since % 1000));
	c->some = true;
}
