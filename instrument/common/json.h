/* SPDX-License-Identifier: BSD-3-Clause */
/* json.h - writing JSON. */
#ifndef SISC_JSON_H
#define SISC_JSON_H

#include "common/base.h"

/* Appends a string with its quotes. Bytes that are not UTF-8 become U+FFFD, because JSON cannot
 * have them. */
void sis_json_add_string(struct buf *out, const char *string);

#endif
