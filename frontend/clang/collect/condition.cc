// SPDX-License-Identifier: BSD-3-Clause
// condition.cc - where `if(...)` of a directive is evaluated. Part of the walk of collect.h; same
// thread, at the end of each function. Its one idea: a variable with the crossings of a Form::Flag
// holds the result, so the condition is evaluated once each time the scope is entered, as a part of
// the program.
#include "clang/collect/collect.h"

using namespace clang;

namespace sis {

/// Whether the function or the file declares Name before At, or the compiler may declare it.
bool Collector::isVisible(const std::string &Name, unsigned At) const {
  if (Model.isVisible(&Context.Idents.get(Name), At))
    return true;
  for (const NamedDecl *Found : Context.getTranslationUnitDecl()->lookup(&Context.Idents.get(Name)))
    for (const Decl *D : Found->redecls())
      if (D->getLocation().isInvalid() || Map.offset(D->getLocation()) < At)
        return true;
  return llvm::StringRef(Name).starts_with("__");
}

const char *Collector::hiddenName(const Directive &D, unsigned At) const {
  for (const std::string &Name : D.Names)
    if (!isVisible(Name, At))
      return Ast.keep("'" + Name + "' is not visible " +
                      (D.Public.kind == SIS_AST_CR_BEGIN
                           ? std::string("here")
                           : "at the beginning of function '" + std::string(FunctionName) + "'"));
  return nullptr;
}

/// Finds the crossings of the condition's scope, as if it were a region.
void Collector::scopedCondition(Directive &Begin) {
  const Directive &End = Ast.Directives[Begin.Public.match];
  Region &Scope = Begin.Scope;
  Scope.Public.directive = &Begin - &Ast.Directives[0];
  Scope.First = Begin.First;
  Scope.Last = std::max(End.Last, End.First + 1);
  choosePairForm(Scope, Begin, End);
  Scope.How = Form::Flag;
  const char *Why = firstOf(hiddenName(Begin, Begin.First), Scope.Public.obstacle);
  if (!Why)
    Why = becomeFlag(Scope);
  if (Why)
    Begin.ConditionObstacle[FunctionNumber] = Why;
}

void Collector::conditions(unsigned BodyFirst, unsigned BodyLast) {
  auto AtTop = [&](Directive &D) {
    if (const char *Why = hiddenName(D, BodyFirst + 1))
      D.ConditionObstacle[FunctionNumber] = Why;
  };
  for (auto [I, End] = directivesIn(BodyFirst, BodyLast); I < End; ++I) {
    Directive &D = Ast.Directives[I];
    if (!*D.Public.condition || Owners[I] != Current)
      continue;
    if (D.Public.kind == SIS_AST_CR_BEGIN && D.Public.match != SIS_AST_NONE)
      scopedCondition(D);
    else if (D.Public.kind == SIS_AST_CR_GLOBAL)
      AtTop(D);
  }
  for (uint32_t Number : OutsideConditions)
    AtTop(Ast.Directives[Number]);
}

} // namespace sis
