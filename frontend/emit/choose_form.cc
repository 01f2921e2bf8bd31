// SPDX-License-Identifier: BSD-3-Clause
// choose_form.cc - see choose_form.h. Any thread; one thread at a time uses a sis_ast. Its one
// idea: a region that can be a block with a scope guard becomes a flag only if a region inside it
// or across it has probes and is a flag.
#include "emit/choose_form.h"

#include "tu/extents.h"
#include "tu/range_index.h"

namespace sis {

namespace {

/// The regions of one function.
class Chooser {
public:
  Chooser(sis_ast &Ast, uint32_t First, uint32_t Last) : Ast(Ast), First(First), Last(Last) {}
  void choose();

private:
  void index();
  bool mustBeFlag(const Region &R) const;
  bool overlapsFlag(const Region &R) const;
  void markAllOverlapping();

  sis_ast &Ast;
  uint32_t First, Last;
  OverlapIndex Extents; // of the regions that are flags, or may become flags
  RangeIndex DeclPoints;  // of the same regions, by begin: their DeclPoint, negated
};

} // namespace

void Chooser::index() {
  for (uint32_t I = First; I < Last; ++I) {
    const Region &R = Ast.Regions[I];
    if (!isEmitted(R) || R.How != Form::Flag)
      continue;
    auto [Begin, End] = extentOf(Ast, R);
    Extents.add(Begin, End, I);
    DeclPoints.add(R.First, -int64_t(R.FlagCrossings.DeclPoint), I);
  }
  Extents.finish();
  DeclPoints.finish();
}

bool Chooser::mustBeFlag(const Region &R) const {
  auto [Begin, End] = extentOf(Ast, R);
  auto Across = [&](uint32_t I) { return overlap(Ast, R, Ast.Regions[I]); };
  // Whether the variable of a flag inside R is declared outside R, so that a return would end the
  // two regions in the wrong order.
  auto Out = [&](uint32_t I) {
    const Region &Inner = Ast.Regions[I];
    return &Inner != &R && R.First <= Inner.First && R.Last >= Inner.Last &&
           formOf(Inner) == Form::Flag && Inner.FlagCrossings.DeclPoint <= R.First;
  };
  return Extents.visit(Begin, End, Across) ||
         DeclPoints.visit(R.First, int64_t(R.Last) + 1, -int64_t(R.First), Out);
}

bool Chooser::overlapsFlag(const Region &R) const {
  auto [Begin, End] = extentOf(Ast, R);
  return Extents.visit(Begin, End, [&](uint32_t I) {
    return formOf(Ast.Regions[I]) == Form::Flag && overlap(Ast, R, Ast.Regions[I]);
  });
}

/// If control goes round a loop, the region of a pair that splits statements may be open outside of
/// its text. Then this region and the other flags may be left in any order. So all flags of the
/// function count as overlapping.
void Chooser::markAllOverlapping() {
  std::vector<Region *> Flags;
  for (uint32_t I = First; I < Last; ++I)
    if (Region &R = Ast.Regions[I]; isEmitted(R) && formOf(R) == Form::Flag)
      Flags.push_back(&R);
  for (Region *R : Flags)
    R->Overlaps = Flags.size() > 1;
}

void Chooser::choose() {
  for (uint32_t I = First; I < Last; ++I)
    Ast.Regions[I].AsFlag = Ast.Regions[I].Overlaps = false;
  index();
  bool SplitsStatements = false;
  for (bool Again = true; Again;) {
    Again = false;
    for (uint32_t I = First; I < Last; ++I)
      if (Region &R = Ast.Regions[I]; isEmitted(R) && isPlain(R) && mustBeFlag(R))
        Again = R.AsFlag = true;
  }
  for (uint32_t I = First; I < Last; ++I)
    if (Region &R = Ast.Regions[I]; isEmitted(R) && formOf(R) == Form::Flag) {
      R.Overlaps = overlapsFlag(R);
      SplitsStatements |= R.SplitsStatements;
    }
  if (SplitsStatements)
    markAllOverlapping();
}

void chooseForms(sis_ast &Ast) {
  for (uint32_t First = 0, Last; First < Ast.Regions.size(); First = Last) {
    Last = regionsOf(Ast, Ast.Regions[First].Function).second;
    Chooser(Ast, First, Last).choose();
  }
  for (Directive &D : Ast.Directives)
    D.ConditionFunctions.clear();
  for (const Region &R : Ast.Regions)
    for (uint32_t Number : R.If)
      if (isEmitted(R))
        Ast.Directives[Number].ConditionFunctions.insert(R.Function);
}

} // namespace sis
