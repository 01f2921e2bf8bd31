// SPDX-License-Identifier: BSD-3-Clause
// extents.cc - see extents.h. Any thread. regionsOf needs regions that are sorted by function.
#include "tu/extents.h"

#include "tu/tu.h"

#include <algorithm>

namespace sis {

std::pair<unsigned, unsigned> extentOf(const sis_ast &Ast, const Region &R) {
  if (R.Public.directive == SIS_AST_NONE || R.Sole)
    return {R.First, R.Last};
  const Directive &Begin = Ast.Directives[R.Public.directive];
  return {Begin.First, std::max(Ast.Directives[Begin.Public.match].First, Begin.First + 1)};
}

std::pair<uint32_t, uint32_t> regionsOf(const sis_ast &Ast, uint32_t Function) {
  const std::vector<Region> &All = Ast.Regions;
  auto First = std::partition_point(All.begin(), All.end(),
                                    [&](const Region &R) { return R.Function < Function; });
  auto End = std::partition_point(First, All.end(),
                                  [&](const Region &R) { return R.Function == Function; });
  return {First - All.begin(), End - All.begin()};
}

bool overlap(const sis_ast &Ast, const Region &One, const Region &Other) {
  auto [A, B] = extentOf(Ast, One);
  auto [C, D] = extentOf(Ast, Other);
  return One.Function == Other.Function && One.File != Region::NoFile &&
         Other.File != Region::NoFile && ((C < A && A < D && D < B) || (A < C && C < B && B < D));
}

} // namespace sis
