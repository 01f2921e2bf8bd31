// SPDX-License-Identifier: BSD-3-Clause
// flat_text.cc - the queries of flat_text.h; layout.cc makes the text. Runs in the thread that
// calls sis_ast_open. Its one idea: two sorted lists, by file and by flat offset, are enough for
// all queries.
#include "clang/text/flat_text.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

#include <algorithm>

using namespace clang;

namespace sis {

const FlatText::Segment &FlatText::segment(unsigned Offset) const {
  auto After = [](unsigned Offset, const Segment &S) { return Offset < S.First; };
  auto It = std::upper_bound(Segments.begin(), Segments.end(), Offset, After);
  return It == Segments.begin() ? *It : *--It;
}

SourceLocation FlatText::location(unsigned Offset) const {
  const Segment &S = segment(Offset);
  return S.Fixed ? S.From : S.From.getLocWithOffset(Offset - S.First);
}

/// The flat offset of a location in a file. A location in the original text of a fold has the
/// offset of the fold's begin.
unsigned FlatText::fileOffset(SourceLocation Loc) const {
  auto [File, At] = SM.getDecomposedLoc(Loc);
  auto Found = Pieces.find(File);
  if (Found == Pieces.end()) {
    SourceLocation From = SM.getIncludeLoc(File);
    return From.isValid() ? fileOffset(From) : 0;
  }
  auto After = [](unsigned At, const Piece &P) { return At < P.At; };
  auto It = std::upper_bound(Found->second.begin(), Found->second.end(), At, After);
  if (It == Found->second.begin())
    return It->First;
  --It;
  return It->First + std::min(At - It->At, It->Length);
}

bool FlatText::holds(SourceLocation Loc) const {
  if (Loc.isMacroID())
    return MacroTokens.count(Loc.getRawEncoding());
  return Loc.isValid() && Pieces.count(SM.getFileID(Loc));
}

unsigned FlatText::offset(SourceLocation Loc) const {
  if (Loc.isInvalid())
    return 0;
  auto Token = Loc.isMacroID() ? MacroTokens.find(Loc.getRawEncoding()) : MacroTokens.end();
  return Token != MacroTokens.end() ? Tokens[Token->second].First
                                    : fileOffset(SM.getExpansionLoc(Loc));
}

unsigned FlatText::endOffset(SourceLocation Loc) const {
  if (Loc.isInvalid())
    return 0;
  auto Token = Loc.isMacroID() ? MacroTokens.find(Loc.getRawEncoding()) : MacroTokens.end();
  if (Token != MacroTokens.end())
    return Tokens[Token->second].Last;
  if (Loc.isFileID() && holds(Loc))
    return fileOffset(Loc) + Lexer::MeasureTokenLength(Loc, SM, LO);
  SourceLocation End = SM.getExpansionRange(Loc).getEnd(); // of a macro that is not laid out
  return holds(End) ? fileOffset(End.getLocWithOffset(Lexer::MeasureTokenLength(End, SM, LO)))
                    : offset(Loc) + 1;
}

sis_ast_position FlatText::position(SourceLocation Loc) const {
  PresumedLoc P = SM.getPresumedLoc(SM.getExpansionLoc(Loc));
  if (P.isInvalid())
    return {"", 0, 0};
  auto Own = P.getFileID().isValid() ? Names.find(P.getFileID()) : Names.end(); // #line has none
  if (Own != Names.end())
    return {Own->second, P.getLine(), P.getColumn()};
  if (LastFile != P.getFilename() || !*LastKept) {
    LastFile = P.getFilename();
    LastKept = Ast.keep(LastFile);
  }
  return {LastKept, P.getLine(), P.getColumn()};
}

const char *FlatText::whyNoEdit(unsigned Offset) const {
  for (unsigned I = segment(Offset).Fold; I != Fold::None; I = Ast.Folds[I].Around) {
    const Fold &F = Ast.Folds[I];
    if (F.Why && Offset > F.First && Offset < F.Last)
      return F.Why;
  }
  return nullptr;
}

unsigned FlatText::file(unsigned Offset) const {
  for (unsigned I = segment(Offset).Fold; I != Fold::None; I = Ast.Folds[I].Around)
    if (Ast.Folds[I].Include)
      return I + 1;
  return 0;
}

} // namespace sis
