/* SPDX-License-Identifier: BSD-3-Clause */
/* gate_pair_of_width.h - the three functions of gate_pair.h for files with vector registers of one
 * width. gate_pair.h includes this file once for each width. It is never installed.
 *
 *     SIS__WIDTH         SSE, AVX or AVX512
 *     SIS__NAMED(name)   the function's name
 *     SIS__MOVQ          moves between a general and a vector register
 */
#pragma GCC system_header /* as in sis/probe.h, which includes pair.h */

SIS__GATE_PROBE void SIS__NAMED(sis__gate_enter)(void);
SIS__GATE_PROBE void SIS__NAMED(sis__gate_enter)(void)
{
	__asm__ volatile(
		SIS__CFI("def_cfa %%rsp, 0") SIS__CFI("register %%rip, %%r11")
		SIS__MOVQ "%%rdx, %%xmm14\n\t"
		SIS__MOVQ "%%rcx, %%xmm15\n\t"
		SIS__UNLESS_DEBUG("4f")
		SIS__LOAD_SELF
		"movl (%%r10), %%ecx\n\t"
		"movq %c[current](%%r9), %%rdx\n\t" /* the parent */
		"movq %c[last](%%rdx), %%r8\n\t"
		"cmpl %%ecx, %c[region](%%r8)\n\t"
		"jne 2f\n"
		"1:\t" /* the node is found */
		SIS__TEST_TIMING("%%rcx")
		"je 3f\n\t"
		"js " SIS__TRACED_ENTER "\n\t"
		"movq %%rdx, %c[from](%%r9)\n\t" /* from here on as sis__start_sampled */
		"cmpb $%c[sampled], %c[rung](%%r8)\n\t"
		"jne 5f\n\t"
		"cmpq $%c[brief], %c[min](%%r8)\n\t"
		"jae 6f\n\t"
		"incq %c[calls](%%r8)\n\t"
		"movq %%r8, %c[current](%%r9)\n\t"
		"movq $-1, %c[start](%%r8)\n\t" /* SIS__START_SAMPLED */
		SIS__RETURN_FROM_ENTER
		"5:\t" /* the rung is not `sampled` */
		"cmpb $%c[full], %c[rung](%%r8)\n\t"
		"je 6f\n\t"
		"cmpq $%c[brief], %c[min](%%r8)\n\t"
		"jae 6f\n\t"
		"movq %c[calls](%%r8), %%rdx\n\t" /* sis__is_chosen */
		SIS__LOAD_TIMING("rcx", "ecx")
		"negq %%rcx\n\t" /* ~mask */
		"andq %%rdx, %%rcx\n\t"
		"addq %%r8, %%rcx\n\t"
		"imulq $%c[factor], %%rcx, %%rcx\n\t"
		"shrq $32, %%rcx\n\t"
		"xorl %%ecx, %%edx\n\t"
		SIS__LOAD_TIMING("rcx", "ecx")
		"decl %%ecx\n\t"
		"testl %%ecx, %%edx\n\t"
		"je 7f\n\t"
		"movq %c[stamp](%%r9), %%rdx\n\t"
		"btsq $63, %%rdx\n\t" /* SIS__START_UNTIMED */
		"incq %c[calls](%%r8)\n\t"
		"movq %%r8, %c[current](%%r9)\n\t"
		"movq %%rdx, %c[start](%%r8)\n\t"
		SIS__RETURN_FROM_ENTER
		"6:\t" /* timed, while other nodes are not */
		SIS__TEST("sis__visits_left", "%%rcx")
		"jne 4f\n\t"
		SIS__TEST("sis__clock_is_tsc", "%%rcx")
		"je 4f\n"
		"3:\t" /* timed */
		"incq %c[calls](%%r8)\n\t"
		"movq %%r8, %c[current](%%r9)\n\t"
		SIS__READ_CLOCK
		"movq %%rax, %c[stamp](%%r9)\n\t"
		"movq %%rax, %c[start](%%r8)\n\t"
		SIS__RETURN_FROM_ENTER
		"7:\t" /* timed, and counts N times */
		SIS__TEST("sis__clock_is_tsc", "%%rcx")
		"je 4f\n\t"
		"incq %c[calls](%%r8)\n\t"
		"movq %%r8, %c[current](%%r9)\n\t"
		SIS__READ_CLOCK
		"movq %%rax, %c[stamp](%%r9)\n\t"
		"btsq $62, %%rax\n\t" /* SIS__START_CHOSEN */
		"movq %%rax, %c[start](%%r8)\n\t"
		SIS__RETURN_FROM_ENTER
#ifdef SIS__OF_PROGRAM
		"8:\t" /* sis__start_traced */
		SIS__MOVQ "%%rax, %%xmm13\n\t"
		"movq %c[trace](%%r9), %%rcx\n\t"
		SIS__READ_CLOCK
		SIS__UNLESS_OPEN("9f")
		"movq %%rax, %%rdx\n\t"
		"subq %c[put](%%rcx), %%rdx\n\t"
		"cmpq $1 << 18, %%rdx\n\t"
		"jae 9f\n\t"
		"cmpl $1 << 12, %c[region](%%r8)\n\t"
		"jae 9f\n\t"
		"shll $14, %%edx\n\t"
		"movl %c[region](%%r8), %%r10d\n\t"
		"leal 1(%%rdx, %%r10, 4), %%edx\n\t"
		SIS__PUT_EVENT("r10")
		"incq %c[calls](%%r8)\n\t"
		"movq %%r8, %c[current](%%r9)\n\t"
		"movq %%rax, %c[stamp](%%r9)\n\t"
		"movq %%rax, %c[start](%%r8)\n\t"
		SIS__RETURN_FROM_ENTER
		"9:\t" /* the event needs the slow path */
		SIS__MOVQ "%%xmm13, %%rax\n\t"
		"jmp 4f\n"
#endif
		"2:\t" /* the child after the one entered last */
		"movq %c[next](%%r8), %%r8\n\t"
		"cmpl %%ecx, %c[region](%%r8)\n\t"
		"jne 10f\n\t"
		"movq %%r8, %c[last](%%rdx)\n\t"
		"jmp 1b\n"
		"10:\t" /* a recursion that folds, or a child further away */
		"movl %c[region](%%rdx), %%r8d\n\t"
		"xorl $%c[bit], %%r8d\n\t"
		"cmpl %%ecx, %%r8d\n\t"
		"jne 12f\n\t"
		"cmpb $%c[sampled], %c[rung](%%rdx)\n\t"
		"jne 12f\n\t"
		"cmpq $%c[brief], %c[min](%%rdx)\n\t"
		"jae 12f\n\t"
		SIS__TEST_TIMING("%%r8")
		"jle 12f\n\t"
		"movq %c[folds](%%r9), %%rcx\n\t" /* as sis__fold_begin_direct */
		"leaq %c[words](%%rcx), %%r8\n\t"
		"cmpq %c[room](%%r9), %%r8\n\t"
		"ja 4f\n\t"
		"shlq $3, %%rcx\n\t"
		"addq %c[stack](%%r9), %%rcx\n\t"
		"movq $0, %c[target](%%rcx)\n\t"
		"movq %%r8, %c[folds](%%r9)\n\t"
		"incq %c[calls](%%rdx)\n\t"
		"movq %%rdx, %c[before](%%rcx)\n\t"
		"movq $0, %c[suspended](%%rcx)\n\t"
		"movq $-1, %c[begun](%%rcx)\n\t" /* SIS__START_SAMPLED */
		"movq %%rdx, %c[target](%%rcx)\n\t"
		SIS__RETURN_FROM_ENTER
		"12:\t"
		"testl %%ecx, %%ecx\n\t" /* negative: a region that is off */
		"js 4f\n\t"
		SIS__CALL_QUICKLY("sis__enter_quickly", "ecx", "rax", "rdx")
		"cmpq $1, %%r8\n\t" /* SIS__FOLDED */
		"jb 4f\n\t"
		"je 11f\n\t"
		SIS__LOAD_SELF_OF_RUNTIME
		"movq %c[current](%%r9), %%rdx\n\t"
		"jmp 1b\n"
		"11:\t"
		SIS__RETURN_FROM_ENTER
		"4:\t" /* the probe of pair.h */
		SIS__MOVQ "%%xmm14, %%rdx\n\t"
		SIS__MOVQ "%%xmm15, %%rcx\n\t"
		SIS__KEEP_AND_ENTER(SIS__WIDTH)
		: : SIS__OFFSETS, SIS__OFFSETS_OF_ENTER);
}

