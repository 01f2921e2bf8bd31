// SPDX-License-Identifier: BSD-3-Clause
// emit.cc - writes the probes of marked regions as edits of the flat text. Any thread; one thread
// at a time uses a sis_ast. Its one idea: only this file knows the form of a probe, as macros of
// sis/probe.h.
#include "emit/emit.h"

#include "emit/blame_section.h"
#include "emit/choose_form.h"
#include "emit/emit_crossings.h"
#include "emit/expand_folds.h"
#include "emit/inserted.h"
#include "tu/extents.h"

#include <algorithm>
#include <set>

namespace sis {

static std::string numbered(const char *Macro, int64_t Number) {
  return std::string(Macro) + "(" + std::to_string(Number) + ")";
}

/// The condition under which the region is measured; "" if there is none.
static std::string conditionOf(const Region &R) {
  std::string Any;
  for (uint32_t Directive : R.If)
    Any += (Any.empty() ? "" : " || ") + ("sis__if_" + std::to_string(Directive)) + " > 0";
  return Any;
}

/// A region's probe: a use of the macro, or of the macro with _IF if there is a condition.
static std::string probe(const std::string &Macro, const Region &R) {
  std::string Condition = conditionOf(R);
  if (Condition.empty())
    return numbered(Macro.c_str(), R.Probe);
  return Macro + "_IF(" + std::to_string(R.Probe) + ", " + Condition + ")";
}

static CrossingText flagText(const Region &R) {
  std::string Kind = R.Overlaps ? "SIS_OVERLAP" : "SIS_FLAG";
  return {numbered(Kind.c_str(), R.Probe), probe(Kind + "_ENTER", R),
          numbered((Kind + "_LEAVE").c_str(), R.Probe)};
}

/// Makes a block of the text from Begin to End. Sub: as in edits.h.
static void wrapAt(Edits &All, const Point &Begin, const Point &End, uint32_t Depth,
                   const std::string &Open, const std::string &Close, uint64_t Sub = 0) {
  std::string Enter = std::string(BlockBegin) + " " + Open;
  std::string First = Begin.OwnLine ? "\n" + lineDirective(Begin.Mark) : " ";
  std::string Last = End.OwnLine ? "\n" + lineDirective(End.Mark) : "";
  All.open(Begin.Offset, Depth, Enter + First, Sub);
  All.close(End.Offset, Depth,
            (End.OwnLine ? "" : " ") + Close + (Close.empty() ? "" : " ") + BlockEnd + Last, Sub);
}

static void wrap(Edits &All, const Region &R, uint32_t Depth, const std::string &Open,
                 const std::string &Close) {
  wrapAt(All, beginOf(R), endOf(R), Depth, (R.Unreached ? Unreached + std::string(" ") : "") + Open,
         Close);
}

/// The text behind the probe that enters a construct of OpenMP; "" if there is none.
static std::string clausesText(const Region &R) {
  return R.Clauses ? " SIS_CLAUSES(" + std::to_string(R.Probe) + ", " +
                         std::to_string(R.Clauses) + ")"
                   : "";
}

/// Tells the runtime where the private copies of a construct are made.
static void emitMade(Edits &All, const Region &R, uint32_t Depth) {
  std::string Made = numbered("SIS_PRIVATES_MADE", R.Probe);
  switch (R.Made.Side) {
  case PrivatesMade::Nowhere:
    break;
  case PrivatesMade::Behind:
    All.open(R.Made.Begin.Offset, Depth, " " + Made);
    break;
  case PrivatesMade::InFront:
    wrapAt(All, R.Made.Begin, R.Made.End, Depth, Made, "", 1);
    break;
  case PrivatesMade::Around:
    All.open(R.Made.Begin.Offset, Depth, "SIS_BOUND_BEGIN ");
    All.close(R.Made.End.Offset, Depth, " SIS_BOUND_END");
    break;
  }
}

static void emitRegion(Edits &All, const Region &R, uint32_t Depth) {
  auto Around = [&](const std::string &Begin, const std::string &End) {
    All.open(beginOf(R).Offset, Depth, Begin + " ");
    All.close(endOf(R).Offset, Depth, " " + End);
  };
  emitMade(All, R, Depth);
  switch (formOf(R)) {
  case Form::Body: {
    bool Instance = R.Public.is_template && conditionOf(R).empty();
    const char *Macro = R.Evaluated ? "SIS_CONSTEXPR_SCOPE"
                        : Instance  ? "SIS_INSTANCE_SCOPE"
                                    : "SIS_SCOPE";
    All.open(beginOf(R).Offset, Depth, " " + probe(Macro, R));
    break;
  }
  case Form::Wrap:
    wrap(All, R, Depth, probe("SIS_SCOPE", R) + clausesText(R), "");
    break;
  case Form::Task:
    wrap(All, R, Depth, probe("SIS_TASK", R), "");
    break;
  case Form::Flag:
    wrap(All, R, Depth, statement(flagText(R).Enter) + clausesText(R),
         statement(flagText(R).Leave));
    break;
  case Form::ValueCall:
    Around(probe("SIS_CALL_BEGIN", R), probe("SIS_CALL_END", R));
    break;
  case Form::VoidCall:
    Around(probe("SIS_VCALL_BEGIN", R), probe("SIS_VCALL_END", R));
    break;
  case Form::Site:
    Around(probe("SIS_SITE", R), "SIS_SITE_END");
    break;
  case Form::None:
  case Form::Guard: // only a pair of directives has it
    break;
  }
}

// -- directives -----------------------------------------------------------------------------------

/// The empty statement that must precede a declaration behind a label.
static std::string afterLabel(bool Follows) { return Follows ? std::string(Empty) + " " : ""; }

static std::string measureText(const Directive &D, uint32_t Number) {
  bool Begins = D.Public.kind == SIS_AST_MEASURE_OFF;
  int64_t Pair = Begins ? Number : D.Public.match;
  if (D.Ignored)
    return "";
  if (D.Function == SIS_AST_NONE)
    return ""; // at file scope: the regions between the two directives have no probes
  switch (D.Scope.How) {
  case Form::None:
    return Begins ? "SIS_MEASURE_OFF" : "SIS_MEASURE_ON";
  case Form::Guard:
    return Begins ? afterLabel(D.Scope.AfterLabel) + numbered("SIS_OFF_OPEN", Pair)
                  : numbered("SIS_OFF_CLOSE", Pair);
  case Form::Flag: {
    std::string Text = statement(numbered(Begins ? "SIS_OFF_ENTER" : "SIS_OFF_LEAVE", Pair));
    return !D.Scope.Sole ? Text
           : Begins    ? std::string(BlockBegin) + " " + Text
                       : Text + " " + BlockEnd;
  }
  default:
    return Begins ? std::string(BlockBegin) + " " + numbered("SIS_OFF_SCOPE", Pair) : BlockEnd;
  }
}

static CrossingText conditionText(const Directive &Begin, uint32_t Number) {
  return {numbered("SIS_IF", Number),
          "SIS_IF_ENTER(" + std::to_string(Number) + ", " + Begin.Public.condition + ")",
          numbered("SIS_IF_LEAVE", Number)};
}

/// The text that replaces one directive of a pair: the probe of its region, and its condition.
struct PairText {
  bool InBlock = false; // the pair encloses a block, whose brace is inserted, too
  std::string Condition, Region;
};

static PairText pairText(const sis_ast &Ast, uint32_t BeginNumber, bool Begins) {
  const Directive &Begin = Ast.Directives[BeginNumber];
  PairText Text;
  if (!Begin.ConditionFunctions.empty()) {
    CrossingText Condition = conditionText(Begin, BeginNumber);
    Text.Condition = statement(Begins ? Condition.Enter : Condition.Leave);
    Text.InBlock = Begin.Scope.Sole;
  }
  uint32_t Index = Begin.Public.region;
  if (Index == SIS_AST_NONE || !isEmitted(Ast.Regions[Index]))
    return Text;
  const Region &R = Ast.Regions[Index];
  if (formOf(R) == Form::Wrap) {
    Text.InBlock = true;
    Text.Region = Begins ? probe("SIS_SCOPE", R) : "";
  } else if (formOf(R) == Form::Guard) {
    Text.Region = Begins ? afterLabel(R.AfterLabel) + probe("SIS_OPEN", R) : probe("SIS_CLOSE", R);
  } else {
    Text.InBlock = R.Sole;
    Text.Region = statement(Begins ? flagText(R).Enter : flagText(R).Leave);
  }
  return Text;
}

static void addWord(std::string &Text, const std::string &Word) {
  Text += (Text.empty() || Word.empty() ? "" : " ") + Word;
}

static std::string directiveText(const sis_ast &Ast, uint32_t Number) {
  const Directive &D = Ast.Directives[Number];
  bool Begins = D.Public.kind == SIS_AST_CR_BEGIN;
  if (D.Public.kind == SIS_AST_MEASURE_OFF || D.Public.kind == SIS_AST_MEASURE_ON)
    return measureText(D, Number);
  if (D.Public.kind == SIS_AST_TRACE_START || D.Public.kind == SIS_AST_TRACE_STOP)
    return D.Ignored                              ? ""
           : D.Public.kind == SIS_AST_TRACE_START ? "SIS_START_TRACE"
                                                  : "SIS_STOP_TRACE";
  if (D.Public.match == SIS_AST_NONE)
    return "";
  PairText Pair = pairText(Ast, Begins ? Number : D.Public.match, Begins);
  std::string Text;
  if (Begins && Pair.InBlock)
    addWord(Text, BlockBegin);
  addWord(Text, Begins ? Pair.Condition : Pair.Region);
  addWord(Text, Begins ? Pair.Region : Pair.Condition);
  if (!Begins && Pair.InBlock)
    addWord(Text, BlockEnd);
  return Text;
}

/// Replaces a directive by its text, and declares its variables. A directive without probes is
/// removed.
static void emitDirective(Edits &All, const sis_ast &Ast, const RangeIndex &Ends, uint32_t Number,
                          std::vector<Blank> &Blanks) {
  const Directive &D = Ast.Directives[Number];
  std::string Text = directiveText(Ast, Number), Lines(D.Newlines, '\n');
  if (Text.empty())
    Blanks.push_back({D.First, D.Last, Lines});
  else
    All.replace(D.First, D.Last, D.FromMacro ? " " + Text + " " : Text + Lines);
  if (D.Public.kind == SIS_AST_MEASURE_OFF && D.Scope.How == Form::Flag)
    emitCrossings(All, Ast, Ends, D.Function, D.Scope.FlagCrossings, Number,
                  {numbered("SIS_OFF_FLAG", Number), numbered("SIS_OFF_ENTER", Number),
                   numbered("SIS_OFF_LEAVE", Number)});
  if (D.ConditionFunctions.empty())
    return;
  if (D.Public.kind == SIS_AST_CR_BEGIN)
    return emitCrossings(All, Ast, Ends, D.Function, D.Scope.FlagCrossings, Number,
                         conditionText(D, Number));
  for (unsigned Function : D.ConditionFunctions)
    All.target(Ast.DeclPoints[Function], Number,
             " SIS_IF_ONCE(" + std::to_string(Number) + ", " + D.Public.condition + ")");
}

/// Adds clauses for the variables that the probes inside the construct use: the tables of the
/// prologue, and the values of conditions that are evaluated outside. These values are copied,
/// because a task may run after the end of a variable's life. The values do not change while the
/// construct runs.
static void share(Edits &All, const sis_ast &Ast, const SharingClause &Clause) {
  std::set<uint32_t> Conditions;
  bool Any = false;
  auto [Next, End] = regionsOf(Ast, Clause.Function);
  auto Before = [&](const Region &R) { return R.First < Clause.First; };
  auto At = std::partition_point(Ast.Regions.begin() + Next, Ast.Regions.begin() + End, Before);
  for (; At != Ast.Regions.begin() + End && At->First < Clause.Last; ++At) {
    const Region &R = *At;
    if (!isEmitted(R) || R.File == Region::NoFile || R.Last > Clause.Last)
      continue;
    Any = true;
    for (uint32_t Number : R.If) {
      const Directive &D = Ast.Directives[Number];
      unsigned DeclPoint = D.Public.kind == SIS_AST_CR_BEGIN ? D.Scope.FlagCrossings.DeclPoint
                                                             : Ast.DeclPoints[R.Function];
      if (DeclPoint < Clause.First)
        Conditions.insert(Number);
    }
  }
  std::string Text = Any ? " SIS_SHARED" : "";
  for (uint32_t Number : Conditions)
    Text += " " + numbered("SIS_FIRSTPRIVATE", Number);
  if (Any)
    All.replace(Clause.Offset, Clause.Offset, Text);
}

/// The functions with flags. After longjmp, the text at a setjmp cannot correct the variables of
/// the flags.
static std::set<uint32_t> functionsWithFlags(const sis_ast &Ast) {
  std::set<uint32_t> Found;
  for (const Region &R : Ast.Regions)
    if (isEmitted(R) && formOf(R) == Form::Flag)
      Found.insert(R.Function);
  for (const Directive &D : Ast.Directives)
    if (D.Scope.How == Form::Flag)
      Found.insert(D.Function);
  return Found;
}

/// Adds text to calls of setjmp: when such a call returns again, the regions that longjmp left are
/// ended.
/// LIMIT: this is not done in functions with flags. In such a function, a region that longjmp left
/// ends only when a region around it ends, and its time includes the time until then.
static void emitJumpTargets(Edits &All, const sis_ast &Ast) {
  constexpr uint32_t Innermost = UINT32_MAX;
  std::set<uint32_t> Flagged = functionsWithFlags(Ast);
  for (uint32_t I = 0; I < Ast.SetjmpCalls.size(); ++I) {
    const SetjmpCall &T = Ast.SetjmpCalls[I];
    if (Flagged.count(T.Function))
      continue;
    All.target(Ast.DeclPoints[T.Function], I, " " + numbered("SIS_JUMP", I));
    All.open(T.Begin, Innermost, numbered("SIS_JUMP_BEGIN", I) + " ");
    All.close(T.End, Innermost, " SIS_JUMP_END");
  }
}

/// Adds the edits of all regions and directives.
static void emitProbes(Edits &All, const sis_ast &Ast, std::vector<Blank> &Blanks) {
  RangeIndex Ends = regionEnds(Ast);
  for (uint32_t I = 0; I < Ast.Regions.size(); ++I) {
    const Region &R = Ast.Regions[I];
    if (!isEmitted(R))
      continue;
    if (R.Public.directive == SIS_AST_NONE)
      emitRegion(All, R, depthOf(I));
    if (formOf(R) == Form::Flag)
      emitCrossings(All, Ast, Ends, R.Function, R.FlagCrossings, Ast.Directives.size() + I,
                    flagText(R));
  }
  for (uint32_t I = 0; I < Ast.Directives.size(); ++I)
    emitDirective(All, Ast, Ends, I, Blanks);
}

bool emitTu(sis_ast &Ast, const char *Prologue, std::string &Result) {
  Edits All;
  std::vector<Blank> Blanks;
  chooseForms(Ast);
  emitProbes(All, Ast, Blanks);
  emitJumpTargets(All, Ast);
  for (const SharingClause &Clause : Ast.Sharing)
    share(All, Ast, Clause);
  std::vector<unsigned> Starts; // all are found before the first becomes an edit
  for (const UnreachedStart &S : Ast.UnreachedStarts)
    if (All.anyInside(S.DeclPoint - 1, S.Last))
      Starts.push_back(S.DeclPoint);
  for (unsigned DeclPoint : Starts)
    All.target(DeclPoint, 0, std::string(" ") + Unreached);
  writeFolds(Ast, All, Blanks);
  bool Marked =
      Ast.Text.compare(0, 3, "\xEF\xBB\xBF") == 0; // a byte order mark may only stand first
  unsigned ConflictAt;
  std::string Body = lineDirective({Ast.File.c_str(), 1});
  std::vector<CopiedPiece> Pieces;
  if (All.apply(Ast.Text, Marked ? 3 : 0, Body, ConflictAt, Pieces)) {
    // The probes of gates keep only the registers of the processor that the options name
    // (rtlib/sis/gate_call.h). So if a function is compiled for another processor, probes are plain
    // calls.
    Result = Ast.OtherRegisters && *Prologue ? "#define SIS__PLAIN_CALLS 1\n" : "";
    Result += Prologue + blameSection(Ast, Body, Pieces) + Body;
    return true;
  }
  Result = "conflicting edits near '" + Ast.Text.substr(ConflictAt, 30) + "'";
  return false;
}

} // namespace sis
