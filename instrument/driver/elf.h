/* SPDX-License-Identifier: BSD-3-Clause */
/* elf.h - finds instrumentation descriptions in object files, archives and programs. */
#ifndef SISC_ELF_H
#define SISC_ELF_H

#include "common/base.h"

#define SIS_IDF_SECTION "sis_idf"

/* Whether an object, a member of an archive, or an object for link-time optimization is
 * instrumented. The result is false for other files, and for files that cannot be read. */
bool sis_elf_is_instrumented(const char *file);

/* Whether a file with text for the assembler is instrumented. */
bool sis_elf_is_assembly_instrumented(const char *file);

/* Appends the bytes of the file's section sis_idf: NUL-ended descriptions with NULs between them.
 * Appends nothing if there is no such section. */
void sis_elf_read_idf(const char *file, struct buf *out);

#endif
