/* SPDX-License-Identifier: BSD-3-Clause */
// answers.h - the real compiler's values of __has_builtin(x) and similar operators.
#ifndef SIS_FRONTEND_ANSWERS_H
#define SIS_FRONTEND_ANSWERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <string>

namespace sis {

/// The operators of the preprocessor that ask the compiler about itself, and the real compiler's
/// answers.
class Answers {
public:
  /// All operators that clang knows. The answers say which of them the real compiler has.
  static llvm::ArrayRef<const char *> operators();

  /// Text for the real compiler's preprocessor. The text asks which operators the compiler has, and
  /// asks the questions of common system headers.
  static std::string firstQuestions();
  /// Text for the real compiler's preprocessor that asks the given questions, each in the form
  /// OPERATOR(OPERAND).
  static std::string questions(llvm::ArrayRef<std::string> Asked);
  /// Reads the answers in the preprocessor's output for a text of questions.
  void read(llvm::StringRef Output);

  bool hasOperator(llvm::StringRef Operator) const { return Operators.contains(Operator); }
  /// The answer, as text; null if the question was not asked.
  const std::string *find(llvm::StringRef Question) const;

private:
  llvm::StringSet<> Operators;
  llvm::StringMap<std::string> Known;
};

} // namespace sis

#endif
