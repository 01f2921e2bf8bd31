// SPDX-License-Identifier: BSD-3-Clause
// frequency.cc - which functions are called in loops of their translation unit. collect.cc calls it
// before its walk; same thread. Its one idea: a function that a loop calls runs once per iteration,
// and so do the functions that it calls. In such functions probes cost more than in functions that
// are called rarely.
#include "clang/collect/frequency.h"
#include "clang/parse/functions.h"

#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"

using namespace clang;

namespace sis {

static constexpr uint64_t Often = 16; // least iterations of a loop with a known trip count

CallFrequency::CallFrequency(const ASTContext &Context) : Loops(Context) {
  for (const FunctionDecl *F : definedFunctions(Context)) {
    HasMain |= F->isMain();
    Caller = F->getCanonicalDecl();
    if (isLambda(F)) // an algorithm may call it for each element
      Frequent.insert(Caller);
    visit(F->getBody(), false);
  }
  llvm::SmallVector<const FunctionDecl *, 32> Found(Frequent.begin(), Frequent.end());
  while (!Found.empty())
    for (const FunctionDecl *Callee : Calls.lookup(Found.pop_back_val()))
      if (Frequent.insert(Callee).second)
        Found.push_back(Callee);
}

void CallFrequency::visit(const Stmt *S, bool InLoop) {
  if (!S || isa<LambdaExpr>(S))
    return;
  if (const auto *Captured = dyn_cast<CapturedStmt>(S)) // of a directive of OpenMP
    return visit(Captured->getCapturedStmt(), InLoop);
  if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S) && !InLoop) {
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
