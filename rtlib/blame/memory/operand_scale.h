/* SPDX-License-Identifier: BSD-3-Clause */
/* operand_scale.h - the factor by which a displacement of one byte is multiplied, if the
 * instruction has the prefix EVEX. */
#ifndef SIS_OPERAND_SCALE_H
#define SIS_OPERAND_SCALE_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct sis_evex {
	uint8_t map;        /* 1: 0F, 2: 0F 38, 3: 0F 3A; 5, 6 */
	uint8_t prefix;     /* 0: none, 1: 66, 2: F3, 3: F2 */
	uint8_t opcode;
	uint8_t extension;  /* the opcode's extension, in ModRM */
	bool wide;          /* bit W */
	bool broadcast;     /* one element of memory is repeated */
	uint8_t bytes;      /* size of a vector: 16, 32 or 64 */
};
unsigned sis__operand_scale(const struct sis_evex *evex); /* the factor; 0: not known */

#pragma GCC visibility pop
#endif
