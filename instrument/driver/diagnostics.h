/* SPDX-License-Identifier: BSD-3-Clause */
/* diagnostics.h - a compiler's messages: compares those about two texts with the same lines, and
 * finds their positions. */
#ifndef SISC_DIAGNOSTICS_H
#define SISC_DIAGNOSTICS_H

#include <stdbool.h>

/* Whether both texts have the same messages about the same lines, in the same order, and at least
 * one message. Columns and quoted source may differ, because probes are inserted in lines. */
bool sis_diagnostics_alike(const char *one, const char *other);

/* An error, or a note that belongs to one. */
struct diagnostic {
	char file[1024], text[256];
	unsigned line;
};

/* Reads the next one with a position, and moves *messages behind it. False: there are no more. */
bool sis_diagnostics_next(const char **messages, struct diagnostic *found);

#endif
