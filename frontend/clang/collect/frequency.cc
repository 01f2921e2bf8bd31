// SPDX-License-Identifier: BSD-3-Clause
// frequency.cc - which functions are called in loops of their translation unit. collect.cc calls it
// before its walk; same thread. Its one idea: a function that a loop calls runs once per iteration,
// and so do the functions that it calls. In such functions probes cost more than in functions that
// are called rarely.
#include "clang/collect/frequency.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

using namespace clang;

namespace sis {

static constexpr uint64_t Often = 16; // least iterations of a loop with a known trip count

CallFrequency::CallFrequency(const ASTContext &Context) : Loops(Context) {
  for (const Decl *D : Context.getTranslationUnitDecl()->decls()) {
    const auto *F = dyn_cast<FunctionDecl>(D);
    if (!F || !F->isThisDeclarationADefinition() || !F->getBody())
      continue;
    HasMain |= F->isMain();
    Caller = F->getCanonicalDecl();
    visit(F->getBody(), false);
  }
  llvm::SmallVector<const FunctionDecl *, 32> Found(Frequent.begin(), Frequent.end());
  while (!Found.empty())
    for (const FunctionDecl *Callee : Calls.lookup(Found.pop_back_val()))
      if (Frequent.insert(Callee).second)
        Found.push_back(Callee);
}

void CallFrequency::visit(const Stmt *S, bool InLoop) {
  if (!S)
    return;
  if (const auto *Captured = dyn_cast<CapturedStmt>(S)) // of a directive of OpenMP
    return visit(Captured->getCapturedStmt(), InLoop);
  if (isa<ForStmt, WhileStmt, DoStmt>(S) && !InLoop) {
    std::optional<TripCount> Number = Loops.of(S);
    InLoop = !Number || Number->Number >= Often;
  }
  if (const auto *Call = dyn_cast<CallExpr>(S))
    if (const FunctionDecl *Callee = Call->getDirectCallee()) {
      if (InLoop)
        Frequent.insert(Callee->getCanonicalDecl());
      else
        Calls[Caller].push_back(Callee->getCanonicalDecl());
    }
  for (const Stmt *Child : S->children())
    visit(Child, InLoop);
}

} // namespace sis
