/* SPDX-License-Identifier: BSD-3-Clause */
/* elf.h - finding instrumentation descriptions in what compilers and archivers wrote. */
#ifndef SISC_ELF_H
#define SISC_ELF_H

#include "common/base.h"

#define SIS_IDF_SECTION "sis_idf"

/* Whether an object, an archive's member, or an object for link-time optimization is instrumented.
 * Anything else, and what cannot be read, is not. */
bool sis_elf_is_instrumented(const char *file);

/* The same of a text for the assembler. */
bool sis_elf_is_assembly_instrumented(const char *file);

/* Appends the section's bytes: NUL-ended descriptions with NULs between. Nothing if there is
 * none. */
void sis_elf_read_idf(const char *file, struct text *out);

#endif
