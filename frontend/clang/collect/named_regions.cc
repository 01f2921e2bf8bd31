// SPDX-License-Identifier: BSD-3-Clause
// named_regions.cc - regions and switches that a pair of directives requests. Part of the walk of
// collect.h; same thread, once the model of the function is complete. Its one idea: a pair that
// encloses a run of whole statements becomes a block with a scope guard, whose cleanup runs at
// every exit. If a declaration inside must stay visible after the pair, the guard is in the user's
// own block. flag_regions.cc handles all other pairs.
#include "clang/collect/collect.h"

#include <algorithm>

using namespace clang;

namespace sis {

/// The first slot of the run of whole statements whose extent is exactly [First, Last); NULL if
/// there is no such run.
const Slot *Collector::runFrom(unsigned First, unsigned Last) const {
  std::vector<uint32_t> Ending = Model.slotsTo(Last);
  for (uint32_t Number : Model.slotsFrom(First)) {
    const Slot &S = Model.Slots[Number];
    if (S.Last == Last)
      return &S;
    for (uint32_t Other : Ending)
      if (const Slot &T = Model.Slots[Other];
          S.List != Slot::NoList && T.List == S.List && T.Index > S.Index)
        return &S;
  }
  return nullptr;
}

/// What is declared between the two directives and may be used after the second one: a name that is
/// used later or whose address is taken, or an object that lives until the end of its block. NULL
/// if there is none.
const char *Collector::escaping(const Directive &Begin, const Directive &End,
                                unsigned Number) const {
  auto [O, LastObject] = Model.objectsIn(Begin.Last, End.First);
  for (; O != LastObject; ++O)
    if (O->List == Number)
      return O->What;
  auto Escapes = [&](size_t Token) {
    const std::vector<FlatToken> &Tokens = Map.tokens();
    return Tokens[Token].First >= End.First || Tokens[Token - 1].Kind == tok::amp;
  };
  auto [D, Last] = Model.declaredIn(Begin.Last, End.First);
  for (; D != Last; ++D)
    if (D->Name && D->List == Number &&
        Map.anyUse(D->Name, Begin.Last, Model.Lists[Number].Last, Escapes))
      return Ast.keep("'" + D->Name->getName().str() + "'");
  return nullptr;
}

/// Chooses the form of a pair that encloses whole statements of list Number.
void Collector::formInList(Region &R, const Directive &Begin, const Directive &End,
                            unsigned Number) const {
  const List &L = Model.Lists[Number];
  R.Public.obstacle = L.Locked;
  if (R.Public.obstacle || !escaping(Begin, End, Number))
    return;
  size_t Next = Map.tokenFrom(Begin.First);
  R.AfterLabel = Next > 0 && Map.tokens()[Next - 1].Kind == tok::colon;
  R.How = Model.entry(Begin.First, L.Last) ? Form::Flag : Form::Guard;
}

/// Chooses the form of a pair that does not enclose a run of whole statements.
void Collector::formOfSplitPair(Region &R, const Directive &Begin, const Directive &End) const {
  if (!betweenStatements(Begin) || !betweenStatements(End))
    R.Public.obstacle = "does not enclose whole statements of one block";
  else if (Model.barrierBetween(Begin.First, End.First))
    R.Public.obstacle = "begins or ends inside a construct of OpenMP, or a statement expression, "
                        "that it does not enclose";
  R.SplitsStatements = true;
  R.How = Form::Flag;
}

/// The first slot of the run of whole statements that the pair encloses; NULL if it encloses none.
const Slot *Collector::enclosedRun(const Directive &Begin, const Directive &End) const {
  size_t Next = Map.tokenFrom(Begin.Last);
  unsigned First = Next < Map.tokens().size() ? Map.tokens()[Next].First : UINT_MAX;
  if (First < End.First)
    return runFrom(First, Map.endBefore(End.First));
  for (const Slot &S : Model.Slots) // no token of this file: perhaps an #include
    if (S.First >= Begin.Last && S.Last <= End.First && betweenStatements(Begin))
      return &S;
  return nullptr;
}

/// Chooses how the probes of a pair are written, or sets the obstacle.
void Collector::choosePairForm(Region &R, const Directive &Begin, const Directive &End) const {
  R.How = Form::Wrap;
  R.Public.obstacle =
      firstOf(FunctionClosed, firstOf(Map.whyNoEdit(Begin.First), Map.whyNoEdit(End.First)));
  if (R.Public.obstacle)
    return;
  const Slot *Run = enclosedRun(Begin, End);
  bool Empty = Map.tokenFrom(Begin.Last) == Map.tokenFrom(End.First) && betweenStatements(Begin);
  if (Map.loopPragmaBefore(Begin.First) != UINT_MAX)
    R.Public.obstacle = "begins between a pragma and its loop";
  else if (!Run && !Empty)
    formOfSplitPair(R, Begin, End);
  else if (Run && Run->List != Slot::NoList)
    formInList(R, Begin, End, Run->List);
  else if (Run) {
    R.Public.obstacle = Run->Locked;
    R.Last = Run->Last; // the region ends inside the statement that it is the body of
    R.Sole = true;
  }
  if (!R.Public.obstacle && Model.jumpsAcross(Begin.Last, End.First))
    R.How = Form::Flag;
}

/// Whether a statement could be inserted at the directive: it is between two statements of a block.
bool Collector::betweenStatements(const Directive &D) const {
  size_t Next = Map.tokenFrom(D.Last);
  unsigned Before = Map.endBefore(D.First);
  unsigned Behind = Next < Map.tokens().size() ? Map.tokens()[Next].First : 0;
  if (Model.listAt(Before))
    return true;
  auto Fits = [&](uint32_t Number) {
    return Model.Slots[Number].List != Slot::NoList && !Model.Slots[Number].Locked;
  };
  std::vector<uint32_t> Ending = Model.slotsTo(Before), Beginning = Model.slotsFrom(Behind);
  return std::any_of(Ending.begin(), Ending.end(), Fits) ||
         std::any_of(Beginning.begin(), Beginning.end(), Fits);
}

/// Whether whole statements may begin behind the directive (Begins), or end before it.
bool Collector::amongStatements(const Directive &D, bool Begins) const {
  if (betweenStatements(D))
    return true;
  size_t Next = Map.tokenFrom(D.Last);
  unsigned Before = Map.endBefore(D.First);
  unsigned Behind = Next < Map.tokens().size() ? Map.tokens()[Next].First : 0;
  return !(Begins ? Model.slotsFrom(Behind) : Model.slotsTo(Before)).empty();
}

void Collector::namedRegion(uint32_t BeginNumber) {
  const Directive &Begin = Ast.Directives[BeginNumber];
  const Directive &End = Ast.Directives[Begin.Public.match];
  Region &R = add(Begin.Redistributes ? CR_REDIST : CR_A, Begin.Public.name);
  R.Public.name = Begin.Public.name;
  R.Public.directive = BeginNumber;
  R.First = Begin.First;
  R.Last = std::max(End.Last, End.First + 1);
  R.Public.begin = Begin.Public.position;
  R.Public.end = Map.position(R.Last - 1);
  R.Public.entries = Model.entries(Begin.Last, End.First);
  R.Public.exits = Model.exits(Begin.Last, End.First);
  choosePairForm(R, Begin, End);
}

/// Whether no text may replace the directive, because no probe may be here; reports it.
bool Collector::isIgnored(Directive &D) {
  D.Ignored = firstOf(FunctionClosed, Map.whyNoEdit(D.First));
  if (D.Ignored)
    Report(SIS_AST_WARNING, D.Public.position, std::string("directive ignored: it ") + D.Ignored);
  return D.Ignored;
}

/// Chooses the form of `measure disable` ... `enable`: two calls, if statements can be inserted at
/// both directives and the text between them has one entry and one exit. Otherwise it is written
/// like another pair of directives.
void Collector::measureOff(Directive &Off, Directive &On) {
  if (FunctionClosed && isIgnored(Off)) {
    On.Ignored = Off.Ignored;
    return;
  }
  bool Plain = betweenStatements(Off) && betweenStatements(On);
  bool OneWay = Model.entries(Off.Last, On.First) == 1 && Model.exits(Off.Last, On.First) == 1;
  bool Open = !Map.whyNoEdit(Off.First) && !Map.whyNoEdit(On.First);
  if (Plain && OneWay && Open)
    return;
  Off.Scope.Public.directive = &Off - &Ast.Directives[0];
  Off.Scope.First = Off.First;
  Off.Scope.Last = std::max(On.Last, On.First + 1);
  choosePairForm(Off.Scope, Off, On);
  if (Off.Scope.How == Form::Flag && !Off.Scope.Public.obstacle)
    Off.Scope.Public.obstacle = becomeFlag(Off.Scope);
  if (Off.Scope.Public.obstacle)
    Report(SIS_AST_ERROR, Off.Public.position,
           std::string("the part that 'measure disable' opens ") + Off.Scope.Public.obstacle);
  On.Scope = Off.Scope;
}

/// `trace start` and `trace stop` become statements. So they are errors where no statement can be
/// inserted.
void Collector::traceSwitch(Directive &D) {
  if (!isIgnored(D) && (!betweenStatements(D) || Map.loopPragmaBefore(D.First) != UINT_MAX))
    Report(SIS_AST_ERROR, D.Public.position, "directive stands where no statement may");
}

void Collector::namedRegions(unsigned BodyFirst, unsigned BodyLast) {
  for (auto [I, End] = directivesIn(BodyFirst, BodyLast); I < End; ++I) {
    if (Owners[I] != Current)
      continue;
    Directive &D = Ast.Directives[I];
    D.Function = FunctionNumber;
    D.Public.function = FunctionName;
    sis_ast_directive_kind Kind = D.Public.kind;
    if (Kind == SIS_AST_TRACE_START || Kind == SIS_AST_TRACE_STOP) {
      traceSwitch(D);
      continue;
    }
    bool Begins = Kind == SIS_AST_CR_BEGIN || Kind == SIS_AST_MEASURE_OFF;
    if (Kind == SIS_AST_BUDGET || Kind == SIS_AST_BLAME_POINT)
      continue;
    bool Unread = Rejected.count(Current); // clang may have dropped the statement at the directive
    if (Kind != SIS_AST_CR_GLOBAL && !Unread && !amongStatements(D, Begins))
      Report(SIS_AST_ERROR, D.Public.position, "directive stands where no statement may");
    if (D.Public.match == SIS_AST_NONE || Kind == SIS_AST_CR_END || Kind == SIS_AST_MEASURE_ON)
      continue;
    Directive &Match = Ast.Directives[D.Public.match];
    if (Owners[D.Public.match] != Current)
      Report(SIS_AST_ERROR, D.Public.position,
             "what begins here does not end in the same function");
    else if (Kind == SIS_AST_MEASURE_OFF)
      measureOff(D, Match);
    else if (*D.Public.name)
      namedRegion(I);
  }
}

} // namespace sis
