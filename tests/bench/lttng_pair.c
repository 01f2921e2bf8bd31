/* lttng_pair.c - the trace points' definitions. */
#define TRACEPOINT_CREATE_PROBES
#define TRACEPOINT_DEFINE
#include "lttng_pair.h"
