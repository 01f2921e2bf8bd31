/* SPDX-License-Identifier: BSD-3-Clause */
/* elf.h - finds instrumentation descriptions in object files, archives and programs. */
#ifndef SISC_ELF_H
#define SISC_ELF_H

#include "common/base.h"

#define SIS_IDF_SECTION "sis_idf"

/* Whether an object, a member of an archive, or an object for link-time optimization is
 * instrumented. False for other files, and for files that cannot be read. */
bool sis_elf_is_instrumented(const char *file);

/* The same for a text for the assembler. */
bool sis_elf_is_assembly_instrumented(const char *file);

/* Appends the section's bytes: NUL-ended descriptions with NULs between them. Appends nothing if
 * there is no section. */
void sis_elf_read_idf(const char *file, struct text *out);

#endif
