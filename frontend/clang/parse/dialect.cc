// SPDX-License-Identifier: BSD-3-Clause
// dialect.cc - see dialect.h. Runs in the thread that calls sis_ast_open, before the file is read.
// Its one idea: a word that clang lacks becomes another name for a keyword, or a declared function.
// It never becomes a macro: an #ifdef could test the macro, and its replacement would appear in the
// instrumented text.
#include "clang/parse/dialect.h"

using namespace clang;

namespace sis {

/// The inline functions of glibc's _FORTIFY_SOURCE call these built-in functions to pass on
/// variable arguments.
std::string declarationsOfGCC() {
  return "int __builtin_va_arg_pack(void);\nint __builtin_va_arg_pack_len(void);\n";
}

/// In clang these names become the standard types of the same size. In GCC they are distinct types.
/// LIMIT: clang rejects a function that distinguishes such a type from the standard type, in
/// _Generic for example. That function is not instrumented.
void addTypesOfGCC(Preprocessor &PP) {
  static const struct {
    const char *Name;
    tok::TokenKind Kind;
  } Types[] = {
      {"_Float32", tok::kw_float},       {"_Float32x", tok::kw_double},
      {"_Float64", tok::kw_double},      {"_Float64x", tok::kw___float128},
      {"_Float128", tok::kw___float128},
  };
  for (const auto &Type : Types)
    PP.getIdentifierTable().get(Type.Name, Type.Kind);
}

} // namespace sis
