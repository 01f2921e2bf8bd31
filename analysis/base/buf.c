/* SPDX-License-Identifier: BSD-3-Clause */
/* buf.c - growing text; its owner is the caller. Any thread. */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

void buf_print(struct buf *buf, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	while (buf->room < buf->length + length + 1)
		vec_grow((void **)&buf->text, &buf->room, buf->room, 1);
	va_start(args, format);
	buf->length += vsnprintf(buf->text + buf->length, buf->room - buf->length, format, args);
	va_end(args);
}

char *buf_take(struct buf *buf)
{
	char *text = buf->text ? buf->text : mem_string("");
	*buf = (struct buf){ 0 };
	return text;
}
