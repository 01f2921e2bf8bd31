// forms.cc - see forms.h. Any thread; a unit belongs to one at a time. Its one idea: a region that could be a block
// with a scope guard is a flag only when one with probes inside it, or across it, is.
#include "forms.h"

#include "finish.h"

namespace sis {

/// Whether Inner's flag stands outside Outer, so that a return would end the two in the wrong order.
static bool reachesOut(const Region &Outer, const Region &Inner) {
  bool Inside = Outer.Function == Inner.Function && Outer.First <= Inner.First && Outer.Last >= Inner.Last;
  return Inside && formOf(Inner) == Form::Flag && Inner.Ways.Home <= Outer.First;
}

static bool mustBeFlag(const sis_ast &Ast, const Region &R) {
  for (const Region &Other : Ast.Regions)
    if (&Other != &R && isEmitted(Other) && Other.How == Form::Flag && (reachesOut(R, Other) || overlap(Ast, R, Other)))
      return true;
  return false;
}

static void findOverlaps(sis_ast &Ast, Region &One) {
  for (Region &Other : Ast.Regions)
    if (isEmitted(Other) && formOf(Other) == Form::Flag && overlap(Ast, One, Other))
      One.Overlaps = Other.Overlaps = true;
}

void chooseForms(sis_ast &Ast) {
  for (Region &R : Ast.Regions)
    R.AsFlag = R.Overlaps = false;
  for (bool Again = true; Again;) {
    Again = false;
    for (Region &R : Ast.Regions)
      if (isEmitted(R) && isPlain(R) && mustBeFlag(Ast, R))
        Again = R.AsFlag = true;
  }
  for (Region &R : Ast.Regions)
    if (isEmitted(R) && formOf(R) == Form::Flag && R.Public.directive != SIS_AST_NONE)
      findOverlaps(Ast, R);
}

} // namespace sis