SIS__GATE_PROBE void SIS__NAMED(sis__gate_leave)(void);
SIS__GATE_PROBE void SIS__NAMED(sis__gate_leave)(void)
{
	__asm__ volatile(
		SIS__CFI("def_cfa %%rsp, 0") SIS__CFI("register %%rip, %%r11")
		SIS__MOVQ "%%rax, %%xmm14\n\t"
		SIS__UNLESS_DEBUG("6f")
		SIS__LOAD_SELF
		"movl (%%r10), %%eax\n\t"
		"movq %c[current](%%r9), %%r8\n\t"
		"cmpl %%eax, %c[region](%%r8)\n\t"
		"jne 12f\n\t"
		SIS__TEST_TIMING("%%rax")
		"je 1f\n\t"
		"js " SIS__TRACED_LEAVE "\n\t"
		"movq %c[from](%%r9), %%rax\n\t" /* sis__end_sampled says why */
		"cmpq $0, %c[start](%%r8)\n\t" /* the highest bit is SIS__START_UNTIMED */
		"jns 8f\n\t"
		"cmpq %%rax, %c[parent](%%r8)\n\t"
		"jne 7f\n\t"
		"movq %%rax, %c[current](%%r9)\n\t"
		SIS__RETURN_FROM_LEAVE
		"7:\t" /* another child was entered last */
		"movq %c[parent](%%r8), %%rax\n\t"
		"movq %%rax, %c[current](%%r9)\n\t"
		SIS__RETURN_FROM_LEAVE
		"8:\t" /* timed, while other nodes are not */
		"movq %c[parent](%%r8), %%rax\n\t"
		"cmpq $-1, %c[start](%%rax)\n\t" /* SIS__START_SAMPLED */
		"je 6f\n\t"
		"btq $62, %c[start](%%r8)\n\t" /* SIS__START_CHOSEN */
		"jc 6f\n\t"
		SIS__TEST("sis__clock_is_tsc", "%%rax")
		"je 6f\n"
		"1:\t" /* timed */
		SIS__MOVQ "%%rdx, %%xmm15\n\t"
		SIS__READ_CLOCK
		"10:\t" /* rax: now */
		"movq %%rax, %%rdx\n\t"
		"subq %c[start](%%r8), %%rax\n\t" /* ticks */
		"cmpq %%rax, %c[min](%%r8)\n\t"
		"ja 3f\n"
		"2:\t"
		"cmpq %%rax, %c[max](%%r8)\n\t"
		"jb 4f\n"
		"5:\t"
		"movq %%rdx, %c[stamp](%%r9)\n\t"
		"addq %%rax, %c[total](%%r8)\n\t"
		"movq %c[parent](%%r8), %%rax\n\t"
		"movq %%rax, %c[current](%%r9)\n\t"
		SIS__MOVQ "%%xmm15, %%rdx\n\t"
		SIS__RETURN_FROM_LEAVE
		"3:\tmovq %%rax, %c[min](%%r8)\n\tjmp 2b\n"
		"4:\tmovq %%rax, %c[max](%%r8)\n\tjmp 5b\n"
#ifdef SIS__OF_PROGRAM
		"9:\t" /* sis__end_traced */
		SIS__MOVQ "%%rdx, %%xmm15\n\t"
		SIS__MOVQ "%%rcx, %%xmm13\n\t"
		"movq %c[trace](%%r9), %%rcx\n\t"
		SIS__READ_CLOCK
		SIS__UNLESS_OPEN("11f")
		"movq %%rax, %%rdx\n\t"
		"subq %c[put](%%rcx), %%rdx\n\t"
		"cmpq $1 << 30, %%rdx\n\t"
		"jae 11f\n\t"
		"shll $2, %%edx\n\t"
		SIS__PUT_EVENT("r10")
		SIS__MOVQ "%%xmm13, %%rcx\n\t"
		"jmp 10b\n"
		"11:\t" /* the event needs the slow path */
		SIS__MOVQ "%%xmm15, %%rdx\n\t"
		SIS__MOVQ "%%xmm13, %%rcx\n"
#endif
		"12:\t" /* test: a recursion that folds */
		"xorl $%c[bit], %%eax\n\t"
		"cmpl %%eax, %c[region](%%r8)\n\t"
		"jne 6f\n\t"
		"cmpl $0, %c[overlaps](%%r9)\n\t" /* as sis__fold_leave */
		"jne 6f\n\t"
		"cmpq $0, %c[trace](%%r9)\n\t"
		"jne 6f\n\t"
		"movq %c[folds](%%r9), %%rax\n\t"
		"testq %%rax, %%rax\n\t"
		"je 6f\n\t"
		"shlq $3, %%rax\n\t"
		"addq %c[stack](%%r9), %%rax\n\t"
		"cmpq %%r8, %c[target] - %c[fold](%%rax)\n\t"
		"jne 6f\n\t"
		"cmpq $0, %c[suspended] - %c[fold](%%rax)\n\t"
		"jne 6f\n\t"
		"cmpq $-1, %c[begun] - %c[fold](%%rax)\n\t" /* SIS__START_SAMPLED */
		"jne 13f\n\t"
		"subq $%c[words], %c[folds](%%r9)\n\t"
		SIS__RETURN_FROM_LEAVE
		"13:\t" /* the folded activation is timed */
		"movl (%%r10), %%eax\n\t"
		SIS__CALL_QUICKLY("sis__leave_quickly", "eax", "rcx", "rdx")
		"testl %%r8d, %%r8d\n\t"
		"je 6f\n\t"
		SIS__RETURN_FROM_LEAVE
		"6:\t" /* the probe of pair.h */
		SIS__MOVQ "%%xmm14, %%rax\n\t"
		SIS__KEEP_AND_LEAVE(SIS__WIDTH)
		: : SIS__OFFSETS, SIS__OFFSETS_OF_LEAVE);
}

