/* SPDX-License-Identifier: BSD-3-Clause */
/* buf.c - text that grows; the caller owns it. Any thread may call this file. */
#include "base/buf.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void buf_put(struct buf *buf, const char *bytes, size_t length)
{
	if (buf->length + length + 1 > buf->room) {
		buf->room = 2 * (buf->length + length + 1);
		buf->at = mem_resize(buf->at, buf->room, 1);
	}
	if (length)
		memcpy(buf->at + buf->length, bytes, length);
	buf->length += length;
	buf->at[buf->length] = '\0';
}

void buf_add(struct buf *buf, const char *string)
{
	buf_put(buf, string, strlen(string));
}

void buf_print(struct buf *buf, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	char *more = mem_print_list(format, arguments);
	va_end(arguments);
	buf_add(buf, more);
	free(more);
}

char *buf_take(struct buf *buf)
{
	char *text = buf->at ? buf->at : mem_string("");
	*buf = (struct buf){ 0 };
	return text;
}

void buf_release(struct buf *buf)
{
	free(buf->at);
	*buf = (struct buf){ 0 };
}
