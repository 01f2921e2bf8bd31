/* SPDX-License-Identifier: BSD-3-Clause */
/* short_programs.h - programs whose processes lived too short for a profile (sis-analyze run). */
#ifndef SIS_ANALYSIS_SHORT_PROGRAMS_H
#define SIS_ANALYSIS_SHORT_PROGRAMS_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

/* Why processes were not measured, however long they lived. */
enum refusal { NOT_REFUSED, BY_TSAN, BY_VALGRIND, UNKEPT, REFUSALS };

/* The short processes of a program, or those that were not measured. */
struct short_program { char *program; uint64_t processes, life_ns; enum refusal refusal; };
typedef VEC(struct short_program) short_programs;

/* Reads the lists of short processes in a directory, the most frequent program first. Lines that
 * are damaged are left out. */
void short_programs_read(short_programs *programs, const char *directory);
/* What to say of the programs that were not measured, to be freed; NULL: there are none. */
char *short_programs_refused(const short_programs *programs);
void short_programs_release(short_programs *programs);

#endif
