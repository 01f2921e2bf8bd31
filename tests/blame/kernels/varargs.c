/* SPDX-License-Identifier: BSD-3-Clause */
/* Variable arguments.
 * expect: a 3/4 at main
 * expect: b 1/4 at main */
#include <stdarg.h>

#include "kernel.h"

static ALONE double sum(int n, ...)
{
	va_list list;
	double result = 0;
	va_start(list, n);
	while (n-- > 0)
		result += va_arg(list, double);
	va_end(list);
	return result;
}

int main(int argc, char **argv)
{
	kernel_begin(argc, argv);
	double a = sum(2, mix(1, unit), mix(2, 2 * unit)), b = mix(3, unit);
	printf("%g %g\n", a, b);
	return 0;
}
