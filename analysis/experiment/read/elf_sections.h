/* SPDX-License-Identifier: BSD-3-Clause */
/* elf_sections.h - the bytes of named sections of a program, library or object. */
#ifndef SIS_ANALYSIS_ELF_SECTIONS_H
#define SIS_ANALYSIS_ELF_SECTIONS_H

#include <libelf.h>

#include "base/err.h"

/* Gives each section of this name to `take`, until `take` returns another value than 0. Returns the
 * last result of `take`, or ERR_FAILED if the file is damaged. `where`: the file's name, for
 * messages. */
int elf_sections_named(Elf *elf, const char *name, const char *where,
		       int (*take)(void *arg, const char *bytes, size_t size), void *arg,
		       struct err *err);

#endif
