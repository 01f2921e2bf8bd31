/* SPDX-License-Identifier: BSD-3-Clause */
/* protobuf.h - messages in the wire format of Protocol Buffers, written to memory.
 *
 *     struct proto p = { 0 };
 *     size_t message = proto_open(&p, 1);     a field that is a message
 *     proto_uint(&p, 2, 300);
 *     proto_string(&p, 3, "text");
 *     proto_close(&p, message);
 *
 *     0a 09  10 ac 02  1a 04 74 65 78 74
 *     |  |   |  |      |  |  text
 *     |  |   |  |      |  length
 *     |  |   |  300    field 3, with a length
 *     |  |   field 2, a number
 *     |  length of the message
 *     field 1, with a length
 *
 * A field begins with 8 * its number + its wire type. This sum, numbers and lengths are written
 * with 7 bits in each byte, the lowest bits first; bit 7 says that more bytes follow. */
#ifndef SIS_ANALYSIS_PROTOBUF_H
#define SIS_ANALYSIS_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct proto { VEC(unsigned char) byte; };

/* For uint32, uint64, bool and enum, and for int32 and int64 that are not negative. */
void proto_uint(struct proto *p, uint32_t field, uint64_t value);
void proto_int(struct proto *p, uint32_t field, int64_t value); /* int32 and int64 */
void proto_fixed64(struct proto *p, uint32_t field, uint64_t value);
void proto_double(struct proto *p, uint32_t field, double value);
void proto_string(struct proto *p, uint32_t field, const char *text);
/* Begins a message within the one that is open. The result is for proto_close. */
size_t proto_open(struct proto *p, uint32_t field);
void proto_close(struct proto *p, size_t message);

#endif
