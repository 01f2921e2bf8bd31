/* lttng_pair.h - the two trace points of PEER_LTTNG, in the form that lttng/tracepoint.h reads
 * twice. */
#undef TRACEPOINT_PROVIDER
#define TRACEPOINT_PROVIDER sis_bench
#undef TRACEPOINT_INCLUDE
#define TRACEPOINT_INCLUDE "./lttng_pair.h"
#if !defined(LTTNG_PAIR_H) || defined(TRACEPOINT_HEADER_MULTI_READ)
#define LTTNG_PAIR_H
#include <lttng/tracepoint.h>
TRACEPOINT_EVENT(sis_bench, enter, TP_ARGS(int, region),
		 TP_FIELDS(ctf_integer(int, region, region)))
TRACEPOINT_EVENT(sis_bench, leave, TP_ARGS(int, region),
		 TP_FIELDS(ctf_integer(int, region, region)))
#endif
#include <lttng/tracepoint-event.h>
