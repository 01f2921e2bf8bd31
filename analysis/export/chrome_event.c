/* SPDX-License-Identifier: BSD-3-Clause */
/* chrome_event.c - how an event begins: its phase, process, thread and time. */
#include <inttypes.h>

#include "export/chrome.h"

/* Numbers as viewers want them: none is 0, which some take for the system's own process and thread,
 * and no thread has another one's, in whatever process. */
enum { THREADS = 4096 /* of a process; more are as good as none */ };

void chrome_event(struct chrome *c, char phase, uint32_t process, uint32_t thread, int64_t ns)
{
	int64_t since = ns > c->zero_ns ? ns - c->zero_ns : 0;
	fprintf(c->out, "%s{\"ph\":\"%c\",\"pid\":%" PRIu64 ",\"tid\":%" PRIu64 ",\"ts\":%" PRId64
		".%03d", c->some ? ",\n" : "", phase, (uint64_t)process + 1,
		(uint64_t)process * THREADS + thread + 1, since / 1000, (int)(since % 1000));
	c->some = true;
}
