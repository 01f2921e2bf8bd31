/* SPDX-License-Identifier: BSD-3-Clause */
/* err.c - fills the caller's struct err, but only if it is empty. Any thread may call it. */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

int err_errno(struct err *err, const char *what, const char *name)
{
	return err_fail(err, "cannot %s '%s': %s", what, name, strerror(errno));
}
