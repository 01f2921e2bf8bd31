/* SPDX-License-Identifier: BSD-3-Clause */
/* buf.h - text that grows. All zeros is empty. */
#ifndef SIS_ANALYSIS_BUF_H
#define SIS_ANALYSIS_BUF_H

#include <stddef.h>

struct buf { char *text; size_t length, room; };

void buf_print(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *buf_take(struct buf *buf); /* its text, "" if empty, now the caller's to free */

#endif
