// SPDX-License-Identifier: BSD-3-Clause
// flag_regions.cc - regions that jumps enter, and regions that are no whole statements of one
// block. Part of the walk of collect.h; same thread, when all regions of a function are known. Its
// one idea: a variable at the beginning of a block around all entries and exits says whether the
// region is open. Text at the targets of jumps enters the region if it is not open, or leaves the
// region if it is open. See DESIGN.
#include "clang/collect/collect.h"
#include "tu/extents.h"

#include <algorithm>
#include <optional>
#include <set>

namespace sis {

void Collector::addCrossing(std::vector<JumpTarget> &All, TargetSlot Where,
                            const char *&Why) const {
  unsigned Number = Where.Side == JumpTarget::Before ? Model.labelled(Where.Slot) : Where.Slot;
  const Slot &S = Model.Slots[Number];
  JumpTarget L = {Where.Side,   S.Begin, S.End, S.First, S.Last, S.List == Slot::NoList,
                  S.EmptyHeader};
  const char *InTheWay = firstOf(S.Locked, S.Why);
  if (Where.Side == JumpTarget::Header) {
    L.Begin = S.Header;
    InTheWay = S.HeaderWhy;
  } else if (Where.Side == JumpTarget::Before) {
    L.Begin = S.Target;
    InTheWay = firstOf(InTheWay, S.TargetWhy);
  }
  auto Same = [&](const JumpTarget &M) {
    return M.Side == L.Side && M.Begin.Offset == L.Begin.Offset && M.First == L.First;
  };
  if (std::any_of(All.begin(), All.end(), Same))
    return;
  if (InTheWay && !Why)
    Why = Ast.keep("is entered or left by a jump to line " + std::to_string(Map.line(L.First)) +
                   ", where no text may be put: " + InTheWay);
  All.push_back(L);
}

/// Adds exits for a pair that ends in a deeper block than it begins: the region is also left behind
/// the statements that contain its end.
void Collector::addForwardExits(Region &R, const char *&Why) const {
  if (R.Public.directive == SIS_AST_NONE || R.Sole)
    return;
  auto [Begin, End] = extentOf(Ast, R);
  const List *Around = Model.listAround(Begin, End);
  if (!Around)
    return;
  std::vector<uint32_t> Across = Model.slotsAcross(Around->First, End);
  for (uint32_t I : Across) {
    const Slot &S = Model.Slots[I];
    if (!S.IsLabel && S.List != Slot::NoList && S.Last <= Around->Last)
      addCrossing(R.FlagCrossings.Out, {I, JumpTarget::After}, Why);
  }
  for (uint32_t I : Across)
    if (auto Else = Model.ElseOf.find(I);
        Else != Model.ElseOf.end() && Model.Slots[I].First >= Begin)
      addCrossing(R.FlagCrossings.Out, {Else->second, JumpTarget::Before}, Why);
}

/// Finds where the variable is declared, and where it changes. Returns NULL, or why the region
/// cannot have a variable.
const char *Collector::findCrossings(Region &R) {
  auto [First, Last] = extentOf(Ast, R);
  const List *Block = Model.blockForFlag(First, Last);
  if (!Block)
    return "has more than one way in or out, and no block around them all where a variable may "
           "stand";
  const char *Why = nullptr;
  std::set<TargetSlot> In, Out; // each target once: n computed gotos to m labels are n * m jumps
  R.FlagCrossings.DeclPoint = Block->DeclPoint;
  for (uint32_t Number : Model.jumpsWithin(First, Last)) { // other jumps do not matter
    const Jump &J = Model.Jumps[Number];
    bool From = J.From >= First && J.From < Last, To = Model.targetIn(J, First, Last);
    if (From == To || J.Target.Slot == TargetSlot::None)
      continue;
    if (To && J.Target.Side == JumpTarget::Before)
      In.insert(J.Target);
    else if (From && Model.targetIn(J, Block->First, Block->Last))
      Out.insert(J.Target);
  }
  for (TargetSlot To : In)
    addCrossing(R.FlagCrossings.In, To, Why);
  for (TargetSlot To : Out)
    addCrossing(R.FlagCrossings.Out, To, Why);
  addForwardExits(R, Why);
  return Why;
}

/// Finds the crossings of a region of Form::Flag. Returns NULL, or why the region cannot have
/// crossings.
const char *Collector::becomeFlag(Region &R) {
  if (R.Public.directive == SIS_AST_NONE) {
    const Slot *Own = nullptr;
    for (uint32_t Number : Model.slotsFrom(R.First))
      if (const Slot &S = Model.Slots[Number]; !Own && S.Last == R.Last && !S.IsLabel)
        Own = &S;
    if (!Own)
      return "has more than one way in or out";
    if (const char *Why = firstOf(Own->Locked, Own->Why))
      return Why;
    R.Begin = Own->Begin;
    R.End = Own->End;
  }
  return findCrossings(R);
}

static bool isGuarded(const Region &R) {
  bool Scope =
      R.How == Form::Wrap || R.How == Form::Guard || R.How == Form::Body || R.How == Form::Flag;
  return Scope && R.Public.type != CR_F && R.Public.type != CR_P && !R.Public.obstacle;
}

/// Makes the region a flag because other regions need that. The plain form of the region is kept,
/// too. Returns NULL, or why the region cannot be a flag.
const char *Collector::promote(Region &R) {
  if (R.How == Form::Flag)
    return nullptr;
  Region Before = R;
  R.Plain = R.How;
  R.PlainBegin = R.Begin;
  R.PlainEnd = R.End;
  R.How = Form::Flag;
  const char *Why = becomeFlag(R);
  if (Why)
    R = Before;
  return Why;
}

const char *Collector::blockedBy(const Region &R, const char *Why) const {
  return Ast.keep(std::string("lies across or inside a ") + R.BareName + " at line " +
                  std::to_string(R.Public.begin.line) + " which " + Why);
}

/// A set of a function's regions, to find those that overlap another region.
class RegionExtents {
public:
  explicit RegionExtents(const sis_ast &Ast) : Ast(Ast) {}
  void add(uint32_t Number) {
    auto [First, Last] = extentOf(Ast, Ast.Regions[Number]);
    Index.add(First, Last, Number);
  }
  void remove(uint32_t Number) {
    auto [First, Last] = extentOf(Ast, Ast.Regions[Number]);
    Index.remove(First, Last, Number);
  }
  void finish() { Index.finish(); }
  /// A region of the set that overlaps region Number, if there is one.
  std::optional<uint32_t> across(uint32_t Number) const {
    auto [First, Last] = extentOf(Ast, Ast.Regions[Number]);
    std::optional<uint32_t> Found;
    Index.visit(First, Last, [&](uint32_t Other) {
      Found = Other;
      return true;
    });
    return Found;
  }

private:
  const sis_ast &Ast;
  OverlapIndex Index;
};

/// Makes a flag of region Number, and removes the region from the set. Returns NULL, or why the
/// region cannot be a flag.
const char *Collector::promoteIn(RegionExtents &Unflagged, uint32_t Number) {
  const char *Why = promote(Ast.Regions[Number]);
  if (!Why)
    Unflagged.remove(Number);
  return Why;
}

/// If other regions overlap the region of the pair, makes flags of all these regions. Returns NULL,
/// or why one of them cannot be a flag.
const char *Collector::flagWithOverlaps(uint32_t Pair, const RegionExtents &Guarded,
                                        RegionExtents &Unflagged) {
  const char *Why = Guarded.across(Pair) ? promoteIn(Unflagged, Pair) : nullptr;
  while (auto Other = Why ? std::nullopt : Unflagged.across(Pair))
    if (const char *Obstacle = promoteIn(Unflagged, *Other))
      Why = blockedBy(Ast.Regions[*Other], Obstacle);
  return Why;
}

/// If a pair of directives and a region overlap, both become flags. Takes logarithmic time for each
/// region, because a region becomes a flag only once.
void Collector::findOverlaps(size_t FirstRegion) {
  RegionExtents Guarded(Ast), Unflagged(Ast);
  for (size_t I = FirstRegion; I < Ast.Regions.size(); ++I) {
    const Region &R = Ast.Regions[I];
    if (!isGuarded(R) || R.File == Region::NoFile)
      continue;
    Guarded.add(I);
    if (R.How != Form::Flag)
      Unflagged.add(I);
  }
  Guarded.finish();
  Unflagged.finish();
  for (size_t I = FirstRegion; I < Ast.Regions.size(); ++I) {
    Region &R = Ast.Regions[I];
    if (R.Public.directive == SIS_AST_NONE || !isGuarded(R) || R.File == Region::NoFile)
      continue;
    const char *Why = flagWithOverlaps(I, Guarded, Unflagged);
    if (!Why)
      continue;
    Guarded.remove(I);
    Unflagged.remove(I);
    R.Public.obstacle = Why;
  }
}

/// Makes flags of all regions that begin behind the variable of flag Inner and enclose Inner, so
/// that a return ends the regions in order. Returns whether a region became a flag.
bool Collector::flagAround(RangeIndex &Unflagged, Region &Inner) {
  bool Changed = false;
  std::set<uint32_t> Around;
  Unflagged.visit(Inner.FlagCrossings.DeclPoint, int64_t(Inner.First) + 1, Inner.Last,
                  [&](uint32_t Number) {
                    Around.insert(Number);
                    return false;
                  });
  for (uint32_t Number : Around) {
    Region &R = Ast.Regions[Number];
    if (const char *Why = promote(R)) {
      Inner.Public.obstacle = blockedBy(R, Why);
      return Changed;
    }
    Unflagged.remove(R.First, R.Last, Number);
    Changed = true;
  }
  return Changed;
}

bool Collector::flagAroundAll(size_t FirstRegion) {
  bool Changed = false;
  RangeIndex Unflagged;
  for (size_t I = FirstRegion; I < Ast.Regions.size(); ++I)
    if (const Region &R = Ast.Regions[I]; isGuarded(R) && R.How != Form::Flag)
      Unflagged.add(R.First, R.Last, I);
  Unflagged.finish();
  for (size_t I = FirstRegion; I < Ast.Regions.size(); ++I)
    if (Region &R = Ast.Regions[I]; isGuarded(R) && R.How == Form::Flag)
      Changed |= flagAround(Unflagged, R);
  return Changed;
}

void Collector::flagRegions(size_t FirstRegion) {
  for (size_t I = FirstRegion; I < Ast.Regions.size(); ++I)
    if (Region &R = Ast.Regions[I]; isGuarded(R) && R.How == Form::Flag)
      R.Public.obstacle = becomeFlag(R);
  findOverlaps(FirstRegion);
  while (flagAroundAll(FirstRegion))
    ;
}

} // namespace sis
