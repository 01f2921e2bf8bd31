/* SPDX-License-Identifier: BSD-3-Clause */
/* err.c - fills the caller's struct err, the first time only. Any thread. */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

int err_set(struct err *err, int code, const char *format, ...)
{
	if (err->text[0])
		return code;
	va_list args;
	va_start(args, format);
	vsnprintf(err->text, sizeof err->text, format, args);
	va_end(args);
	return code;
}
