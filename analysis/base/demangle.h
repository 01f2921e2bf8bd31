/* SPDX-License-Identifier: BSD-3-Clause */
/* demangle.h - names of functions as the source has them. */
#ifndef SIS_ANALYSIS_DEMANGLE_H
#define SIS_ANALYSIS_DEMANGLE_H

/* The name of a symbol in C++ or Rust, malloc'ed; a copy of the symbol if it has no such name, or
 * if there is no libstdc++. A name of more than 80 characters is given without the types in it.
 * LIMIT: functions that differ in these types only then have the same name. */
char *demangled(const char *symbol);

#endif
