/* SPDX-License-Identifier: BSD-3-Clause */
/* gate.h - how the text of a program enters a region: by a gate, or by a test. sis/probe.h includes
 * this file.
 *
 *     SIS__ENTERED(k)          enters region k; the result is the region's address, or 0 if the
 *                              region is off
 *     SIS__ENTERED_OF(region)  does the same for any region
 *     SIS__ENTERED_AROUND(k)   does the same for a region around a call; GCC compiles it in less
 *                              time
 *     SIS__LEFT(region)        leaves a region that was entered (gate_call.h)
 */
#ifndef SIS_GATE_H
#define SIS_GATE_H

#pragma GCC system_header /* as in sis/probe.h, which includes this file */

/* -- where there are gates ------------------------------------------------------------------------
 *
 * A gate is an instruction of five bytes that the runtime changes (rtlib/measure/patch):
 *
 *     in the file, and while the region is on      jmp cold    cold: id off? -> after, else enter
 *     off                                          nop         after: ...
 *
 * The gate's entry in section sis_gates has the addresses of the gate, of the jump's target and of
 * the region. Each address is stored as a distance from its own field, so that the entry needs no
 * relocation at the start of the program. If the linker drops a function, it also drops the entries
 * of its gates (flag o; of an inline function of C++, gold and lld need flag ?, too). If the text
 * cannot be changed, the gate stays a jump, and only the test of the id remains.
 *
 * For other processors and memory models there are no gates, only the test of the id. The same
 * holds for compilers that cannot compile gates. GCC before 9 cannot. Clang before 17 refuses two
 * asm goto in one function if a variable with a cleanup is between them. With OpenMP, every clang
 * compiles the bodies of some constructs twice, and with them the labels of their gates.
 */
#if defined __clang__ && (__clang_major__ < 17 || defined _OPENMP)
#define SIS__WITHOUT_GATES
#elif !defined __clang__ && __GNUC__ < 9
#define SIS__WITHOUT_GATES
#elif !defined __x86_64__ || !defined __LP64__ || !defined __ELF__ || \
	defined __code_model_medium__ || defined __code_model_large__ || defined SIS_NO_PATCH
#define SIS__WITHOUT_GATES
#elif defined SIS__PROBE_LINKAGE && !defined SIS__WITH_GATES /* regions of the runtime itself */
#define SIS__WITHOUT_GATES
#endif

/* GCC counts each line of an asm as an instruction, and would inline less. `asm inline` avoids
 * this. */
#ifdef __clang__
#define SIS__TINY
#define SIS__COLD_LABEL
#else
#define SIS__TINY __inline__
#define SIS__COLD_LABEL __attribute__((__cold__))
#endif

#include "gate_call.h"

/* -- entering ---------------------------------------------------------------------------------- */

#ifdef SIS__WITHOUT_GATES
#define SIS__ENTERED_OF(region) (__builtin_expect((region).id != SIS_ID_OFF, 0) ? \
	(SIS__CALL_ENTER(region), &(region)) : 0)
#define SIS__ENTERED_AROUND(k) SIS__ENTERED(k)
#else
#define SIS__GATE_TEXT                                                         \
	".p2align 3,,4\n" /* one store can change eight aligned bytes */   \
	".Lsis_gate%=:\n\t"                                                    \
	".byte 0xe9\n\t"                                                       \
	".long %l[sis__on] - (.Lsis_gate%= + 5)\n\t"                           \
	".pushsection sis_gates,\"awo?\",@progbits,.Lsis_gate%=\n\t"           \
	".balign 4\n\t"                                                        \
	".long .Lsis_gate%= - ., %l[sis__on] - ., %c[sis__of] - ., 0\n\t"      \
	".popsection"
/* `enters` is a statement that may set sis__entered. */
#define SIS__ENTERED_BY(region, enters) (__extension__({                                          \
	__label__ sis__on;                                                                  \
	sis__region_type *sis__entered = 0;                                                 \
	__asm__ __volatile__ SIS__TINY goto(SIS__GATE_TEXT                                  \
		: : [sis__of] "i"(&(region)) : : sis__on);                                  \
	if (0) {                                                                            \
	sis__on:                                                                            \
		SIS__COLD_LABEL;                                                            \
		enters                                                                      \
	}                                                                                   \
	sis__entered; }))
#define SIS__ENTERED_OF(region)                                                             \
	SIS__ENTERED_BY(region, if ((region).id != SIS_ID_OFF) {                            \
		SIS__CALL_ENTER(region);                                                    \
		sis__entered = &(region);                                                   \
	})
#define SIS__ENTERED_AROUND(k) \
	SIS__ENTERED_BY(sis__regions[k], SIS__ENTER_UNLESS_OFF(k, sis__entered))
#endif
#define SIS__ENTERED(k) SIS__ENTERED_OF(sis__regions[k])

#endif
