// SPDX-License-Identifier: BSD-3-Clause
// layout.cc - lays out the flat text (flat_text.h) from the record of the preprocessor
// (recorder.h). Runs once per translation unit, after the file is parsed, in the thread that calls
// sis_ast_open. Its one idea: the record is in the order of the text, so one pass over it writes
// the text, and the offset of each token is the length of the text at that moment.
#include "clang/text/flat_text.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <ctime>
#include <optional>

using namespace clang;
using llvm::StringRef;

namespace sis {

class LayOut {
public:
  LayOut(FlatText &Flat, Record &Seen)
      : Flat(Flat), Ast(Flat.Ast), SM(Flat.SM), LO(Flat.LO), Seen(Seen), Text(Flat.Ast.Text) {}
  void run();

private:
  struct Reading {
    FileID ID;
    StringRef Buffer;
    unsigned At;   // the file is laid out up to this offset
    unsigned Fold; // number of the file's fold
  };
  /// The extent in a file of a token, or of the use of the macro that gave it.
  struct Range {
    FileID File;
    unsigned First, Last;
  };

  // files
  void enter(const SeenEvent &E);
  void leave();
  void openFold(const SeenEvent &E, unsigned At, unsigned End);
  void copyTo(unsigned At);
  void segment(SourceLocation From, bool Fixed);
  unsigned flatOffset(unsigned At) const;
  SourceLocation here(unsigned At) const { return SM.getComposedLoc(Open.back().ID, At); }

  // macros
  void token(size_t Number);
  Range rangeOf(SourceLocation Loc) const;
  SourceLocation locationOf(size_t Number) const;
  bool isOperator(const SeenToken &T) const;
  bool isIn(const Range &R) const;
  void openMacro(const Range &R);
  void closeMacro();
  void macroToken(size_t Number, const Range &R);
  void spell(const SeenToken &T);
  std::optional<Record::Builtin> builtinOf(const SeenToken &T, SourceLocation &Use) const;
  std::string builtin(const SeenToken &T);
  std::string withLine(const SeenToken &T) const;
  std::string timestamp() const;
  void noteObstacle(size_t Number);
  void note(const SeenToken &T, unsigned First, unsigned Last);

  // events between tokens
  void event(const SeenEvent &E);
  bool reachMacro(const SeenEvent &E);
  void directive(const SeenEvent &E);
  void otherPragma(const SeenEvent &E);
  void skip(const SeenEvent &E);
  unsigned endOfInclude(const SeenEvent &E) const;
  unsigned endOfOperator(unsigned At) const;
  void forbidTogether();

