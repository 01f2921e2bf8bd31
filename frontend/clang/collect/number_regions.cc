// SPDX-License-Identifier: BSD-3-Clause
// number_regions.cc - see number_regions.h. Runs once per translation unit, in the thread that
// calls sis_ast_open, when all regions are collected. Its one idea: order, parents and ordinals
// follow from extents alone.
#include "clang/collect/number_regions.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>

namespace sis {

/// The name of a function without the line that names a lambda.
static llvm::StringRef withoutLine(llvm::StringRef Function) {
  return Function.starts_with("lambda@") ? Function.drop_until([](char C) { return C == ' '; })
                                         : Function;
}

/// Gives names to regions without a name. Sets the ordinals of regions with the same type and bare
/// name in a function. Functions are identified by name and file, because GNU C may define an
/// inline function twice.
static void nameRegions(sis_ast &Ast) {
  llvm::StringMap<uint32_t> Seen;
  for (Region &R : Ast.Regions) {
    if (!*R.Public.name)
      R.Public.name = Ast.keep(std::string(R.BareName) + "@" + std::to_string(R.Public.begin.line));
    llvm::SmallString<256> Key;
    llvm::StringRef Function = withoutLine(R.Public.function), Name = withoutLine(R.BareName);
    for (llvm::StringRef Part :
         {llvm::StringRef(R.Public.begin.file), Function,
          llvm::StringRef(sis_region_table[R.Public.type].name), Name})
      (Key += Part) += ':';
    R.Public.ordinal = Seen[Key]++;
  }
}

/// Marks the regions between `measure disable` and `enable`. A pair of directives that is only
/// partly between them gets an obstacle.
static void switchOff(sis_ast &Ast, const Directive &Off) {
  unsigned On = Ast.Directives[Off.Public.match].Last;
  for (Region &R : Ast.Regions) {
    R.Public.measure_off |= regionInDirective(Ast, R, Off);
    bool BeginsOff = R.First > Off.First && R.First<On, EndsOff = R.Last> Off.Last && R.Last < On;
    if (R.Public.directive != SIS_AST_NONE && R.File == Off.File && BeginsOff != EndsOff &&
        !R.Public.obstacle)
      R.Public.obstacle = BeginsOff
                              ? "begins where measurement is switched off and ends where it is on"
                              : "ends where measurement is switched off and begins where it is on";
  }
}

static void connectDirectives(sis_ast &Ast, Reporter &Report) {
  for (uint32_t I = 0; I < Ast.Regions.size(); ++I)
    if (Ast.Regions[I].Public.directive != SIS_AST_NONE)
      Ast.Directives[Ast.Regions[I].Public.directive].Public.region = I;
  for (Directive &D : Ast.Directives) {
    D.Items.push_back(nullptr);
    D.Metrics.push_back(nullptr);
    D.Public.items = D.Items.data();
    D.Public.metrics = D.Metrics.data();
    D.Public.item_positions = D.ItemPositions.data();
    D.Public.metric_positions = D.MetricPositions.data();
    bool Outside = D.Function == SIS_AST_NONE && !Report.Failed;
    if (Outside && D.Public.kind == SIS_AST_CR_BEGIN && *D.Public.name)
      Report(SIS_AST_ERROR, D.Public.position,
             std::string("region '") + D.Public.name + "' is outside a function");
    if (Outside && (D.Public.kind == SIS_AST_TRACE_START || D.Public.kind == SIS_AST_TRACE_STOP))
      Report(SIS_AST_ERROR, D.Public.position,
             "directive stands where no statement may: outside a function");
    if (D.Public.kind == SIS_AST_MEASURE_OFF && D.Public.match != SIS_AST_NONE)
      switchOff(Ast, D);
  }
}

void numberRegions(sis_ast &Ast, Reporter &Report) {
  // An outer region stands before those inside it. Regions with the same extent keep the order of
  // collection.
  std::stable_sort(Ast.Regions.begin(), Ast.Regions.end(), [](const Region &A, const Region &B) {
    if (A.Function != B.Function)
      return A.Function < B.Function;
    return A.First != B.First ? A.First < B.First : A.Last > B.Last;
  });
  std::vector<uint32_t> Around;
  for (uint32_t I = 0; I < Ast.Regions.size(); ++I) {
    Region &R = Ast.Regions[I];
    while (!Around.empty() && (Ast.Regions[Around.back()].Function != R.Function ||
                               Ast.Regions[Around.back()].Last < R.Last))
      Around.pop_back();
    R.Public.parent = Around.empty() ? SIS_AST_NONE : Around.back();
    Around.push_back(I);
  }
  nameRegions(Ast);
  connectDirectives(Ast, Report);
  Ast.Reaching.fill(Ast);
}

} // namespace sis
