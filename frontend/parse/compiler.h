/* SPDX-License-Identifier: BSD-3-Clause */
// compiler.h - facts about the real compiler: its include directories and predefined macros.
#ifndef SIS_FRONTEND_COMPILER_H
#define SIS_FRONTEND_COMPILER_H

#include "parse/answers.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace sis {

struct CompilerFacts {
  std::vector<std::string> UserDirs;   // quoted and -I directories of the user's own
  std::vector<std::string> SystemDirs; // all others, in order, without the compiler's own
  std::string BuiltinDir;              // the compiler's own (stddef.h, omp.h ...)
  std::string FixedDir; // the compiler's corrected copies of system headers; not in SystemDirs
  std::string Target;                  // as its -v names it
  std::string Predefines;              // lines `#define ...`
  std::vector<std::string> IncludeOptions; // -include and -imacros options, to be passed on
  std::string Directory;               // where it runs; empty: the working directory. The caller's
  std::vector<std::string> Query;      // the command that answers questions on its standard input
  bool Preprocessed = false;           // the input is: no macro is expanded, no file included
  Answers OperatorValues;                        // to __has_builtin(x) and the like

  /// Runs the compiler once more for answers that are not known yet.
  void ask(llvm::ArrayRef<std::string> Questions);

  /// Value of a predefined object-like macro; empty when it has none.
  llvm::StringRef macro(llvm::StringRef Name) const;
  bool defined(llvm::StringRef Name) const;
};

/// Runs the compiler once. Returns false and says why when it cannot be run.
bool queryCompiler(const std::string &Compiler, llvm::ArrayRef<std::string> Arguments,
                   CompilerFacts &Facts, std::string &Why);

/// Arguments of `clang -cc1` that make it read a file as that compiler does.
std::vector<std::string> frontendArguments(const CompilerFacts &Facts,
                                           llvm::ArrayRef<std::string> Arguments,
                                           const std::string &File);

/// Text to put before the file: the compiler's predefined macros.
std::string frontendPredefines(const CompilerFacts &Facts);

} // namespace sis

#endif
