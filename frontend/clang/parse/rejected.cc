// SPDX-License-Identifier: BSD-3-Clause
// rejected.cc - collects clang's errors while it parses; see rejected.h. Runs in the thread that
// calls sis_ast_open. Its one idea: GCC accepts C that clang rejects (nested functions, structures
// of variable length), but the body of a function has no influence on the rest of the translation
// unit.
#include "clang/parse/rejected.h"
#include "clang/parse/functions.h"

#include "clang/AST/Stmt.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace sis {

void Rejections::HandleDiagnostic(DiagnosticsEngine::Level Level, const Diagnostic &Info) {
  if (Level < DiagnosticsEngine::Error)
    return;
  if (DiagnosticIDs::isBuiltinWarningOrExtension(Info.getID()))
    return; // an error in clang by default, a warning in GCC: implicit declarations ...
  // GCC's attributes have arguments that clang does not know, such as malloc (deallocator,
  // position). Clang then drops the attribute, and nothing in the frontend depends on it. If the
  // attribute is really wrong, the compiler reports this.
  if (Info.getID() == diag::err_attribute_wrong_number_arguments ||
      Info.getID() == diag::err_attribute_too_many_arguments ||
      Info.getID() == diag::err_attribute_too_few_arguments)
    return;
  bool HasPosition = Info.hasSourceManager() && Info.getLocation().isValid();
  if (Level == DiagnosticsEngine::Error && HasPosition) {
    const SourceManager &SM = Info.getSourceManager();
    if (SM.isInSystemHeader(SM.getExpansionLoc(Info.getLocation())))
      return;
  }
  llvm::SmallString<128> Message;
  Info.FormatDiagnostic(Message);
  Rejection &R = All.emplace_back();
  R.Text = Message.str().str();
  if (HasPosition) {
    R.At = Info.getLocation();
    R.Position = Info.getSourceManager().getPresumedLoc(R.At);
  }
  Fatal |= Level == DiagnosticsEngine::Fatal || R.Position.isInvalid();
}

/// The function whose body contains the position; null if there is none. An error in a declarator
/// or parameter is in no body, because it also affects the callers of the function.
static const FunctionDecl *definitionAround(llvm::ArrayRef<const FunctionDecl *> Functions,
                                            const SourceManager &SM, SourceLocation At) {
  const FunctionDecl *Innermost = nullptr;
  for (const FunctionDecl *F : Functions) {
    const CompoundStmt *Body = F->isInvalidDecl() ? nullptr : bodyBlock(F);
    if (Body && SM.isBeforeInTranslationUnit(Body->getLBracLoc(), At) &&
        SM.isBeforeInTranslationUnit(At, Body->getRBracLoc()))
      Innermost = F;
  }
  return Innermost;
}

bool Rejections::confineTo(ASTContext &Context, RejectedFunctions &Found) {
  if (Fatal)
    return false;
  std::vector<const FunctionDecl *> Functions;
  if (!All.empty())
    Functions = definedFunctions(Context);
  for (const Rejection &R : All) {
    const FunctionDecl *F = definitionAround(Functions, Context.getSourceManager(), R.At);
    if (!F)
      return false;
    for (; F; F = functionAround(F)) // clang may have dropped a part of each
      Found.try_emplace(F, &R);
  }
  return Confined = true;
}

std::string Rejections::why() const {
  if (All.empty() || Confined)
    return "";
  const Rejection &R = All.front();
  return R.Position.isValid() ? std::string(R.Position.getFilename()) + ":" +
                                 std::to_string(R.Position.getLine()) + ": " + R.Text
                           : R.Text;
}

} // namespace sis
