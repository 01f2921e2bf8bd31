/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_state.c - whether this process traces at this time. Every event reads this state;
 * trace_switch.c and the end of the trace write it.
 */
#include "output/trace/tracing.h"

#include <stddef.h>

struct sis_stream sis__no_stream;
SIS_EXPORT struct sis__tracing sis__tracing = { .deadline = UINT64_MAX };

/* Asserts that the structs agree with those of the probes (sis/traced_pair.h). */
#define SAME_PLACE(probes, runtimes)                                   \
	_Static_assert(offsetof(struct sis__stream, probes) ==         \
		       offsetof(struct sis_stream, runtimes), #probes)
SAME_PLACE(next, pub.next);
SAME_PLACE(dropped, pub.dropped);
SAME_PLACE(limit, limit);
SAME_PLACE(span, span);
SAME_PLACE(last, last);
_Static_assert(SIS_TRACE_ON == 1, "sis__stream_is_open");
_Static_assert(SIS_TRACE_ENTER_IDS == 1u << 12 && SIS_TRACE_ENTER_TICKS == 1u << 18 &&
	       SIS_TRACE_ENTER == 1, "sis__stream_put_enter");
_Static_assert(SIS_TRACE_LEAVE_TICKS == 1u << 30 && SIS_TRACE_LEAVE == 0, "sis__stream_put_leave");
