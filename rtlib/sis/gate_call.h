/* SPDX-License-Identifier: BSD-3-Clause */
/* gate_call.h - how the text behind a gate calls the probes. gate.h includes this file.
 *
 *     SIS__CALL_ENTER(region)   calls sis__enter
 *     SIS__LEFT(region)         calls sis__leave
 *
 * These test the id or the region first, in the same asm. GCC compiles this in less time than a
 * branch of C:
 *
 *     SIS__ENTER_UNLESS_OFF(k, entered)   if the region is on, SIS__CALL_ENTER, and `entered`
 *                                         becomes the region's address; else `entered` is 0
 *     SIS__LEFT_UNLESS_0(region)          SIS__LEFT, unless `region` is 0
 *     SIS__ANNOUNCE(k)                    calls sis__announce with region k, unless it is off
 *
 * With ordinary calls of probes, a region that is off costs more than its gate: a function that
 * contains a call saves registers where it begins, even if the call is never executed. For this
 * reason SQLite executed 11 % more instructions with all regions off. So where there are gates, the
 * text jumps to functions that keep most registers:
 *
 *     sis__gate_enter      r10: the region   r11: where to return   rax: the unit
 *     sis__gate_leave      r10: the region   r11: where to return
 *     sis__gate_announce   r10: the region   r11: where to return   rax: the unit
 *
 *     kept     rcx, rdx, rsi, rdi; the registers that each function must keep; rax (by leave only);
 *              vector registers 0 to 7; st(0) to st(6)
 *     changed  r8, r9, r10, r11; rax (not by leave); vector registers 8 to 31; masks; MMX; st(7)
 *
 * If vector registers 0 to 7 were not kept, GCC would hold a floating-point sum in a general
 * register across the jump, and even in the loop that computes the sum. The return address is not
 * pushed, because a function without calls may have its variables below the stack pointer.
 *
 * A region around a call has its tests in the asm. To compile a text with 403 calls and 92
 * functions, GCC executed 9.0 billion instructions when these tests were branches of C, and 7.6
 * billion with the tests in the asm (5.5 billion without SIS). For a scope the tests are branches
 * of C, because then the compiler knows the value of the scope's variable on both branches. If
 * scopes had their tests in the asm, SQLite would execute 1.3 % more instructions with all regions
 * off.
 *
 * The compiler's options determine how wide the vector registers are in a file. Each width has
 * functions of its own: sis__gate_enter, sis__gate_enter_avx, sis__gate_enter_avx512.
 *
 * Where SIS__PLAIN_CALLS is defined, the probes are called by ordinary calls. sisc defines it for
 * files with functions for another processor (attribute target), and for link-time optimization,
 * which may inline any function into such a function.
 */
#ifndef SIS_GATE_CALL_H
#define SIS_GATE_CALL_H

#pragma GCC system_header /* as in sis/probe.h, which includes gate.h */

#if defined SIS__WITHOUT_GATES || !defined __SSE2__ || defined _SOFT_FLOAT || defined __APX_F__
#undef SIS__PLAIN_CALLS
#define SIS__PLAIN_CALLS
#endif

#ifdef SIS__PLAIN_CALLS
#define SIS__CALL_ENTER(region) sis__enter(&sis__unit, &(region))
#define SIS__LEFT(region) sis__leave(region)
#define SIS__ENTER_UNLESS_OFF(k, entered)                                          \
	if (sis__regions[k].id != SIS_ID_OFF) {                                    \
		SIS__CALL_ENTER(sis__regions[k]);                                  \
		entered = &sis__regions[k];                                        \
	}
#define SIS__LEFT_UNLESS_0(region) ((region) ? sis__leave(region) : (void)0)
#define SIS__ANNOUNCE(k)                                                           \
	(sis__regions[k].id != SIS_ID_OFF ? sis__announce(&sis__unit, &sis__regions[k]) : (void)0)
#else

#ifdef __MMX__
#define SIS__CHANGED_MMX , "mm0", "mm1", "mm2", "mm3", "mm4", "mm5", "mm6", "mm7"
#else
#define SIS__CHANGED_MMX
#endif
/* clang never uses st(7), and refuses to list it as changed while other x87 registers are in
 * use. */
#ifdef __clang__
#define SIS__CHANGED_X87
#else
#define SIS__CHANGED_X87 , "st(7)"
#endif
#ifdef __AVX512F__
#define SIS__OF_WIDTH(name) name##_avx512
#define SIS__CHANGED_WIDE                                                          \
	, "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23",  \
	"xmm24", "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31",    \
	"k1", "k2", "k3", "k4", "k5", "k6", "k7"
#elif defined __AVX__
#define SIS__OF_WIDTH(name) name##_avx
#define SIS__CHANGED_WIDE
#else
#define SIS__OF_WIDTH(name) name
#define SIS__CHANGED_WIDE
#endif
#define SIS__CHANGED                                                               \
	"r8", "r9", "r10", "r11", "cc", "memory",                                  \
	"xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"       \
	SIS__CHANGED_X87 SIS__CHANGED_MMX SIS__CHANGED_WIDE

