/* SPDX-License-Identifier: BSD-3-Clause */
/* buf.h - text that grows. A struct buf of all zeros is empty. */
#ifndef SIS_BASE_BUF_H
#define SIS_BASE_BUF_H

#include <stddef.h>

struct buf {
	char *at;      /* the text, which ends with NUL; NULL: nothing was added yet */
	size_t length, room;
};

void buf_put(struct buf *buf, const char *bytes, size_t length);
void buf_add(struct buf *buf, const char *string);
void buf_print(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *buf_take(struct buf *buf); /* returns the text, which the caller frees, and empties the buf.
                                  * An empty buf gives "" */
void buf_release(struct buf *buf);

#endif
