// emit.cc - writes the probes of marked regions as edits of the file's text. Any thread; reads the unit.
// Its one idea: all that a probe looks like is here, as macros of sis/probe.h.
#include "emit.h"

#include "unfold.h"

#include <algorithm>

namespace sis {

static std::string probe(const char *Macro, int64_t Number) {
  return std::string(Macro) + "(" + std::to_string(Number) + ")";
}

static void wrap(Edits &All, const Region &R, uint32_t Depth) {
  std::string Open = "{ " + probe("SIS_SCOPE", R.Probe);
  All.open(R.Begin.Offset, Depth, Open + (R.Begin.OwnLine ? "\n" + lineDirective(R.Begin.Mark) : " "));
  All.close(R.End.Offset, Depth, R.End.OwnLine ? "}\n" + lineDirective(R.End.Mark) : " }");
}

static void emitRegion(Edits &All, const Region &R, uint32_t Depth) {
  auto Around = [&](const std::string &Begin, const std::string &End) {
    All.open(R.Begin.Offset, Depth, Begin + " ");
    All.close(R.End.Offset, Depth, " " + End);
  };
  switch (R.How) {
  case Form::Body:
    All.open(R.Begin.Offset, Depth, " " + probe("SIS_SCOPE", R.Probe));
    break;
  case Form::Wrap:
    wrap(All, R, Depth);
    break;
  case Form::ValueCall:
    Around(probe("SIS_CALL_BEGIN", R.Probe), probe("SIS_CALL_END", R.Probe));
    break;
  case Form::VoidCall:
    Around(probe("SIS_VCALL_BEGIN", R.Probe), probe("SIS_VCALL_END", R.Probe));
    break;
  case Form::Site:
    Around(probe("SIS_SITE", R.Probe), "SIS_SITE_END");
    break;
  case Form::None:
  case Form::Guard: // only directives have it
    break;
  }
}

/// What stands in a pair's place. Scope, Open and Close are the macros of its kind.
static std::string guardText(const Region &R, int64_t Number, bool Begins, const char *Scope,
                             const char *Open, const char *Close) {
  if (R.How == Form::Guard)
    return Begins ? (R.AfterLabel ? "; " : "") + probe(Open, Number) : probe(Close, Number);
  return Begins ? "{ " + probe(Scope, Number) : "}";
}

static std::string measureText(const Directive &D, uint32_t Number) {
  bool Begins = D.Public.kind == SIS_AST_MEASURE_OFF;
  if (D.Function == SIS_AST_NONE)
    return ""; // at file scope: what lies between has no probes, that is all
  if (D.Off.How == Form::None)
    return Begins ? "SIS_MEASURE_OFF" : "SIS_MEASURE_ON";
  return guardText(D.Off, Begins ? Number : D.Public.match, Begins, "SIS_OFF_SCOPE", "SIS_OFF_OPEN",
                   "SIS_OFF_CLOSE");
}

static std::string directiveText(const sis_ast &Ast, uint32_t Number) {
  const Directive &D = Ast.Directives[Number];
  bool Begins = D.Public.kind == SIS_AST_CR_BEGIN;
  if (D.Public.kind == SIS_AST_MEASURE_OFF || D.Public.kind == SIS_AST_MEASURE_ON)
    return measureText(D, Number);
  if (D.Public.match == SIS_AST_NONE)
    return "";
  uint32_t Index = Ast.Directives[Begins ? Number : D.Public.match].Public.region;
  if (Index == SIS_AST_NONE)
    return "";
  const Region &R = Ast.Regions[Index];
  if (R.Probe < 0 || R.Public.obstacle)
    return "";
  return guardText(R, R.Probe, Begins, "SIS_SCOPE", "SIS_OPEN", "SIS_CLOSE");
}

static bool probesInside(const sis_ast &Ast, const SharingClause &Clause) {
  for (const Region &R : Ast.Regions)
    if (R.Probe >= 0 && !R.Public.obstacle && R.Home != Region::Nowhere && R.First >= Clause.First && R.Last <= Clause.Last)
      return true;
  return false;
}

/// What stands in the place of the directives. One without probes only vanishes.
static void emitDirectives(const sis_ast &Ast, Edits &All, std::vector<Blank> &Blanks) {
  for (uint32_t I = 0; I < Ast.Directives.size(); ++I) {
    const Directive &D = Ast.Directives[I];
    std::string Text = directiveText(Ast, I), Lines(D.Newlines, '\n');
    if (Text.empty())
      Blanks.push_back({D.First, D.Last, Lines});
    else
      All.replace(D.First, D.Last, D.FromMacro ? " " + Text + " " : Text + Lines);
  }
}

bool emitUnit(sis_ast &Ast, const char *Prologue, std::string &Result) {
  Edits All;
  std::vector<Blank> Blanks;
  for (uint32_t I = 0; I < Ast.Regions.size(); ++I) {
    const Region &R = Ast.Regions[I];
    if (R.Probe >= 0 && !R.Public.obstacle && R.Public.directive == SIS_AST_NONE)
      emitRegion(All, R, I);
  }
  emitDirectives(Ast, All, Blanks);
  for (const SharingClause &Clause : Ast.Sharing)
    if (probesInside(Ast, Clause))
      All.replace(Clause.Offset, Clause.Offset, " shared(sis__unit, sis__regions)");
  writeFolds(Ast, All, Blanks);
  bool Marked = Ast.Text.compare(0, 3, "\xEF\xBB\xBF") == 0; // a byte order mark may only stand first
  Result = Prologue;
  Result += lineDirective({Ast.File.c_str(), 1});
  unsigned ConflictAt;
  if (All.apply(Ast.Text, Marked ? 3 : 0, Result, ConflictAt))
    return true;
  Result = "conflicting edits near '" + Ast.Text.substr(ConflictAt, 30) + "'";
  return false;
}

} // namespace sis
