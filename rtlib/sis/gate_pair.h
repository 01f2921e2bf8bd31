/* SPDX-License-Identifier: BSD-3-Clause */
/* gate_pair.h - the probes for programs with gates: the fast paths of pair.h and sampled_timing.h
 * in assembly, which keeps the registers that gate_call.h names. apart/modules/probes.c includes
 * this file; it is never installed. The thread that runs the probe executes all of this.
 *
 * Enter and leave handle the child entered last and the next child in the ring, if it is timed by
 * the time-stamp counter or not timed. They also handle a region that is entered in its own node
 * and not timed (measure/core/fold.h). In a process that traces they put events of one word. For
 * other children, and for a timed region in its own node, they call measure/core/quick_probe.c,
 * which changes no vector register. In all other cases they jump to the probes of pair.h before
 * anything is changed: at the end of an activation that counts N times, with other clocks, for
 * longer events.
 *
 * Where timed and untimed nodes need different code, the branch is taken for timed nodes, because
 * reading the clock hides the time of a taken branch. When untimed nodes took the branches, an
 * untimed pair needed a third more time.
 *
 *     r10 region  r11 where to return  rax unit, or a value of the caller's
 *     r9  self    r8  node             xmm13 to xmm15: the caller's rax, rcx and rdx meanwhile
 */
#ifndef SIS_GATE_PAIR_H
#define SIS_GATE_PAIR_H

#pragma GCC system_header /* as in sis/probe.h, which includes pair.h */

#ifndef SIS__PLAIN_CALLS

#define SIS__LOAD_SELF_OF_RUNTIME \
	"movq sis__self@gottpoff(%%rip), %%r9\n\tmovq %%fs:(%%r9), %%r9\n\t"
#ifdef SIS__OF_PROGRAM
#define SIS__LOAD_SELF "movq %%fs:sis__self_local@tpoff, %%r9\n\t"
#define SIS__TEST_TIMING(scratch) "cmpl $0, sis__timing_local(%%rip)\n\t"
#define SIS__LOAD_TIMING(r, e) "movl sis__timing_local(%%rip), %%" e "\n\t"
#else
#define SIS__LOAD_SELF SIS__LOAD_SELF_OF_RUNTIME
#define SIS__TEST_TIMING(scratch) \
	"movq sis__timing@GOTPCREL(%%rip), " scratch "\n\tcmpl $0, (" scratch ")\n\t"
#define SIS__LOAD_TIMING(r, e) \
	"movq sis__timing@GOTPCREL(%%rip), %%" r "\n\tmovl (%%" r "), %%" e "\n\t"
#endif
#define SIS__TEST(variable, scratch) \
	"movq " variable "@GOTPCREL(%%rip), " scratch "\n\tcmpl $0, (" scratch ")\n\t"
/* These put an event of a trace (traced_pair.h). rcx: the stream, rax: now. */
#ifdef SIS__OF_PROGRAM
#define SIS__TRACED_ENTER "8f"
#define SIS__TRACED_LEAVE "9f"
/* Jumps unless sis__stream_is_open is true. `on` must be 1 and `regions` 0; both are compared as
 * one word of 8 bytes. */
#define SIS__UNLESS_OPEN(label)                                                         \
	"movq %c[limit](%%rcx), %%rdx\n\tsubq %c[place](%%rcx), %%rdx\n\t"              \
	"decq %%rdx\n\tcmpq %c[span](%%rcx), %%rdx\n\tjae " label "\n\t"               \
	"movq sis__tracing@GOTPCREL(%%rip), %%rdx\n\t"                                 \
	"cmpq %%rax, %c[deadline](%%rdx)\n\tjbe " label "\n\t"                         \
	"cmpq $1, %c[on](%%rdx)\n\tjne " label "\n\t"
/* The event's word is in edx. */
#define SIS__PUT_EVENT(r)                                                               \
	"movq %c[place](%%rcx), %%" r "\n\tmovl %%edx, (%%" r ")\n\t"                   \
	"movq %%rax, %c[put](%%rcx)\n\t"                                               \
	"addq $4, %%" r "\n\tmovq %%" r ", %c[place](%%rcx)\n\t"
#else
#define SIS__TRACED_ENTER "4f"
#define SIS__TRACED_LEAVE "6f"
#endif
#ifdef SIS_DEBUG /* the probes of pair.h check the invariants */
#define SIS__UNLESS_DEBUG(label) "jmp " label "\n\t"
#else
#define SIS__UNLESS_DEBUG(label)
#endif
/* Sets r8 to function(id). The function keeps the vector registers; the macro also keeps registers
 * `one` and `other`. */
#define SIS__CALL_QUICKLY(function, id, one, other)                                      \
	SIS__CFI("remember_state")                                                     \
	"leaq -128(%%rsp), %%rsp\n\t" SIS__CFI("def_cfa_offset 128")                   \
	"pushq %%r11\n\t" SIS__CFI("def_cfa_offset 136") SIS__CFI("offset %%rip, -136") \
	"pushq %%r10\n\t" SIS__CFI("def_cfa_offset 144")                               \
	"pushq %%rsi\n\t" SIS__CFI("def_cfa_offset 152")                               \
	"pushq %%rdi\n\t" SIS__CFI("def_cfa_offset 160")                               \
	"pushq %%" one "\n\t" SIS__CFI("def_cfa_offset 168")                           \
	"pushq %%" other "\n\t" SIS__CFI("def_cfa_offset 176")                         \
	"movl %%" id ", %%edi\n\tcall *" function "@GOTPCREL(%%rip)\n\t"                \
	"movq %%rax, %%r8\n\t"                                                        \
	"popq %%" other "\n\t" SIS__CFI("def_cfa_offset 168")                          \
	"popq %%" one "\n\t" SIS__CFI("def_cfa_offset 160")                            \
	"popq %%rdi\n\t" SIS__CFI("def_cfa_offset 152")                                \
	"popq %%rsi\n\t" SIS__CFI("def_cfa_offset 144")                                \
	"popq %%r10\n\t" SIS__CFI("def_cfa_offset 136")                                \
	"popq %%r11\n\t" SIS__CFI("def_cfa_offset 128") SIS__CFI("register %%rip, %%r11") \
	"leaq 128(%%rsp), %%rsp\n\t" SIS__CFI("restore_state")
