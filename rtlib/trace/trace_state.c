/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_state.c - whether this process traces at this time. Every event reads it; trace_switch.c
 * and the end of the trace write it.
 */
#include "trace/tracing.h"

struct sis_stream sis__no_stream;
struct sis_trace sis__trace = { .deadline = UINT64_MAX };
