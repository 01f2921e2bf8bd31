/* SPDX-License-Identifier: BSD-3-Clause */
/* flow_make.h - blobs of section sis_blame out of a text, for tests of analysis/blame/flow and
 * analysis/blame/attribute. A line has one item; words are separated by blanks:
 *
 *     type NAME KIND SIZE [ELEMENT [COUNT]]   KIND: void int real pointer array struct union
 *     field NAME OFFSET SIZE TYPE             of the last type
 *     global NAME TYPE     static NAME TYPE
 *     function NAME [flags N] [around NAME]   what follows is its own
 *     parameter NAME TYPE  local NAME TYPE
 *     statement                               number 2, 3, ...; its line is ten times the number
 *     block [on VALUE ...] [to NUMBER ...]    controllers, successors; block 0 is there at first,
 *                                             `block` before the first value describes it
 *     [NAME =] OP OPERAND ...                 as in schema/blame.h; `-` is no value. The name of a
 *                                             function may stand for its ADDRESS's object
 */
#ifndef SIS_TESTS_FLOW_MAKE_H
#define SIS_TESTS_FLOW_MAKE_H

#include <stddef.h>

#include "blame/flow/program.h"

/* The blob with its header; the caller frees it. */
unsigned char *flow_make_blob(const char *text, size_t *size);
/* A linked program of one unit, or of several. */
void flow_make(struct flow_program *program, const char *text);
void flow_make_add(struct flow_program *program, const char *text);

#endif
