// SPDX-License-Identifier: BSD-3-Clause
// expand_folds.cc - see expand_folds.h. Any thread; emit.cc calls it after all other edits are
// made. Its one idea: the text of a fold that is kept is replaced by the user's macro or #include.
// The text of a fold that is written out stays, and edits at its begin and end restore the user's
// line numbers.
#include "emit/expand_folds.h"

#include <algorithm>
#include <set>

namespace sis {

std::string lineDirective(const LineMark &Mark) {
  std::string Text = "#line " + std::to_string(Mark.Line) + " \"";
  for (const char *C = Mark.File; *C; ++C) {
    if (*C == '"' || *C == '\\')
      Text += '\\';
    Text += *C;
  }
  return Text + "\"\n";
}

namespace {

class Writer {
public:
  Writer(sis_ast &Ast, Edits &All) : Ast(Ast), All(All), Out(Ast.Folds.size(), false) {}
  void decide();
  void folds();
  void skips();
  void blank(const Blank &B);

private:
  bool isWritten(unsigned Around) const { return Around == Fold::None || Out[Around]; }
  bool writeOut(unsigned Number);
  bool writeWith(const Fold &Once);
  bool needsOwnTimestamp(const Fold &F) const;
  bool mustGo(const SkippedInclude &S) const;

  sis_ast &Ast;
  Edits &All;
  std::vector<bool> Out; // folds that are written out
  std::set<const void *> Unknown; // files with `#pragma once` that are written out
};

/// Marks the fold and all folds around it as written out. Returns whether any of these folds was
/// not marked before.
bool Writer::writeOut(unsigned Number) {
  bool New = false;
  for (; Number != Fold::None && !Out[Number]; Number = Ast.Folds[Number].Around)
    Out[Number] = New = true;
  return New;
}

/// If a file with `#pragma once` is written out, the compiler does not know that the file was
/// included. Each file that includes that file again must be written out, too, so that this
/// #include can be removed.
bool Writer::writeWith(const Fold &Once) {
  bool New = false;
  for (const SkippedInclude &S : Ast.Skips)
    if (S.Identity == Once.Identity)
      New |= writeOut(S.Around);
  return New;
}

/// Whether the compiler would give the __TIMESTAMP__ in the fold the time of another file: of the
/// main file instead of a header or, for clang, of standard input.
bool Writer::needsOwnTimestamp(const Fold &F) const {
  return F.UsesTimestamp && !F.Why && (F.Around != Fold::None || !Ast.ForGCC);
}

void Writer::decide() {
  for (unsigned I = 0; I < Ast.Folds.size(); ++I)
    if (All.anyInside(Ast.Folds[I].First, Ast.Folds[I].Last))
      writeOut(I);
  for (bool Again = true; Again;) {
    Again = false;
    for (unsigned I = 0; I < Ast.Folds.size(); ++I) {
      const Fold &F = Ast.Folds[I];
      bool Relative =
          F.Include && F.Quoted && F.Around != Fold::None && Ast.Folds[F.Around].OtherDirectory;
      if (needsOwnTimestamp(F) && isWritten(F.Around))
        Again |= writeOut(I);
      // In the main file's directory, the name may mean another file.
      if (Relative && Out[F.Around])
        Again |= writeOut(I);
      if (Out[I] && F.OnceLast > F.OnceFirst && Unknown.insert(F.Identity).second)
        Again |= writeWith(F);
    }
  }
}

/// The line ends of a text, with the backslashes that continue lines.
static std::string lineEnds(const std::string &Text) {
  std::string Ends;
  for (size_t I = 0; I < Text.size(); ++I)
    if (Text[I] == '\n')
      Ends += I && Text[I - 1] == '\\' ? "\\\n" : "\n";
  return Ends;
}

void Writer::folds() {
  Ast.Inlined.clear();
  Ast.Expanded = 0;
  for (unsigned I = 0; I < Ast.Folds.size(); ++I) {
    const Fold &F = Ast.Folds[I];
    if (!isWritten(F.Around))
      continue;
    if (!Out[I]) {
      All.fold(F.First, F.Last, F.Original);
    } else if (!F.Include) {
      ++Ast.Expanded;
      All.fold(F.First, F.First, " ");
      All.unfolded(F.Last, " " + lineEnds(F.Original));
    } else {
      std::string Begin = "\n" + lineDirective({F.File, 1});
      Begin.pop_back(); // the fold begins with a line end
      All.fold(F.First, F.First, Begin);
      All.unfolded(F.Last, lineDirective(F.After));
      if (F.OnceLast > F.OnceFirst)
        All.replace(F.OnceFirst, F.OnceLast, "");
      Ast.Inlined.push_back(F.File);
    }
  }
}

/// Whether the #include must be removed, because the compiler would not find the file, or would not
/// skip it as clang did.
bool Writer::mustGo(const SkippedInclude &S) const {
  if (S.Quoted && S.Around != Fold::None && Ast.Folds[S.Around].OtherDirectory)
    return true;
  return Unknown.count(S.Identity);
}

void Writer::skips() {
  for (const SkippedInclude &S : Ast.Skips)
    if (isWritten(S.Around) && mustGo(S))
      All.replace(S.First, S.Last, lineEnds(Ast.Text.substr(S.First, S.Last - S.First)));
}

/// Adds B, unless it is in a fold that is kept. Folds are sorted. So the fold that holds B is the
/// last fold that begins before B, or a fold around it.
void Writer::blank(const Blank &B) {
  auto Begins = [](const Fold &F, unsigned Offset) { return F.First < Offset; };
  auto It = std::lower_bound(Ast.Folds.begin(), Ast.Folds.end(), B.First, Begins);
  unsigned I = It == Ast.Folds.begin() ? Fold::None : It - Ast.Folds.begin() - 1;
  for (; I != Fold::None; I = Ast.Folds[I].Around)
    if (!Out[I] && B.Last < Ast.Folds[I].Last)
      return;
  All.replace(B.First, B.Last, B.Text);
}

} // namespace

void writeFolds(sis_ast &Ast, Edits &All, const std::vector<Blank> &Blanks) {
  Writer W(Ast, All);
  W.decide();
  for (const Blank &B : Blanks)
    W.blank(B);
  W.skips();
  W.folds();
}

} // namespace sis
