// forms.cc - see forms.h. Any thread; a unit belongs to one at a time. Its one idea: a region that could be a block
// with a scope guard is a flag only when one with probes inside it, or across it, is.
#include "forms.h"

#include "finish.h"

namespace sis {

namespace {

/// The regions of one function.
class Chooser {
public:
  Chooser(sis_ast &Ast, uint32_t First, uint32_t Last) : Ast(Ast), First(First), Last(Last) {}
  void choose();

private:
  bool mustBeFlag(const Region &R) const;
  void markOverlaps(Region &One);

  sis_ast &Ast;
  uint32_t First, Last;
};

} // namespace

/// Whether Inner's flag stands outside Outer, so that a return would end the two in the wrong order.
static bool reachesOut(const Region &Outer, const Region &Inner) {
  bool Inside = Outer.First <= Inner.First && Outer.Last >= Inner.Last;
  return Inside && formOf(Inner) == Form::Flag && Inner.Ways.Home <= Outer.First;
}

bool Chooser::mustBeFlag(const Region &R) const {
  for (uint32_t I = First; I < Last; ++I) {
    const Region &Other = Ast.Regions[I];
    if (&Other != &R && isEmitted(Other) && Other.How == Form::Flag && (reachesOut(R, Other) || overlap(Ast, R, Other)))
      return true;
  }
  return false;
}

/// A pair that stands apart may be open where it does not reach in the text, when control goes round a loop: the order
/// in which it and any other flag are left may be any.
void Chooser::markOverlaps(Region &One) {
  for (uint32_t I = First; I < Last; ++I) {
    Region &Other = Ast.Regions[I];
    if (&Other == &One || !isEmitted(Other) || formOf(Other) != Form::Flag)
      continue;
    if (One.Apart || overlap(Ast, One, Other))
      One.Overlaps = Other.Overlaps = true;
  }
}

void Chooser::choose() {
  for (uint32_t I = First; I < Last; ++I)
    Ast.Regions[I].AsFlag = Ast.Regions[I].Overlaps = false;
  for (bool Again = true; Again;) {
    Again = false;
    for (uint32_t I = First; I < Last; ++I)
      if (Region &R = Ast.Regions[I]; isEmitted(R) && isPlain(R) && mustBeFlag(R))
        Again = R.AsFlag = true;
  }
  for (uint32_t I = First; I < Last; ++I)
    if (Region &R = Ast.Regions[I]; isEmitted(R) && formOf(R) == Form::Flag && R.Public.directive != SIS_AST_NONE)
      markOverlaps(R);
}

/// In which functions each condition decides about some region.
static void findDeciding(sis_ast &Ast) {
  for (Directive &D : Ast.Directives)
    D.Deciding.clear();
  for (const Region &R : Ast.Regions)
    for (uint32_t Number : R.If)
      if (isEmitted(R))
        Ast.Directives[Number].Deciding.insert(R.Function);
}

void chooseForms(sis_ast &Ast) {
  for (uint32_t First = 0, Last; First < Ast.Regions.size(); First = Last) {
    Last = regionsOf(Ast, Ast.Regions[First].Function).second;
    Chooser(Ast, First, Last).choose();
  }
  findDeciding(Ast);
}

} // namespace sis