SIS__GATE_PROBE void SIS__NAMED(sis__gate_announce)(void);
SIS__GATE_PROBE void SIS__NAMED(sis__gate_announce)(void)
{
	__asm__ volatile(
		SIS__CFI("def_cfa %%rsp, 0") SIS__CFI("register %%rip, %%r11")
		SIS__UNLESS_DEBUG("1f")
		SIS__MOVQ "%%rax, %%xmm14\n\t"
		SIS__LOAD_SELF
		"movl %c[sites](%%r9), %%r8d\n\t"
		"cmpl $%c[most], %%r8d\n\t"
		"jae 2f\n\t"
		"movl (%%r10), %%eax\n\t"
		"testl %%eax, %%eax\n\t" /* negative: a region that is not registered yet */
		"js 2f\n\t"
		"incl %c[sites](%%r9)\n\t"
		"imulq $%c[size], %%r8, %%r8\n\t"
		"addq %%r9, %%r8\n\t"
		"movl %%eax, %c[id](%%r8)\n\t"
		"movl %c[routine](%%r10), %%eax\n\t"
		"movl %%eax, %c[called](%%r8)\n\t"
		"movq %c[current](%%r9), %%rax\n\t"
		"movq %%rax, %c[node](%%r8)\n\t"
		"notrack jmp *%%r11\n"
		"2:\t" SIS__MOVQ "%%xmm14, %%rax\n"
		"1:\t" /* the probe of pair.h */
		SIS__KEEP_AND_ANNOUNCE(SIS__WIDTH)
		: : SIS__OFFSETS_OF_ANNOUNCE);
}
