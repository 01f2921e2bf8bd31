// SPDX-License-Identifier: BSD-3-Clause
// cold_paths.cc - see cold_paths.h. cost.cc and frequency.cc call it; same thread. Its one idea:
// whether an arm is cold depends only on those of its statements that are executed whenever the arm
// is executed, not on statements under another condition.
#include "clang/collect/cold_paths.h"
#include "clang/parse/functions.h"
#include "clang/collect/trip_count.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace sis {

/// Functions that report an error to the user.
static bool reportsErrors(const FunctionDecl *F) {
  return llvm::StringSwitch<bool>(identifierOf(F))
      .Cases("perror", "warn", "warnx", "vwarn", "vwarnx", true)
      .Cases("error", "error_at_line", "psignal", true)
      .Default(false);
}

static bool isStderr(const Expr *E) {
  const auto *Reference = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return Reference && identifierOf(Reference->getDecl()) == "stderr";
}

static bool mayReturn(const Stmt *S) {
  if (!S || isa<ReturnStmt>(S))
    return S;
  return !isa<LambdaExpr>(S) && llvm::any_of(S->children(), mayReturn);
}

/// The call that the statement consists of; NULL if the statement is no call.
static const CallExpr *callOf(const Stmt *S) {
  const auto *E = dyn_cast<Expr>(S);
  return E ? dyn_cast<CallExpr>(E->IgnoreParenCasts()) : nullptr;
}

/// Whether the function has the attribute noreturn, or has no return statement and ends with a call
/// of a function that never returns.
bool ColdPaths::neverReturns(const FunctionDecl *F) {
  const FunctionDecl *Definition = F->getDefinition();
  if (F->isNoReturn() || (Definition && Definition->isNoReturn()))
    return true;
  const auto *Body = dyn_cast_or_null<CompoundStmt>(Definition ? Definition->getBody() : nullptr);
  auto [Known, IsNew] = NeverReturns.try_emplace(F->getCanonicalDecl(), false);
  if (!IsNew || !Body || Body->body_empty())
    return Known->second; // false in a recursive call
  const CallExpr *Last = callOf(Body->body_back());
  bool Ends = Last && Last->getDirectCallee() && neverReturns(Last->getDirectCallee()) &&
              !mayReturn(Body);
  return NeverReturns[F->getCanonicalDecl()] = Ends;
}

bool ColdPaths::isCold(const FunctionDecl *F) {
  return F->hasAttr<ColdAttr>() || neverReturns(F);
}

bool ColdPaths::isCold(const CallExpr *C) {
  const FunctionDecl *F = C->getDirectCallee();
  return (F && (isCold(F) || reportsErrors(F))) || llvm::any_of(C->arguments(), isStderr);
}

bool ColdPaths::isCold(const Stmt *Arm) {
  if (!Arm)
    return false;
  // The answer is kept. Otherwise N nested cases or blocks would take N * N steps.
  if (auto Known = ColdArms.find(Arm); Known != ColdArms.end())
    return Known->second;
  bool Cold = findCold(Arm);
  ColdArms[Arm] = Cold;
  return Cold;
}

bool ColdPaths::findCold(const Stmt *Arm) {
  if (const auto *E = dyn_cast<Expr>(Arm)) {
    E = E->IgnoreParenCasts();
    const auto *Binary = dyn_cast<BinaryOperator>(E);
    if (const auto *Block = dyn_cast<StmtExpr>(E))
      return isCold(Block->getSubStmt());
    if (Binary && Binary->getOpcode() == BO_Comma)
      return isCold(Binary->getLHS()) || isCold(Binary->getRHS());
    const CallExpr *Call = callOf(E);
    return Call && isCold(Call);
  }
  if (const auto *Label = dyn_cast<LabelStmt>(Arm))
    return Label->getDecl()->hasAttr<ColdAttr>() || isCold(Label->getSubStmt());
  if (isa<AttributedStmt>(Arm) && Stmt::getLikelihood(Arm) == Stmt::LH_Unlikely)
    return true;
  // A block or the like: its statements are under no further condition.
  if (isa<CompoundStmt, AttributedStmt, SwitchCase>(Arm))
    return llvm::any_of(Arm->children(), [&](const Stmt *S) { return isCold(S); });
  return runsOnce(Arm) && isCold(cast<DoStmt>(Arm)->getBody());
}

std::optional<bool> ColdPaths::expected(const Expr *Condition) const {
  if (!Condition) // if consteval
    return std::nullopt;
  const Expr *E = Condition->IgnoreParenCasts();
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    unsigned Builtin = Call->getBuiltinCallee();
    Expr::EvalResult Value;
    bool Expects = Builtin == Builtin::BI__builtin_expect ||
                   Builtin == Builtin::BI__builtin_expect_with_probability;
    if (Expects && !Call->getArg(1)->isValueDependent() &&
        Call->getArg(1)->EvaluateAsInt(Value, Context))
      return Value.Val.getInt() != 0;
    return std::nullopt;
  }
  if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
    std::optional<bool> Inverse =
        Unary->getOpcode() == UO_LNot ? expected(Unary->getSubExpr()) : std::nullopt;
    return Inverse ? std::optional<bool>(!*Inverse) : std::nullopt;
  }
  const auto *Binary = dyn_cast<BinaryOperator>(E);
  if (!Binary || !Binary->isLogicalOp())
    return std::nullopt;
  std::optional<bool> Left = expected(Binary->getLHS()), Right = expected(Binary->getRHS());
  bool Decisive = Binary->getOpcode() == BO_LOr; // one operand with this value is enough
  if (Left == Decisive || Right == Decisive)
    return Decisive;
  return Left && Right ? Left : std::nullopt;
}

} // namespace sis
