/* SPDX-License-Identifier: BSD-3-Clause */
// operators.h - lets clang's preprocessor answer __has_builtin(x) and the like as the real compiler
// does.
#ifndef SIS_FRONTEND_OPERATORS_H
#define SIS_FRONTEND_OPERATORS_H

#include "clang/parse/compiler.h"

#include "clang/Lex/MacroArgs.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

namespace sis {

/// Text to put before the file: the operators that the real compiler has, as macros.
std::string operatorMacros(const CompilerFacts &Facts);

/// Gives the macros of the operators their value at each use.
class Operators : public clang::PPCallbacks {
public:
  /// Must be constructed before the macros are defined.
  Operators(clang::Preprocessor &PP, CompilerFacts &Facts);
  void LexedFileChanged(clang::FileID File, LexedFileChangeReason,
                        clang::SrcMgr::CharacteristicKind, clang::FileID,
                        clang::SourceLocation At) override;
  void MacroExpands(const clang::Token &Name, const clang::MacroDefinition &,
                    clang::SourceRange Range, const clang::MacroArgs *Arguments) override;

private:
  void swap(clang::SourceLocation At);
  std::string textOf(const clang::MacroArgs &Arguments) const;
  std::string answer(const std::string &Question, clang::SourceLocation Use);
  std::string answerInclude(llvm::StringRef Operand, clang::SourceLocation Use);
  void collectQuestions(clang::SourceLocation Use, std::vector<std::string> &Questions) const;
  void define(llvm::StringRef Value, clang::SourceLocation Use);

  clang::Preprocessor &PP;
  clang::SourceManager &SM;
  CompilerFacts &Facts;
  // The preprocessor's allocator is not used. In builds with sanitizers, our code must not share an
  // allocator with clang's libraries, which are compiled without sanitizers.
  llvm::BumpPtrAllocator Memory;
  std::vector<std::pair<clang::IdentifierInfo *, clang::MacroInfo *>>
      Swapped;           // the operators' definitions that are not in force
  bool InClang = false;  // a header of clang is being read, with the built-in operators
  bool Answered = false; // the outer macro has given the answer, from unexpanded tokens
};

} // namespace sis

#endif
