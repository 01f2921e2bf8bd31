// SPDX-License-Identifier: BSD-3-Clause
// emit_crossings.cc - see emit_crossings.h. Any thread; reads the sis_ast. Its one idea: at one
// target of jumps, regions are first left, innermost first, and then entered, outermost first. The
// order in which emitCrossings is called does not matter.
#include "emit/emit_crossings.h"

#include "emit/expand_folds.h"
#include "emit/inserted.h"
#include "tu/extents.h"

namespace sis {

namespace {

constexpr uint32_t Most = 0x7fffffff; // numbers of variables are smaller

class Emitter {
public:
  Emitter(Edits &All, const sis_ast &Ast, const RangeIndex &Ends, uint32_t Function,
          uint32_t Number)
      : All(All), Ast(Ast), Ends(Ends), Number(Number), Regions(regionsOf(Ast, Function)) {}
  void put(const JumpTarget &L, const std::string &Text, bool Entering) {
    uint64_t Order = Entering ? uint64_t(Most) + 2 + Number : 1 + Most - Number;
    if (L.Side == JumpTarget::Before)
      before(L, Text, Order);
    else if (L.Side == JumpTarget::After)
      after(L, Text);
    else
      inHeader(L, Text, Order);
  }

  /// Declares the variable first in its block: behind the probe of the block, before the probes of
  /// regions that begin there.
  void declare(unsigned DeclPoint, const std::string &Text) {
    All.open(DeclPoint, depthOf(firstFrom(DeclPoint)) - 1, " " + Text, Number);
  }

private:
  static std::string lines(const Point &P) {
    return P.OwnLine ? "\n" + lineDirective(P.Mark) : " ";
  }

  /// The order of two statements in one region: the inner one begins later.
  static uint64_t subOf(const JumpTarget &L, uint32_t Number) {
    return uint64_t(L.First) << 32 | Number;
  }

  void before(const JumpTarget &L, const std::string &Text, uint64_t Order) {
    if (L.Sole) {
      std::string Line = L.End.OwnLine ? "\n" + lineDirective(L.End.Mark) : "";
      All.target(L.Begin.Offset, 0, std::string(BlockBegin) + " ");
      All.close(L.End.Offset, insideOf(L, false),
                (Line.empty() ? " " : "") + std::string(BlockEnd) + Line, subOf(L, 0));
    }
    All.target(L.Begin.Offset, Order, statement(Text) + lines(L.Begin));
  }

  void after(const JumpTarget &L, const std::string &Text) {
    uint32_t Depth = insideOf(L, true);
    std::string Line = L.End.OwnLine ? "\n" + lineDirective(L.End.Mark) : "";
    if (L.Sole) { // the brace is outermost: the smallest depth
      All.open(L.Begin.Offset, Depth, BlockBegin + lines(L.Begin), subOf(L, 1));
      All.close(L.End.Offset, Depth, " " + std::string(BlockEnd) + Line, subOf(L, 1));
    }
    All.close(L.End.Offset, Depth, " " + statement(Text) + Line, subOf(L, 2 + Number));
  }

  void inHeader(const JumpTarget &L, const std::string &Text, uint64_t Order) {
    All.target(L.Begin.Offset, Order, sis::before(Text));
    if (L.EmptyHeader)
      All.target(L.Begin.Offset, UINT64_MAX, Nothing);
  }

  /// The depth just inside the innermost region around the statement. OrEqual: the region may be
  /// the statement's own.
  uint32_t insideOf(const JumpTarget &L, bool OrEqual) const {
    uint32_t Innermost = 0;
    Ends.visitBack(Regions.first, firstFrom(L.First + 1), L.Last, [&](uint32_t I) {
      const Region &R = Ast.Regions[I];
      bool Found = OrEqual || R.First != L.First || R.Last != L.Last;
      Innermost = Found ? I : Innermost;
      return Found;
    });
    return depthOf(Innermost) + 1;
  }

  /// The function's first region that begins at Offset or behind it.
  uint32_t firstFrom(unsigned Offset) const {
    auto Begin = Ast.Regions.begin();
    auto Before = [&](const Region &R) { return R.First < Offset; };
    return std::partition_point(Begin + Regions.first, Begin + Regions.second, Before) - Begin;
  }

  Edits &All;
  const sis_ast &Ast;
  const RangeIndex &Ends;
  uint32_t Number;
  std::pair<uint32_t, uint32_t> Regions; // of the function
};

} // namespace

RangeIndex regionEnds(const sis_ast &Ast) {
  RangeIndex Ends;
  for (uint32_t I = 0; I < Ast.Regions.size(); ++I)
    Ends.add(I, Ast.Regions[I].Last, I);
  Ends.finish();
  return Ends;
}

void emitCrossings(Edits &All, const sis_ast &Ast, const RangeIndex &Ends, uint32_t Function,
                   const Crossings &Where, uint32_t Number, const CrossingText &Text) {
  Emitter E(All, Ast, Ends, Function, Number);
  E.declare(Where.DeclPoint, Text.Declare);
  for (const JumpTarget &L : Where.In)
    E.put(L, Text.Enter, true);
  for (const JumpTarget &L : Where.Out)
    E.put(L, Text.Leave, false);
}

} // namespace sis
