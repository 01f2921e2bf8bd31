/* SPDX-License-Identifier: BSD-3-Clause */
/* system_call.c - calls the kernel. Called by any thread, in signal handlers, too.
 *
 * LIMIT: on processors that this file does not know, sis__system_call is libc's function. Then a
 * system call of the runtime may end a process that has a confined thread.
 */
#include "base/system_call.h"

#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

static long call(long number, long a, long b, long c, long d, long e, long f)
{
#if defined __x86_64__
	long result;
	register long fourth __asm__("r10") = d, fifth __asm__("r8") = e, sixth __asm__("r9") = f;
	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
			 : "rcx", "r11", "memory");
	return result;
#elif defined __aarch64__
	register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b,
	     x2 __asm__("x2") = c, x3 __asm__("x3") = d, x4 __asm__("x4") = e, x5 __asm__("x5") = f;
	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
#else
	long result = syscall(number, a, b, c, d, e, f);
	return result == -1 ? -errno : result;
#endif
}

SIS_EXPORT SIS_ANY_ARGUMENTS long sis__system_call(long number, ...)
{
	enum { ERRORS = 4095 };
	va_list rest;
	va_start(rest, number);
	long a = va_arg(rest, long), b = va_arg(rest, long), c = va_arg(rest, long),
	     d = va_arg(rest, long), e = va_arg(rest, long), f = va_arg(rest, long);
	va_end(rest);
	long result = call(number, a, b, c, d, e, f);
	if (result >= 0 || result < -ERRORS)
		return result;
	errno = (int)-result;
	return -1;
}
