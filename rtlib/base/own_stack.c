/* SPDX-License-Identifier: BSD-3-Clause */
/* own_stack.c - calls a function on a stack of its own. Called by the thread that opens the
 * profile, and by the thread that ends the process.
 *
 * A program may give a thread a stack of 16 KiB, and a handler of signals one of 2 KiB. The runtime
 * needs more to open and to seal a profile. The stack is no variable, because the leak sanitizer
 * takes what it finds in variables for pointers of the program.
 * LIMIT: the handler of samples runs on the stack that the program has given to handlers. It needs
 * 2.5 KiB more than the kernel's own least size.
 * LIMIT: with SIS_TRACE, a thread with a stack of 16 KiB may have too little of it for its first
 * event.
 */
#include "base/own_stack.h"
#include "base/runtime.h"
#include "base/signal_mask.h"

#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>

enum { STACK = 256 << 10 };

/* Calls `work` with the stack pointer at `top`. The frame pointer keeps the old stack pointer, so
 * that debuggers find the callers. */
void sis__call_on(char *top, void (*work)(void)) __attribute__((visibility("hidden")));

#if defined __x86_64__
#define CALL_ON \
	"	push %rbp\n	.cfi_def_cfa_offset 16\n	.cfi_offset %rbp, -16\n" \
	"	mov %rsp, %rbp\n	.cfi_def_cfa_register %rbp\n" \
	"	mov %rdi, %rsp\n	call *%rsi\n" \
	"	leave\n	.cfi_def_cfa %rsp, 8\n	ret\n"
#elif defined __aarch64__
#define CALL_ON \
	"	stp x29, x30, [sp, -16]!\n	.cfi_def_cfa_offset 16\n" \
	"	.cfi_offset x29, -16\n	.cfi_offset x30, -8\n" \
	"	mov x29, sp\n	.cfi_def_cfa_register x29\n" \
	"	mov sp, x0\n	blr x1\n" \
	"	mov sp, x29\n	ldp x29, x30, [sp], 16\n	.cfi_def_cfa sp, 0\n	ret\n"
#else
#error "own_stack.c has no call for this processor"
#endif

__asm__("	.text\n"
	"	.hidden sis__call_on\n"
	"	.globl sis__call_on\n"
	"	.type sis__call_on, %function\n"
	"sis__call_on:\n"
	"	.cfi_startproc\n" CALL_ON
	"	.cfi_endproc\n"
	"	.size sis__call_on, . - sis__call_on\n");

/* Signals are blocked, because the program's handlers may jump out of here. */
void sis__on_own_stack(void (*work)(void))
{
	sigset_t all, before;
	struct sis__fp program = sis__fp_begin();
	char *low = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (low == MAP_FAILED) {
		work();
	} else {
		sigfillset(&all);
		sis__signal_mask(SIG_SETMASK, &all, &before);
		sis__call_on(low + STACK, work);
		sis__signal_mask(SIG_SETMASK, &before, NULL);
		munmap(low, STACK);
	}
	sis__fp_end(&program);
}
