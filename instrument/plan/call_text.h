/* SPDX-License-Identifier: BSD-3-Clause */
/* call_text.h - what calls and constructs name in the source: the expressions of arguments, and the
 * variables of reductions. */
#ifndef SISC_CALL_TEXT_H
#define SISC_CALL_TEXT_H

#include "common/base.h"
#include "sis_ast.h"

/* The text of the file that was read last, and the offset at which its line `line` begins. All
 * zeros: no file was read. */
struct call_text { char *file; struct buf text; uint32_t line; size_t offset; };

/* Adds ",\"arguments\":[...]" of a call, or ",\"reductions\":[...]" of a construct. Nothing is
 * added for other regions, or if the text at the region's position is not the call, because of a
 * macro or #line. Relative names of files refer to `directory`. */
void sis_call_text_add(struct call_text *source, struct buf *out, const char *directory,
		       const struct sis_ast_region *region);
void sis_call_text_release(struct call_text *source);

#endif