  FlatText &Flat;
  sis_ast &Ast;
  SourceManager &SM;
  const LangOptions &LO;
  Record &Seen;
  std::string &Text;
  std::vector<Reading> Open;   // files, outermost first
  unsigned Macro = Fold::None; // fold of the use that is laid out
  Range MacroRange = {};
  bool InOperator = false;     // between `_Pragma("` and `")`
};

// -- files ----------------------------------------------------------------------------------------

void LayOut::segment(SourceLocation From, bool Fixed) {
  unsigned Around = Macro != Fold::None ? Macro : Open.back().Fold;
  Flat.Segments.push_back({unsigned(Text.size()), From, Fixed, Around});
}

/// The offset in the flat text that offset At of the current file gets when the file is laid out up
/// to At.
unsigned LayOut::flatOffset(unsigned At) const {
  return Text.size() + (std::max(At, Open.back().At) - Open.back().At);
}

/// Lays out the current file up to At.
void LayOut::copyTo(unsigned At) {
  Reading &R = Open.back();
  if (At <= R.At)
    return;
  segment(here(R.At), false);
  Flat.Pieces[R.ID].push_back({R.At, At - R.At, unsigned(Text.size())});
  Text += R.Buffer.substr(R.At, At - R.At);
  R.At = At;
}

/// The offset behind the name of the included file.
unsigned LayOut::endOfInclude(const SeenEvent &E) const {
  if (E.End.isFileID())
    return SM.getFileOffset(E.End);
  SourceLocation End = SM.getExpansionRange(E.End).getEnd();
  return SM.getFileOffset(End) + Lexer::MeasureTokenLength(End, SM, LO);
}

static StringRef directoryOf(StringRef Name) {
  size_t Slash = Name.rfind('/');
  return Slash == StringRef::npos ? "" : Name.take_front(Slash);
}

void LayOut::openFold(const SeenEvent &E, unsigned At, unsigned End) {
  Fold F;
  F.Include = true;
  F.First = Text.size();
  F.Around = Open.back().Fold;
  F.Original = Open.back().Buffer.slice(At, End).str();
  F.Why = E.Why;
  F.File = Flat.Names[E.File];
  F.Quoted = E.Quoted;
  F.OtherDirectory = directoryOf(E.Name) != directoryOf(Ast.File);
  F.Identity = E.Identity;
  sis_ast_position Back = Flat.position(here(End));
  F.After = {Back.file, Back.line};
  Ast.Folds.push_back(std::move(F));
}

void LayOut::enter(const SeenEvent &E) {
  Reading R = {E.File, SM.getBufferData(E.File), 0, Fold::None};
  Flat.Names[E.File] = Ast.keep(E.Name);
  if (!Open.empty()) {
    unsigned At = SM.getFileOffset(E.Loc), End = endOfInclude(E);
    copyTo(At);
    openFold(E, At, End);
    Open.back().At = End;
    R.Fold = Ast.Folds.size() - 1;
    R.At = R.Buffer.starts_with("\xEF\xBB\xBF") ? 3 : 0; // may only stand at the begin of a file
  }
  Open.push_back(R);
  if (R.Fold == Fold::None)
    return;
  segment(E.Loc, true);
  Text += '\n'; // the file's text is strictly inside the fold
}

void LayOut::leave() {
  if (Open.size() < 2)
    return;
  unsigned Size = Open.back().Buffer.size();
  copyTo(Size);
  segment(here(Size), true);
  Text += Open.back().Buffer.ends_with("\\") ? "\n\n" : "\n";
  Ast.Folds[Open.back().Fold].Last = Text.size();
  Open.pop_back();
}

// -- macros ---------------------------------------------------------------------------------------

/// Whether an annotation stands for a pragma spelled `_Pragma`.
bool LayOut::isOperator(const SeenToken &T) const {
  if (T.Kind != tok::annot_pragma_openmp)
    return false;
  return T.Loc.isMacroID() || StringRef(SM.getCharacterData(T.Loc), 7) == "_Pragma";
}

/// The location of a token. The annotation of a `_Pragma` has only the begin of the operator, so
/// the location of the next token is used.
SourceLocation LayOut::locationOf(size_t Number) const {
  const SeenToken &T = Seen.Tokens[Number];
  bool OnlyBegin = T.Loc.isFileID() && isOperator(T) && Number + 1 < Seen.Tokens.size();
  return Seen.Tokens[Number + OnlyBegin].Loc;
}

LayOut::Range LayOut::rangeOf(SourceLocation Loc) const {
  CharSourceRange R = SM.getExpansionRange(Loc);
  auto [File, First] = SM.getDecomposedLoc(R.getBegin());
  auto [Other, Last] = SM.getDecomposedLoc(R.getEnd());
  if (Other != File)
    return {File, First, First};
  return {File, First,
          R.isTokenRange() ? Last + Lexer::MeasureTokenLength(R.getEnd(), SM, LO) : Last};
}

/// Whether the extent is inside the use of the macro that is laid out.
bool LayOut::isIn(const Range &R) const {
  return Macro != Fold::None && R.File == MacroRange.File && R.First >= MacroRange.First &&
         R.First < MacroRange.Last;
}

void LayOut::openMacro(const Range &R) {
  closeMacro();
  copyTo(R.First);
  Fold F;
  F.First = Text.size();
  F.Around = Open.back().Fold;
  Macro = Ast.Folds.size();
  MacroRange = R;
  Ast.Folds.push_back(std::move(F));
  segment(here(R.First), true);
}

void LayOut::closeMacro() {
  if (Macro == Fold::None)
    return;
  Fold &F = Ast.Folds[Macro];
  F.Last = Text.size();
  F.Original = Open.back().Buffer.slice(MacroRange.First, MacroRange.Last).str();
  auto Counter =
      std::lower_bound(Seen.Counters.begin(), Seen.Counters.end(), here(MacroRange.First));
  if (Counter != Seen.Counters.end() && *Counter < here(MacroRange.Last))
    F.Why = "comes from a macro that uses __COUNTER__";
  Open.back().At = MacroRange.Last;
  Macro = Fold::None;
}

void LayOut::note(const SeenToken &T, unsigned First, unsigned Last) {
  if (T.Loc.isMacroID())
    Flat.MacroTokens.try_emplace(T.Loc.getRawEncoding(), Flat.Tokens.size());
  Flat.Tokens.push_back({First, Last, T.Kind, T.Name});
}

void LayOut::token(size_t Number) {
  const SeenToken &T = Seen.Tokens[Number];
  if (T.Loc.isMacroID() || isOperator(T)) {
    Range R = rangeOf(locationOf(Number));
    bool Known =
        R.File == Open.back().ID && R.First < R.Last && (isIn(R) || R.First >= Open.back().At);
    if (Known)
      return macroToken(Number, R);
    return Flat.Tokens.push_back(
        {unsigned(Text.size()), unsigned(Text.size()), T.Kind, T.Name}); // of no length
  }
  closeMacro();
  auto [File, At] = SM.getDecomposedLoc(T.Loc);
  unsigned First = File == Open.back().ID ? flatOffset(At) : Text.size();
  note(T, First, First + T.Length);
}

void LayOut::macroToken(size_t Number, const Range &R) {
  if (!isIn(R))
    openMacro(R);
  else if (Text.size() > Ast.Folds[Macro].First)
    Text += ' ';
  // If the name F in F(x) comes from another macro, the use ends behind `(x)`.
  MacroRange.Last = std::max(MacroRange.Last, R.Last);
  unsigned First = Text.size();
  spell(Seen.Tokens[Number]);
  note(Seen.Tokens[Number], First, Text.size());
  SourceLocation Use;
  Flat.Tokens.back().OfPosition = builtinOf(Seen.Tokens[Number], Use).has_value();
  noteObstacle(Number);
}

/// The value of __TIMESTAMP__: the time of the last change of the current file. Unlike clang, GCC
/// ignores SOURCE_DATE_EPOCH for this value. Returns "" if clang's value is right.
std::string LayOut::timestamp() const {
  auto Entry = SM.getFileEntryRefForID(Open.back().ID);
  time_t Time = Entry ? Entry->getModificationTime() : 0;
  char Text[64];
  struct tm Parts;
  if (!Ast.ForGCC || !localtime_r(&Time, &Parts) ||
      !strftime(Text, sizeof Text, "\"%a %b %e %T %Y\"", &Parts))
    return "";
  return Text;
}

/// The built-in macro that gave the token, if one did. Use gets the place where the macro is used.
std::optional<Record::Builtin> LayOut::builtinOf(const SeenToken &T, SourceLocation &Use) const {
  bool Made = T.Kind == tok::string_literal || T.Kind == tok::numeric_constant;
  if (!Made || !SM.isWrittenInScratchSpace(SM.getSpellingLoc(T.Loc)))
    return std::nullopt;
  Use = T.Loc;
  auto Found = Seen.Builtins.end();
  while (Use.isMacroID() && Found == Seen.Builtins.end()) {
    Use = writtenFrom(Use, SM);
    Found = Seen.Builtins.find(Use.getRawEncoding());
  }
  if (Found == Seen.Builtins.end())
    return std::nullopt;
  return Found->second;
}

/// The text of a token that # or ## made from the value of __LINE__; "" for all others.
std::string LayOut::withLine(const SeenToken &T) const {
  if (!SM.isWrittenInScratchSpace(SM.getSpellingLoc(T.Loc)))
    return "";
  StringRef Spelled = Seen.spelling(T);
  auto Before = [](const SeenLine &L, SourceLocation Loc) { return L.In < Loc; };
  auto L = std::lower_bound(Seen.Lines.begin(), Seen.Lines.end(), here(MacroRange.First), Before);
  for (; L != Seen.Lines.end() && L->In < here(MacroRange.Last); ++L) {
    std::string Line = std::to_string(L->OfClang);
    auto [Front, Rest] = Spelled.rsplit(Line);
    bool Is = Front.size() < Spelled.size() && (Front.empty() || !llvm::isDigit(Front.back())) &&
              (Rest.empty() || !llvm::isDigit(Rest.front()));
    if (Is)
      return (Front + llvm::Twine(L->OfGCC) + Rest).str();
  }
  return "";
}

/// The text for a use of the built-in macros of Record::Builtin: their values may differ between
/// clang and the compiler (Recorder::line). Returns "" if clang's value is right.
std::string LayOut::builtin(const SeenToken &T) {
  SourceLocation Use;
  std::optional<Record::Builtin> Found = builtinOf(T, Use);
  if (!Found)
    return withLine(T);
  if (*Found == Record::Counter)
    return "";
  if (const char *Same = Record::spelling(*Found))
    return Same;
  if (*Found == Record::Timestamp) {
    Ast.Folds[Macro].UsesTimestamp = true;
    return timestamp();
  }
  while (Use.isMacroID())
    Use = writtenFrom(Use, SM);
  return Ast.ForGCC ? std::to_string(SM.getPresumedLineNumber(Use)) : "";
}

/// Appends the text of a token. If the token belongs to a `_Pragma`, the text has the form of a
/// string.
void LayOut::spell(const SeenToken &T) {
  StringRef Own =
      T.Loc.isFileID() ? StringRef(SM.getCharacterData(T.Loc), T.Length) : Seen.spelling(T);
  if (T.Kind == tok::annot_pragma_openmp) {
    InOperator = true;
    Text += "_Pragma(\"omp";
  } else if (T.Kind == tok::annot_pragma_openmp_end) {
    InOperator = false;
    Text += "\")";
  } else if (std::string Special = builtin(T); !Special.empty()) {
    Text += Special;
  } else {
    for (char C : Own) {
      if (InOperator && (C == '"' || C == '\\'))
        Text += '\\';
      Text += C;
    }
  }
}

/// Whether the token is an identifier from a header of clang's own that other compilers do not
/// know.
static bool isForeign(const SeenToken &T, const SourceManager &SM) {
  if (!T.Name || !T.Name->getName().starts_with("__"))
    return false;
  for (StringRef Known :
       {"__builtin_va_start", "__builtin_va_arg", "__builtin_va_end", "__builtin_va_copy",
        "__builtin_offsetof", "__extension__", "__typeof__", "__attribute__"})
    if (T.Name->getName() == Known)
      return false;
  return SM.getFilename(SM.getSpellingLoc(T.Loc)).starts_with(SIS_CLANG_RESOURCES);
}

/// If the token is a reason not to write out the macro that it comes from, records the reason in
/// the macro's fold.
void LayOut::noteObstacle(size_t Number) {
  const SeenToken &T = Seen.Tokens[Number];
  bool Called = Number + 1 < Seen.Tokens.size() && Seen.Tokens[Number + 1].Kind == tok::l_paren;
  bool OpenMP = T.Kind == tok::annot_pragma_openmp || T.Kind == tok::annot_pragma_openmp_end;
  if (T.Expands == SeenToken::Always || (T.Expands == SeenToken::BeforeParenthesis && Called))
    Ast.Folds[Macro].Why = "comes from a macro that names itself";
  else if (tok::isAnnotation(T.Kind) && !OpenMP)
    Ast.Folds[Macro].Why = "comes from a macro with a pragma";
  else if (isForeign(T, SM))
    Ast.Folds[Macro].Why = "comes from a macro of the compiler's own headers";
}

// -- events between tokens ------------------------------------------------------------------------

/// Lays out the macro that produced a pragma, up to the pragma. Returns false if the macro gave no
/// token.
bool LayOut::reachMacro(const SeenEvent &E) {
  Range R = rangeOf(E.Loc);
  if (isIn(R))
    return true;
  if (R.File != Open.back().ID || R.First < Open.back().At || E.At >= Seen.Tokens.size())
    return false;
  Range Next = rangeOf(locationOf(E.At));
  if (Seen.Tokens[E.At].Loc.isFileID() || Next.File != R.File || Next.First != R.First ||
      Next.Last <= Next.First)
    return false;
  openMacro(Next);
  return true;
}

/// The end of the `_Pragma ( "..." )` that begins at At.
unsigned LayOut::endOfOperator(unsigned At) const {
  StringRef Buffer = Open.back().Buffer;
  size_t Quote = Buffer.find('"', At);
  for (++Quote; Quote < Buffer.size() && Buffer[Quote] != '"'; ++Quote)
    Quote += Buffer[Quote] == '\\';
  size_t Close = Buffer.find(')', Quote);
  return Close == StringRef::npos ? Buffer.size() : Close + 1;
}

void LayOut::directive(const SeenEvent &E) {
  Directive &D = Ast.Directives[E.Number];
  D.File = Open.back().Fold == Fold::None ? 0 : Open.back().Fold + 1;
  if (E.Loc.isMacroID()) {
    D.FromMacro = true;
    if (reachMacro(E)) {
      D.First = D.Last = Text.size();
      return;
    }
    Range R = rangeOf(E.Loc); // the macro's use stays; probes are inserted behind it
    closeMacro();
    D.First = D.Last = R.File == Open.back().ID ? flatOffset(R.Last) : Text.size();
    return;
  }
  unsigned At = SM.getFileOffset(E.Loc),
           End = E.Operator ? endOfOperator(At) : SM.getFileOffset(E.End);
  D.First = flatOffset(At);
  D.Last = flatOffset(End);
  D.Newlines = Open.back().Buffer.slice(At, End).count('\n');
}

/// Lays out a pragma spelled `_Pragma`. In a macro, only pragmas of OpenMP and of SIS are among the
/// tokens. A macro with another pragma may not be written out.
void LayOut::otherPragma(const SeenEvent &E) {
  const SeenEvent *Next = &E + 1;
  bool Ours = Next < Seen.Events.data() + Seen.Events.size() &&
              Next->What == SeenEvent::Directive && Next->Loc == E.Loc;
  bool OpenMP = E.At < Seen.Tokens.size() && Seen.Tokens[E.At].Kind == tok::annot_pragma_openmp &&
                Seen.Tokens[E.At].Loc == E.Loc;
  if (E.Loc.isMacroID() && !Ours && !OpenMP && reachMacro(E))
    Ast.Folds[Macro].Why = "comes from a macro with a pragma";
}

void LayOut::skip(const SeenEvent &E) {
  unsigned At = SM.getFileOffset(E.Loc), End = endOfInclude(E);
  if (SM.getFileID(E.Loc) == Open.back().ID && At >= Open.back().At)
    Ast.Skips.push_back({flatOffset(At), flatOffset(End), Open.back().Fold, E.Identity, E.Quoted});
}

void LayOut::event(const SeenEvent &E) {
  if (!E.Loc.isMacroID())
    closeMacro();
  unsigned At = E.Loc.isFileID() && E.Loc.isValid() ? SM.getFileOffset(E.Loc) : 0;
  switch (E.What) {
  case SeenEvent::Enter:
    return enter(E);
  case SeenEvent::Exit:
    return leave();
  case SeenEvent::Skip:
    return skip(E);
  case SeenEvent::Directive:
    return directive(E);
  case SeenEvent::OtherPragma:
    return otherPragma(E);
  case SeenEvent::LoopPragma:
    return Flat.LoopPragmas.push_back(flatOffset(At));
  case SeenEvent::Once:
    Ast.Folds[Open.back().Fold].OnceFirst = flatOffset(At);
    Ast.Folds[Open.back().Fold].OnceLast = flatOffset(SM.getFileOffset(E.End));
  }
}

/// If a file may not be written out, the files that include this file may not be written out
/// either. The same holds for a file with `#pragma once` that this file includes again.
void LayOut::forbidTogether() {
  auto Forbid = [](Fold &F, const char *Why) {
    bool New = Why && !F.Why;
    F.Why = New ? Why : F.Why;
    return New;
  };
  for (bool Again = true; Again;) {
    Again = false;
    for (const Fold &F : Ast.Folds)
      if (F.Include && F.Why && F.Around != Fold::None)
        Again |= Forbid(Ast.Folds[F.Around], F.Why);
    for (const SkippedInclude &S : Ast.Skips)
      for (Fold &F : Ast.Folds)
        if (S.Around != Fold::None && F.Identity == S.Identity && F.OnceLast > F.OnceFirst)
          Again |= Forbid(F, Ast.Folds[S.Around].Why);
  }
}

void LayOut::run() {
  size_t Next = 0;
  std::sort(Seen.Counters.begin(), Seen.Counters.end());
  llvm::sort(Seen.Lines, [](const SeenLine &A, const SeenLine &B) { return A.In < B.In; });
  for (size_t I = 0; I <= Seen.Tokens.size(); ++I) {
    for (; Next < Seen.Events.size() && Seen.Events[Next].At <= I; ++Next)
      event(Seen.Events[Next]);
    if (I < Seen.Tokens.size() && !Open.empty())
      token(I);
  }
  if (Open.empty())
    return;
  closeMacro();
  while (Open.size() > 1)
    leave();
  copyTo(Open.back().Buffer.size());
  forbidTogether();
}

void FlatText::layOut(Record &Seen) { LayOut(*this, Seen).run(); }

} // namespace sis
