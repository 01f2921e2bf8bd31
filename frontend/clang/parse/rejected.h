/* SPDX-License-Identifier: BSD-3-Clause */
// rejected.h - clang's errors, and the functions in which they are.
#ifndef SIS_FRONTEND_REJECTED_H
#define SIS_FRONTEND_REJECTED_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/Diagnostic.h"

#include "llvm/ADT/DenseMap.h"

namespace sis {

struct Rejection {
  clang::SourceLocation At;
  clang::PresumedLoc Position;
  std::string Text;
};

/// Definitions whose bodies clang cannot parse, each with its first error.
using RejectedFunctions = llvm::DenseMap<const clang::FunctionDecl *, const Rejection *>;

/// Collects the errors. Errors in system headers are ignored, because these headers use extensions
/// of the compiler.
class Rejections : public clang::DiagnosticConsumer {
public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override;

  /// Whether each error is in the body of a function, so that all other functions can be used.
  /// Called once, after the file is parsed.
  bool confineTo(clang::ASTContext &Context, RejectedFunctions &Found);

  /// The first error, if it makes the whole translation unit unusable; else empty.
  std::string why() const;

  /// The first error; null if there is none.
  const Rejection *first() const { return All.empty() ? nullptr : &All.front(); }

private:
  std::vector<Rejection> All;
  bool Fatal = false;    // the rest of the file was not read, or not correctly
  bool Confined = false;
};

} // namespace sis

#endif
