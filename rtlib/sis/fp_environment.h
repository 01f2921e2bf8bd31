/* SPDX-License-Identifier: BSD-3-Clause */
/* fp_environment.h - floating-point arithmetic of the runtime in threads of the program. Any thread
 * calls this. Never installed.
 *
 * Arithmetic sets flags that the program may test. It obeys the rounding mode of the program, and
 * ends the program if the program has enabled traps. So it is done in an environment of its own:
 *
 *     begin    keeps the program's environment, and sets the default one: no traps, nearest
 *     end      restores the program's environment, with its flags
 *
 * The compiler does not know that arithmetic depends on the environment. So what is between must
 * depend on memory that is read after the begin, and go into memory before the end, or be in a
 * function that is not inline.
 *
 * A signal handler needs no begin: the kernel restores the environment when the handler returns. On
 * x86-64 it also sets the default one for the handler. On aarch64 the handler has the environment
 * of what it interrupts. So the runtime's handlers compute with integers alone. */
#ifndef SIS_FP_ENVIRONMENT_H
#define SIS_FP_ENVIRONMENT_H

#pragma GCC system_header /* as in sis/probe.h */

/* For sums and products alone: not for functions of libc that convert numbers. */
SIS__INLINE unsigned long long sis__arithmetic_begin(void)
{
#ifdef __x86_64__
	unsigned program, own = 0x1f80;
	__asm__ volatile("stmxcsr %0\n\tldmxcsr %1" : "=m"(program) : "m"(own) : "memory");
	return program;
#elif defined __aarch64__
	unsigned long long control, status;
	__asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr\n\tmsr fpcr, xzr"
			 : "=&r"(control), "=&r"(status) : : "memory");
	return status << 32 | control;
#else
#error "fp_environment.h does not know the environment of this processor"
#endif
}

SIS__INLINE void sis__arithmetic_end(unsigned long long program)
{
#ifdef __x86_64__
	unsigned word = (unsigned)program;
	__asm__ volatile("ldmxcsr %0" : : "m"(word) : "memory");
#else
	__asm__ volatile("msr fpcr, %0\n\tmsr fpsr, %1"
			 : : "r"(program & 0xffffffffu), "r"(program >> 32) : "memory");
#endif
}

/* Also for functions of libc. On x86-64, printf and strtod take the rounding mode from the unit of
 * long double, which has an environment apart. fnstenv raises no exception that is due there. */
struct sis__fp {
	unsigned long long arithmetic;
#ifdef __x86_64__
	unsigned of_long_double[7];
#endif
};

SIS__INLINE struct sis__fp sis__fp_begin(void)
{
	struct sis__fp program;
#ifdef __x86_64__
	unsigned short own = 0x37f;
	__asm__ volatile("fnstenv %0\n\tfldcw %1" : "=m"(program.of_long_double) : "m"(own)
			 : "memory");
#endif
	program.arithmetic = sis__arithmetic_begin();
	return program;
}

SIS__INLINE void sis__fp_end(const struct sis__fp *program)
{
	sis__arithmetic_end(program->arithmetic);
#ifdef __x86_64__
	__asm__ volatile("fldenv %0" : : "m"(program->of_long_double) : "memory");
#endif
}

#endif
