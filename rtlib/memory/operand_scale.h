/* SPDX-License-Identifier: BSD-3-Clause */
/* operand_scale.h - what a displacement of one byte is multiplied by (EVEX). */
#ifndef SIS_OPERAND_SCALE_H
#define SIS_OPERAND_SCALE_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct sis_evex {
	uint8_t map;        /* 1: 0F, 2: 0F 38, 3: 0F 3A; 5, 6 */
	uint8_t prefix;     /* 0: none, 1: 66, 2: F3, 3: F2 */
	uint8_t opcode;
	uint8_t extension;  /* of the opcode, in ModRM */
	bool wide;          /* W */
	bool broadcast;     /* one element of memory is repeated */
	uint8_t bytes;      /* of a vector: 16, 32 or 64 */
};
unsigned sis__operand_scale(const struct sis_evex *evex); /* 0: not known */

#pragma GCC visibility pop
#endif
