// rejected.h - what clang calls an error, and the functions that it happened in.
#ifndef SIS_FRONTEND_REJECTED_H
#define SIS_FRONTEND_REJECTED_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/Diagnostic.h"

#include "llvm/ADT/DenseMap.h"

namespace sis {

struct Rejection {
  clang::SourceLocation At;
  clang::PresumedLoc Place;
  std::string Text;
};

/// Definitions whose bodies clang cannot read, each with its first error.
using RejectedFunctions = llvm::DenseMap<const clang::FunctionDecl *, const Rejection *>;

/// Keeps the errors. Those in system headers are the compiler's own extensions: its headers are right by definition.
class Rejections : public clang::DiagnosticConsumer {
public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level, const clang::Diagnostic &Info) override;

  /// Whether each error lies in the body of one function, which says nothing of the others. Once, when
  /// the unit is parsed.
  bool confineTo(clang::ASTContext &Context, RejectedFunctions &Found);

  /// The first error, when the unit cannot be used for it; else empty.
  std::string why() const;

private:
  const clang::FunctionDecl *definitionAround(clang::ASTContext &Context, clang::SourceLocation At) const;

  std::vector<Rejection> All;
  bool Fatal = false;    // the rest was not read, or not well
  bool Confined = false;
};

} // namespace sis

#endif
