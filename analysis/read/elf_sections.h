/* SPDX-License-Identifier: BSD-3-Clause */
/* elf_sections.h - the bytes of named sections of a program, library or object. */
#ifndef SIS_ANALYSIS_ELF_SECTIONS_H
#define SIS_ANALYSIS_ELF_SECTIONS_H

#include <libelf.h>

#include "base/err.h"

/* Gives each section of this name to `take`, until it returns other than 0. Returns what `take`
 * returned, or ERR_FAILED if the file is damaged. `where`: its name, for messages. */
int elf_sections_named(Elf *elf, const char *name, const char *where,
		       int (*take)(void *arg, const char *bytes, size_t size), void *arg,
		       struct err *err);

#endif