#define SIS__READ_CLOCK "rdtsc\n\tshlq $32, %%rdx\n\torq %%rdx, %%rax\n\t"
#define SIS__RETURN_FROM_ENTER \
	SIS__MOVQ "%%xmm14, %%rdx\n\t" SIS__MOVQ "%%xmm15, %%rcx\n\tnotrack jmp *%%r11\n"
#define SIS__RETURN_FROM_LEAVE SIS__MOVQ "%%xmm14, %%rax\n\tnotrack jmp *%%r11\n"
/* GCC allows 30 operands in an asm, so each of the two probes lists some operands of its own. */
#define SIS__OFFSETS                                                             \
	[current] "i"(__builtin_offsetof(struct sis__thread, current)),          \
	[stamp] "i"(__builtin_offsetof(struct sis__thread, stamp)),              \
	[from] "i"(__builtin_offsetof(struct sis__thread, entered_from)),        \
	[trace] "i"(__builtin_offsetof(struct sis__thread, trace)),              \
	[stack] "i"(__builtin_offsetof(struct sis__thread, fold)),               \
	[folds] "i"(__builtin_offsetof(struct sis__thread, folds)),              \
	[region] "i"(__builtin_offsetof(struct sis__node, region)),              \
	[start] "i"(__builtin_offsetof(struct sis__node, start)),                \
	[min] "i"(__builtin_offsetof(struct sis__node, min)),                    \
	[target] "i"(__builtin_offsetof(struct sis__fold, node)),                \
	[begun] "i"(__builtin_offsetof(struct sis__fold, start)),                \
	[suspended] "i"(__builtin_offsetof(struct sis__fold, suspended)),        \
	[place] "i"(__builtin_offsetof(struct sis__stream, next)),               \
	[limit] "i"(__builtin_offsetof(struct sis__stream, limit)),              \
	[span] "i"(__builtin_offsetof(struct sis__stream, span)),                \
	[put] "i"(__builtin_offsetof(struct sis__stream, last)),                 \
	[on] "i"(__builtin_offsetof(struct sis__tracing, on)),                   \
	[deadline] "i"(__builtin_offsetof(struct sis__tracing, deadline)),       \
	[bit] "i"(SIS__FOLDS),                                                   \
	[words] "i"(sizeof(struct sis__fold) / 8)
#define SIS__OFFSETS_OF_ENTER                                                    \
	[room] "i"(__builtin_offsetof(struct sis__thread, fold_room)),           \
	[rung] "i"(__builtin_offsetof(struct sis__node, rung)),                  \
	[last] "i"(__builtin_offsetof(struct sis__node, last_child)),            \
	[next] "i"(__builtin_offsetof(struct sis__node, next)),                  \
	[calls] "i"(__builtin_offsetof(struct sis__node, calls)),                \
	[before] "i"(__builtin_offsetof(struct sis__fold, from)),                \
	[full] "i"(SIS__FULL), [sampled] "i"(SIS__SAMPLED), [brief] "i"(SIS__SHORT), \
	[factor] "i"(SIS__CHANCE)
#define SIS__OFFSETS_OF_LEAVE                                                    \
	[overlaps] "i"(__builtin_offsetof(struct sis__thread, overlaps)),        \
	[parent] "i"(__builtin_offsetof(struct sis__node, parent)),              \
	[total] "i"(__builtin_offsetof(struct sis__node, total)),                \
	[max] "i"(__builtin_offsetof(struct sis__node, max)),                    \
	[fold] "i"(sizeof(struct sis__fold))

#define SIS__SITE_ARRAY ((struct sis__thread *)0)->site
enum { SIS__SITES = sizeof SIS__SITE_ARRAY / sizeof *SIS__SITE_ARRAY };
#define SIS__OFFSETS_OF_ANNOUNCE                                                 \
	[current] "i"(__builtin_offsetof(struct sis__thread, current)),          \
	[sites] "i"(__builtin_offsetof(struct sis__thread, sites)),              \
	[most] "i"(SIS__SITES),                                                  \
	[id] "i"(__builtin_offsetof(struct sis__thread, site[0].id)),            \
	[called] "i"(__builtin_offsetof(struct sis__thread, site[0].routine)),   \
	[node] "i"(__builtin_offsetof(struct sis__thread, site[0].node)),        \
	[size] "i"(sizeof *SIS__SITE_ARRAY),                                     \
	[routine] "i"(__builtin_offsetof(struct sis_region, routine))

#define SIS__GATE_PROBE SIS__PROBE_LINKAGE __attribute__((__naked__, __used__))
#define SIS__WIDTH SSE
#define SIS__NAMED(name) name
#define SIS__MOVQ "movq "
#include "gate_pair_of_width.h"
#undef SIS__WIDTH
#undef SIS__NAMED
#undef SIS__MOVQ
#define SIS__MOVQ "vmovq "
#define SIS__WIDTH AVX
#define SIS__NAMED(name) name##_avx
#include "gate_pair_of_width.h"
#undef SIS__WIDTH
#undef SIS__NAMED
#define SIS__WIDTH AVX512
#define SIS__NAMED(name) name##_avx512
#include "gate_pair_of_width.h"

#endif
#endif
