/* SPDX-License-Identifier: BSD-3-Clause */
// dialect.h - words of GCC's C that clang does not have.
#ifndef SIS_FRONTEND_DIALECT_H
#define SIS_FRONTEND_DIALECT_H

#include "clang/Lex/Preprocessor.h"

#include <string>

namespace sis {

/// Declarations to put before a file that GCC compiles.
std::string declarationsOfGCC();

/// Teaches the preprocessor the names of GCC's floating-point types.
void addTypesOfGCC(clang::Preprocessor &PP);

} // namespace sis

#endif
