/* SPDX-License-Identifier: BSD-3-Clause */
/* jump.h - functions of any parameters that consist of one jump to an address in memory. */
#ifndef SIS_MPI_JUMP_H
#define SIS_MPI_JUMP_H

/* The instructions of a function that jumps to the address in the variable `slot`. */
#if defined(__x86_64__)
#define SIS_TAIL_JUMP(slot) "	jmp *" slot "(%rip)\n"
#elif defined(__aarch64__)
#define SIS_TAIL_JUMP(slot) \
	"	adrp x16, " slot "\n	ldr x16, [x16, :lo12:" slot "]\n	br x16\n"
#else
#error "jump.h has no jump for this processor"
#endif

/* The first lines of a function in assembly. */
#define SIS_JUMP_FUNCTION(name) "	.type " name ", %function\n" name ":\n"

#endif
