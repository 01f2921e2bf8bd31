// SPDX-License-Identifier: BSD-3-Clause
// reach.cc - see reach.h. Any thread. Directives are sorted by position, and so are the regions of
// a function.
#include "tu/reach.h"

#include "tu/extents.h"
#include "tu/tu.h"

#include <algorithm>

namespace sis {

bool regionInDirective(const sis_ast &Ast, const Region &R, const Directive &D) {
  if (R.File == Region::NoFile)
    return false;
  if (D.Public.match != SIS_AST_NONE)
    return R.First >= D.First && R.Last <= Ast.Directives[D.Public.match].Last;
  return D.Function == SIS_AST_NONE ? D.File == R.File : D.Function == R.Function;
}

std::pair<uint32_t, uint32_t> regionsWithin(const sis_ast &Ast, const Directive &D) {
  if (D.Function == SIS_AST_NONE)
    return {0, Ast.Regions.size()};
  auto [First, Last] = regionsOf(Ast, D.Function);
  if (D.Public.match == SIS_AST_NONE)
    return {First, Last};
  auto From = [&, First = First, Last = Last](unsigned Offset) {
    auto Begin = Ast.Regions.begin();
    auto Before = [&](const Region &R) { return R.First < Offset; };
    return std::partition_point(Begin + First, Begin + Last, Before) - Begin;
  };
  return {From(D.First), From(Ast.Directives[D.Public.match].Last)};
}

void Reach::fill(const sis_ast &Ast) {
  for (uint32_t I = 0; I < Ast.Directives.size(); ++I) {
    const Directive &D = Ast.Directives[I];
    bool Asks = D.Public.kind == SIS_AST_CR_BEGIN || D.Public.kind == SIS_AST_CR_GLOBAL;
    if (!Asks || (*D.Public.name && !*D.Public.items))
      continue; // the directive requests no region, or only its own
    if (D.Public.match != SIS_AST_NONE)
      Pairs.add(I, Ast.Directives[D.Public.match].Last, I);
    else if (D.Function != SIS_AST_NONE)
      OfFunction[D.Function].push_back(I);
    else
      OfFile[D.File].push_back(I);
  }
  Pairs.finish();
}

uint32_t Reach::next(const sis_ast &Ast, const Region &R, uint32_t From) const {
  uint32_t Next = SIS_AST_NONE;
  if (R.File == Region::NoFile)
    return Next;
  auto Take = [&](uint32_t Number) {
    Next = std::min(Next, Number);
    return true;
  };
  auto TakeFrom = [&](const std::map<uint32_t, std::vector<uint32_t>> &All, uint32_t Key) {
    auto Found = All.find(Key);
    if (Found == All.end())
      return;
    auto Number = std::lower_bound(Found->second.begin(), Found->second.end(), From);
    if (Number != Found->second.end())
      Take(*Number);
  };
  auto Behind = [](unsigned Offset, const Directive &D) { return Offset < D.First; };
  auto Last = std::upper_bound(Ast.Directives.begin(), Ast.Directives.end(), R.First, Behind);
  Pairs.visit(From, Last - Ast.Directives.begin(), R.Last, Take);
  TakeFrom(OfFunction, R.Function);
  TakeFrom(OfFile, R.File);
  return Next;
}

} // namespace sis
