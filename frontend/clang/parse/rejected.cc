// SPDX-License-Identifier: BSD-3-Clause
// rejected.cc - collects clang's errors while it parses; see rejected.h. Runs in the thread that
// calls sis_ast_open. Its one idea: GCC accepts C that clang rejects (nested functions, structures
// of variable length), but the body of a function has no influence on the rest of the translation
// unit.
#include "clang/parse/rejected.h"

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
const FunctionDecl *Rejections::definitionAround(ASTContext &Context, SourceLocation At) const {
  const SourceManager &SM = Context.getSourceManager();
  for (const Decl *D : Context.getTranslationUnitDecl()->decls()) {
    const auto *F = dyn_cast<FunctionDecl>(D);
    if (!F || !F->isThisDeclarationADefinition() || F->isInvalidDecl())
      continue;
    const auto *Body = dyn_cast_or_null<CompoundStmt>(F->getBody());
    if (Body && SM.isBeforeInTranslationUnit(Body->getLBracLoc(), At) &&
        SM.isBeforeInTranslationUnit(At, Body->getRBracLoc()))
      return F;
  }
  return nullptr;
}

bool Rejections::confineTo(ASTContext &Context, RejectedFunctions &Found) {
  if (Fatal)
    return false;
  for (const Rejection &R : All) {
    const FunctionDecl *F = definitionAround(Context, R.At);
    if (!F)
      return false;
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