/* -- the jump, in both dialects of the assembler ----------------------------------------------- */

#define SIS__ADDRESS(of, into) \
	"lea {" of "(%%rip), %%" into "|" into ", " of "[rip]}\n\t"
#define SIS__TEXT_OF(name) #name
#define SIS__TEXT(name) SIS__TEXT_OF(name)
#define SIS__JUMP_TO(probe) \
	SIS__ADDRESS("1f", "r11") "jmp " SIS__TEXT(SIS__OF_WIDTH(probe)) "\n1:"
#define SIS__CALL_ENTER(region)                                                    \
	__asm__ __volatile__ SIS__TINY(SIS__ADDRESS("%c0", "r10")                  \
		SIS__ADDRESS("%c1", "rax") SIS__JUMP_TO(sis__gate_enter)           \
		: : "i"(&(region)), "i"(&sis__unit) : "rax", SIS__CHANGED)
#define SIS__LEFT(region)                                                          \
	__asm__ __volatile__ SIS__TINY("mov {%0, %%r10|r10, %0}\n\t"               \
		SIS__JUMP_TO(sis__gate_leave) : : "r"(region) : SIS__CHANGED)

/* Jumps if the processor's flags say `not equal` after `test`. */
#define SIS__JUMP_UNLESS(test, probe) \
	SIS__ADDRESS("1f", "r11") test "jne " SIS__TEXT(SIS__OF_WIDTH(probe)) "\n1:"
/* The id is the first member of a region, and SIS_ID_OFF is -1. */
#define SIS__IS_OFF "cmp{l $-1, (%%r10)| DWORD PTR [r10], -1}\n\t"
#define SIS__ENTER_UNLESS_OFF(k, entered)                                          \
	__asm__ __volatile__ SIS__TINY(SIS__ADDRESS("%c1", "r10")                  \
		"xor{l} %k0, %k0\n\t" SIS__IS_OFF "je 1f\n\t"                     \
		"mov {%%r10, %0|%0, r10}\n\t"                                     \
		SIS__ADDRESS("%c2", "rax") SIS__JUMP_TO(sis__gate_enter)           \
		: "=&r"(entered)                                                   \
		: "i"(&sis__regions[k]), "i"(&sis__unit) : "rax", SIS__CHANGED);
#define SIS__LEFT_UNLESS_0(region)                                                 \
	__asm__ __volatile__ SIS__TINY("mov {%0, %%r10|r10, %0}\n\t"               \
		SIS__JUMP_UNLESS("test %0, %0\n\t", sis__gate_leave)               \
		: : "r"(region) : SIS__CHANGED)
#define SIS__ANNOUNCE(k) (__extension__({                                          \
	__asm__ __volatile__ SIS__TINY(SIS__ADDRESS("%c0", "r10")                  \
		SIS__ADDRESS("%c1", "rax")                                         \
		SIS__JUMP_UNLESS(SIS__IS_OFF, sis__gate_announce)                  \
		: : "i"(&sis__regions[k]), "i"(&sis__unit) : "rax", SIS__CHANGED); }))

/* -- functions that save registers, and call the probes -------------------------------------------
 *
 * CFI lets an unwinder find the caller at each instruction. The stack during the call of a probe:
 *
 *     rbp      the caller's rbp
 *     rbp-8    the return address, then rax, rcx, rdx, rsi, rdi
 *     rsp+X87  108 bytes: the x87 registers, if any is in use
 *     rsp+TOP  the x87 status word. If an x87 register is in use, the bits that name the top
 *              register are not 0, because st(7) is never in use.
 *     rsp      vector registers 0 to 7
 *
 * fnsave empties the x87 registers, as functions expect.
 */
