/* SPDX-License-Identifier: BSD-3-Clause */
// compiler.h - facts about the real compiler: its include directories and predefined macros.
#ifndef SIS_FRONTEND_COMPILER_H
#define SIS_FRONTEND_COMPILER_H

#include "clang/parse/answers.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace sis {

struct CompilerFacts {
  std::vector<std::string> UserDirs;   // those of the user's -iquote and -I
  std::vector<std::string> SystemDirs; // all others, in order, without the compiler's own
  std::string BuiltinDir;              // the compiler's own (stddef.h, omp.h ...)
  size_t BeforeBuiltin = 0;            // how many of SystemDirs are searched before BuiltinDir
  std::string FixedDir; // the compiler's corrected copies of system headers; not in SystemDirs
  std::string Target;                  // as the compiler's -v names it
  std::string Predefines;              // lines `#define ...`
  std::vector<std::string> IncludeOptions; // -include and -imacros options, to be passed on
  std::string Directory; // where it runs, set by the caller; empty: the working directory
  std::vector<std::string> Query;      // the command that preprocesses its standard input
  bool Preprocessed = false; // the input is preprocessed: it has no macros and no #includes
  bool Cplusplus = false;              // the language is C++, not C
  Answers OperatorValues;              // of __has_builtin(x) and the like

  /// Runs the compiler once more, for operator values that are not known yet.
  void ask(llvm::ArrayRef<std::string> Questions);

  /// The value of a predefined object-like macro; empty if there is no such macro.
  llvm::StringRef macro(llvm::StringRef Name) const;
  bool defined(llvm::StringRef Name) const;
  /// The compiler's family, version and target, in one line.
  std::string compiler() const;
};

/// Runs the compiler once. Returns false, with the reason in Why, if the compiler cannot be run or
/// does not print its directories.
bool queryCompiler(const std::string &Compiler, llvm::ArrayRef<std::string> Arguments,
                   CompilerFacts &Facts, std::string &Why);

/// Arguments for `clang -cc1`, so that clang reads a file as the real compiler does.
std::vector<std::string> frontendArguments(const CompilerFacts &Facts,
                                           llvm::ArrayRef<std::string> Arguments,
                                           const std::string &File);

/// Text to put before the file: the compiler's predefined macros.
std::string frontendPredefines(const CompilerFacts &Facts);

} // namespace sis

#endif
