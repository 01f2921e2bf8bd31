// SPDX-License-Identifier: BSD-3-Clause
// loops.cc - loops, and what the headers of statements declare and evaluate. Part of the walk of
// collect.h; same thread. Its one idea: a header belongs to its loop, so its calls have the loop as
// context, and its variables live until the loop ends.
#include "clang/collect/collect.h"

using namespace clang;

namespace sis {

/// Finds the target of `continue`: the expression that is evaluated after it.
void Collector::loopHeader(const Stmt *S, unsigned SlotNumber) {
  const Expr *Next = nullptr;
  SourceLocation Where;
  if (const auto *For = dyn_cast<ForStmt>(S)) {
    Next = For->getInc();
    Where = For->getRParenLoc();
  } else if (const auto *While = dyn_cast<WhileStmt>(S)) {
    Next = While->getCond();
  } else if (isa<CXXForRangeStmt>(S)) {
    Model.Slots[SlotNumber].HeaderWhy = "a loop over a range has no place for its next element";
    return;
  } else {
    Next = cast<DoStmt>(S)->getCond();
  }
  EditPoint Extent = Map.before(Next ? Next->getBeginLoc() : Where);
  Slot &Own = Model.Slots[SlotNumber];
  Own.Header.Offset = Extent.Offset;
  Own.HeaderWhy = Extent.Why;
  Own.EmptyHeader = !Next;
}

/// Adds the region of a loop. The loop around this loop, if there is one, is then no innermost
/// loop.
void Collector::loopRegion(const Stmt *S, sis_region_type Type, const Constraints &In) {
  Region &R = wrapped(S, Type, In);
  R.Public.inner_loop = true;
  R.Public.outer_loop = In.Loop == SIZE_MAX;
  if (!R.Public.obstacle && runsOnce(S))
    R.Public.obstacle = "is no loop: its condition is never true";
  if (In.Loop != SIZE_MAX)
    Ast.Regions[In.Loop].Public.inner_loop = false;
}

/// The constraints on the header and the body of the loop with region Number and slot Own.
Constraints Collector::insideLoop(Constraints In, size_t Number, unsigned Own) const {
  In.Break = In.Continue = Ast.Regions[Number].First;
  In.BreakTarget = {Own, JumpTarget::After};
  In.ContinueTarget = {Own, JumpTarget::Header};
  In.Loop = Number;
  In.Locked = In.ListLocked = nullptr;
  In.LastIsValue = false;
  return In;
}

/// Collects the calls in the first part of a header. A variable lives until End.
void Collector::headerPart(const Stmt *S, const Constraints &Header, unsigned End) {
  const auto *Declared = dyn_cast_or_null<DeclStmt>(S);
  if (!Declared)
    return expression(S, Header, false);
  Constraints InHeader = Header;
  InHeader.List = Slot::NoList;
  InHeader.ScopeEnd = End;
  declaration(Declared, InHeader);
}

/// Collects the calls in a condition, which in C++ may declare a variable.
void Collector::condition(const DeclStmt *Variable, const Expr *Condition,
                          const Constraints &Header, unsigned End) {
  if (Variable)
    headerPart(Variable, Header, End);
  else
    expression(Condition, Header, true);
}

/// Collects the calls in the three expressions of a `for`. Variables of the first expression live
/// until the loop ends.
void Collector::forHeader(const ForStmt *For, const Constraints &Header, unsigned LoopEnd) {
  headerPart(For->getInit(), Header, LoopEnd);
  condition(For->getConditionVariableDeclStmt(), For->getCond(), Header, LoopEnd);
  expression(For->getInc(), Header, false);
}

void Collector::loop(const Stmt *S, sis_region_type Type, const Constraints &Outside) {
  size_t Number = Ast.Regions.size();
  unsigned Own = Model.Slots.size() - 1;
  loopHeader(S, Own);
  loopRegion(S, Type, Outside);
  Constraints In = insideLoop(Outside, Number, Own), Header = In;
  if (In.OmpLoops) {
    // No text may be inserted in the header, or between this loop and the directive's next loop.
    Header.Closed =
        firstOf(Header.Closed, "in the header of a loop that belongs to a directive of OpenMP");
    if (--In.OmpLoops)
      In.Locked = In.ListLocked = "stands between loops that belong to a directive of OpenMP";
    else
      In.ListLocked = In.OmpBody;
  }
  if (const auto *For = dyn_cast<ForStmt>(S)) {
    forHeader(For, Header, Ast.Regions[Number].Last);
    body(For->getBody(), In);
  } else if (const auto *While = dyn_cast<WhileStmt>(S)) {
    condition(While->getConditionVariableDeclStmt(), While->getCond(), Header,
              Ast.Regions[Number].Last);
    body(While->getBody(), In);
  } else if (const auto *Range = dyn_cast<CXXForRangeStmt>(S)) {
    headerPart(Range->getInit(), Header, Ast.Regions[Number].Last);
    expression(Range->getRangeInit(), Header, true);
    declaredNames(Range->getLoopVariable(), Map.offset(Range->getLoopVariable()->getBeginLoc()),
                  Header);
    body(Range->getBody(), In);
  } else {
    expression(cast<DoStmt>(S)->getCond(), Header, true);
    body(cast<DoStmt>(S)->getBody(), In);
  }
}

} // namespace sis
