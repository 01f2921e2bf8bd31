// SPDX-License-Identifier: BSD-3-Clause
// device.cc - finds the functions that may run on a device; see device.h. Runs once per translation
// unit, before the walk of collect.cc, in the same thread. Its one idea: a compiler generates
// device code for every function that a target region or a function for devices uses, and rejects
// the runtime's thread-local state there. Of a function that clang could not parse, only the tokens
// are known. If such a function has a directive `target`, every name in the function counts as used
// by a device.
#include "clang/collect/device.h"
#include "clang/parse/functions.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtOpenMP.h"

using namespace clang;

namespace sis {

namespace {
/// The function that S itself names; NULL if S names none.
const FunctionDecl *named(const Stmt *S) {
  const Decl *D = nullptr;
  if (const auto *Reference = dyn_cast<DeclRefExpr>(S))
    D = Reference->getDecl();
  else if (const auto *Member = dyn_cast<MemberExpr>(S))
    D = Member->getMemberDecl();
  else if (const auto *Construct = dyn_cast<CXXConstructExpr>(S))
    D = Construct->getConstructor();
  else if (const auto *Lambda = dyn_cast<LambdaExpr>(S))
    D = Lambda->getCallOperator();
  return dyn_cast_or_null<FunctionDecl>(D);
}

class DeviceSearch {
public:
  DeviceSearch(ASTContext &Context, DeviceFunctions &Found) : Context(Context), Found(Found) {}

  void add(const FunctionDecl *F) {
    if (!Found.insert(F->getCanonicalDecl()).second)
      return;
    if (const FunctionDecl *Definition = F->getDefinition())
      Waiting.push_back(Definition);
    for (const FunctionDecl *Declaration : F->redecls())
      for (const auto *Variant : Declaration->specific_attrs<OMPDeclareVariantAttr>())
        statement(Variant->getVariantFuncRef(), true);
    if (const auto *Alias = F->getAttr<AliasAttr>())
      add(&Context.Idents.get(Alias->getAliasee()));
  }

  void add(const IdentifierInfo *Name) {
    for (const NamedDecl *D : Context.getTranslationUnitDecl()->lookup(Name))
      if (const auto *F = dyn_cast<FunctionDecl>(D))
        add(F);
  }

  /// Visits S. OnDevice: whether the functions that it names run on a device.
  void statement(const Stmt *S, bool OnDevice) {
    if (!S)
      return;
    if (const auto *D = dyn_cast<OMPExecutableDirective>(S))
      return directive(D, OnDevice);
    if (const FunctionDecl *F = OnDevice ? named(S) : nullptr)
      add(F);
    if (const auto *Declaration = dyn_cast<DeclStmt>(S))
      for (const Decl *D : Declaration->decls())
        if (const auto *Variable = dyn_cast<VarDecl>(D); Variable && Variable->isStaticLocal())
          statement(Variable->getInit(), OnDevice);
    for (const Stmt *Child : S->children())
      statement(Child, OnDevice);
  }

  void finish() {
    while (!Waiting.empty())
      statement(Waiting.pop_back_val()->getBody(), true);
  }

private:
  void directive(const OMPExecutableDirective *D, bool OnDevice) {
    if (D->hasAssociatedStmt())
      statement(D->getRawStmt(),
                OnDevice || isOpenMPTargetExecutionDirective(D->getDirectiveKind()));
  }

  ASTContext &Context;
  DeviceFunctions &Found;
  llvm::SmallVector<const FunctionDecl *, 8> Waiting;
};
} // namespace

/// The tokens of a function's body.
static llvm::ArrayRef<SeenToken> bodyOf(const FunctionDecl *F, const Record &Seen,
                                        const SourceManager &SM) {
  llvm::ArrayRef<SeenToken> All = Seen.Tokens;
  auto Before = [&SM](const SeenToken &T, SourceLocation Loc) {
    return SM.isBeforeInTranslationUnit(T.Loc, Loc);
  };
  const auto *Begin = llvm::lower_bound(All, F->getBody()->getBeginLoc(), Before);
  return {Begin, std::lower_bound(Begin, All.end(), F->getBody()->getEndLoc(), Before)};
}

static bool hasTarget(llvm::ArrayRef<SeenToken> Tokens) {
  bool InDirective = false;
  for (const SeenToken &T : Tokens) {
    if (T.Kind == tok::annot_pragma_openmp || T.Kind == tok::annot_pragma_openmp_end)
      InDirective = T.Kind == tok::annot_pragma_openmp;
    else if (InDirective && T.Name && T.Name->isStr("target"))
      return true;
  }
  return false;
}

DeviceFunctions deviceFunctions(ASTContext &Context, const RejectedFunctions &Rejected,
                                const Record &Seen) {
  DeviceFunctions Found;
  if (!Context.getLangOpts().OpenMP)
    return Found;
  DeviceSearch Search(Context, Found);
  for (const Decl *D : Context.getTranslationUnitDecl()->decls()) {
    const auto *F = dyn_cast<FunctionDecl>(D);
    const auto *Variable = dyn_cast<VarDecl>(D);
    bool Declared = D->hasAttr<OMPDeclareTargetDeclAttr>();
    if (F && Declared)
      Search.add(F);
    if (Variable && Declared)
      Search.statement(Variable->getInit(), true);
  }
  for (const FunctionDecl *F : definedFunctions(Context))
    Search.statement(F->getBody(), F->hasAttr<OMPDeclareTargetDeclAttr>());
  for (const auto &[F, Why] : Rejected) {
    llvm::ArrayRef<SeenToken> Body = bodyOf(F, Seen, Context.getSourceManager());
    if (hasTarget(Body))
      for (const SeenToken &T : Body)
        if (T.Name)
          Search.add(T.Name);
  }
  Search.finish();
  return Found;
}

} // namespace sis
