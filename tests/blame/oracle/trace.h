/* SPDX-License-Identifier: BSD-3-Clause */
/* trace.h - the trace of a program that `oracle instrument` has changed: records of 16 bytes.
 *
 * The replay knows the program, so a record says only what is not in it: the block that runs next,
 * the address that a load uses, and so on. */
#ifndef SIS_TEST_BLAME_TRACE_H
#define SIS_TEST_BLAME_TRACE_H
#include <stdint.h>

enum trace_kind {
	TRACE_SYMBOL = 1, /* id: number of a global or function; value: its address */
	TRACE_ENTER,      /* id: number of the function; value: number of the activation */
	TRACE_BLOCK,      /* id: number of the block in its function */
	TRACE_VALUE,      /* value: an address or number that the next instruction uses */
	TRACE_RETURN,     /* a call is over; id: of the call; value: the activation it returns to */
	TRACE_END
};
struct trace_record { uint32_t kind, id; uint64_t value; };
#define TRACE_LIMIT_STATUS 99 /* the program ends with it when its trace becomes too long */

#endif