#ifdef __GCC_HAVE_DWARF2_CFI_ASM
#define SIS__CFI(what) ".cfi_" what "\n\t"
#else
#define SIS__CFI(what)
#endif
#define SIS__EACH_VECTOR(of) of(0) of(1) of(2) of(3) of(4) of(5) of(6) of(7)
#define SIS__SAVE_SSE(n) "movups %%xmm" #n ", 16*" #n "(%%rsp)\n\t"
#define SIS__LOAD_SSE(n) "movups 16*" #n "(%%rsp), %%xmm" #n "\n\t"
#define SIS__SAVE_AVX(n) "vmovups %%ymm" #n ", 32*" #n "(%%rsp)\n\t"
#define SIS__LOAD_AVX(n) "vmovups 32*" #n "(%%rsp), %%ymm" #n "\n\t"
#define SIS__SAVE_AVX512(n) "vmovups %%zmm" #n ", 64*" #n "(%%rsp)\n\t"
#define SIS__LOAD_AVX512(n) "vmovups 64*" #n "(%%rsp), %%zmm" #n "\n\t"
#define SIS__CLEAN_SSE ""
#define SIS__CLEAN_AVX "vzeroupper\n\t" /* else functions without AVX would be slow */
#define SIS__CLEAN_AVX512 SIS__CLEAN_AVX
#define SIS__X87_SSE "128(%%rsp)"
#define SIS__X87_AVX "256(%%rsp)"
#define SIS__X87_AVX512 "512(%%rsp)"
#define SIS__TOP_SSE "236(%%rsp)"
#define SIS__TOP_AVX "364(%%rsp)"
#define SIS__TOP_AVX512 "620(%%rsp)"
#define SIS__ROOM_SSE "240"
#define SIS__ROOM_AVX "368"
#define SIS__ROOM_AVX512 "624"
#define SIS__KEEP_AND_CALL(WIDTH, probe, arguments)                                \
	SIS__CFI("def_cfa %%rsp, 0") SIS__CFI("register %%rip, %%r11")             \
	"leaq -128(%%rsp), %%rsp\n\t" SIS__CFI("def_cfa_offset 128")               \
	"pushq %%rbp\n\t" SIS__CFI("def_cfa_offset 136")                           \
	SIS__CFI("offset %%rbp, -136")                                             \
	"movq %%rsp, %%rbp\n\t" SIS__CFI("def_cfa_register %%rbp")                 \
	"pushq %%r11\n\t" SIS__CFI("offset %%rip, -144")                           \
	"pushq %%rax\n\tpushq %%rcx\n\tpushq %%rdx\n\tpushq %%rsi\n\t"             \
	"pushq %%rdi\n\t"                                                          \
	"leaq -" SIS__ROOM_##WIDTH "(%%rsp), %%rsp\n\tandq $-16, %%rsp\n\t"        \
	SIS__EACH_VECTOR(SIS__SAVE_##WIDTH) SIS__CLEAN_##WIDTH                     \
	"fnstsw " SIS__TOP_##WIDTH "\n\ttestw $0x3800, " SIS__TOP_##WIDTH "\n\t"   \
	"je 21f\n\tfnsave " SIS__X87_##WIDTH "\n"                                  \
	"21:\t" arguments "call " probe "\n\t"                                     \
	"testw $0x3800, " SIS__TOP_##WIDTH "\n\t"                                  \
	"je 22f\n\tfrstor " SIS__X87_##WIDTH "\n"                                  \
	"22:\t" SIS__EACH_VECTOR(SIS__LOAD_##WIDTH)                                \
	"leaq -48(%%rbp), %%rsp\n\t"                                               \
	"popq %%rdi\n\tpopq %%rsi\n\t"                                             \
	"popq %%rdx\n\tpopq %%rcx\n\tpopq %%rax\n\t"                               \
	"popq %%r11\n\t" SIS__CFI("register %%rip, %%r11")                         \
	"popq %%rbp\n\t" SIS__CFI("def_cfa %%rsp, 128")                            \
	SIS__CFI("same_value %%rbp")                                               \
	"leaq 128(%%rsp), %%rsp\n\t" SIS__CFI("def_cfa_offset 0")                  \
	"notrack jmp *%%r11\n\t"
#define SIS__KEEP_AND_ENTER(WIDTH) \
	SIS__KEEP_AND_CALL(WIDTH, "sis__enter", "movq %%rax, %%rdi\n\tmovq %%r10, %%rsi\n\t")
#define SIS__KEEP_AND_LEAVE(WIDTH) \
	SIS__KEEP_AND_CALL(WIDTH, "sis__leave", "movq %%r10, %%rdi\n\t")
#define SIS__KEEP_AND_ANNOUNCE(WIDTH) \
	SIS__KEEP_AND_CALL(WIDTH, "sis__announce", "movq %%rax, %%rdi\n\tmovq %%r10, %%rsi\n\t")

/* These functions are weak: when sisc links, it adds faster ones (apart/modules/probes.c). */
#ifndef SIS__PROBE_LINKAGE
#ifdef __AVX512F__
#define SIS__KEPT AVX512
#elif defined __AVX__
#define SIS__KEPT AVX
#else
#define SIS__KEPT SSE
#endif
#define SIS__KEEPING(what) SIS__KEEPING_OF(what, SIS__KEPT)
#define SIS__KEEPING_OF(what, WIDTH) what(WIDTH)
#define SIS__KEEPING_STUB(probe, text)                                             \
	__attribute__((__naked__, __used__)) SIS__WEAK_STUB                        \
	void SIS__OF_WIDTH(probe)(void)                                            \
	{                                                                          \
		__asm__ __volatile__("{|.att_syntax prefix}\n\t" text              \
				     "{|.intel_syntax noprefix}" : :);             \
	}
SIS__KEEPING_STUB(sis__gate_enter, SIS__KEEPING(SIS__KEEP_AND_ENTER))
SIS__KEEPING_STUB(sis__gate_leave, SIS__KEEPING(SIS__KEEP_AND_LEAVE))
#ifndef SIS__NO_SITES
SIS__KEEPING_STUB(sis__gate_announce, SIS__KEEPING(SIS__KEEP_AND_ANNOUNCE))
#endif
#endif
#endif

#endif
