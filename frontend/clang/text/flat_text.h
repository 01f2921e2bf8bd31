/* SPDX-License-Identifier: BSD-3-Clause */
// flat_text.h - the translation unit as one text: the main file, with its #includes and macros
// replaced by their content. Every position in a sis_ast is an offset into the flat text.
//
//     a.c          for (i = 0; i < N(2); i++)     #include "b.inc"
//     flat text    for (i = 0; i < 2 + 1; i++)    <the text of b.inc>
//                                  ~~~~~ fold     ~~~~~~~~~~~~~~~~~~~ fold
//
// A fold (tu.h) is written as the user wrote it, unless an edit lies strictly inside. Then its
// content is written instead (expand_folds.cc). An edit at the begin or end of a macro's content is
// outside of the fold.
#ifndef SIS_FRONTEND_FLAT_TEXT_H
#define SIS_FRONTEND_FLAT_TEXT_H

#include "clang/parse/recorder.h"
#include "tu/tu.h"

#include "llvm/ADT/DenseMap.h"

namespace sis {

/// A token of the flat text, as the parser received it.
struct FlatToken {
  unsigned First, Last;
  clang::tok::TokenKind Kind;
  const clang::IdentifierInfo *Name; // of an identifier or keyword
  bool OfPosition = false; // the value of __LINE__, __FILE__, __DATE__ ... or __COUNTER__
};

class FlatText {
public:
  FlatText(sis_ast &Ast, clang::SourceManager &SM, const clang::LangOptions &LO)
      : Ast(Ast), SM(SM), LO(LO) {}

  /// Lays out the text. Called once, after the file is parsed. All other functions need it.
  void layOut(Record &Seen);

  /// The offset of the token or, if the token is not laid out, of the #include or macro that the
  /// token comes from.
  unsigned offset(clang::SourceLocation Loc) const;
  unsigned endOffset(clang::SourceLocation Loc) const;
  /// Whether the token is in the text.
  bool holds(clang::SourceLocation Loc) const;
  /// The location that the text at Offset comes from. For the text of a macro, the location is the
  /// use of the macro.
  clang::SourceLocation location(unsigned Offset) const;
  /// The position that the compiler reports.
  sis_ast_position position(clang::SourceLocation Loc) const;
  /// Why no edit may be at Offset; NULL if one may.
  const char *whyNoEdit(unsigned Offset) const;
  /// Number of the file that the text at Offset comes from: 0 is the main file.
  unsigned file(unsigned Offset) const;

  const std::vector<FlatToken> &tokens() const { return Tokens; }
  const std::vector<unsigned> &loopPragmas() const { return LoopPragmas; }

private:
  struct Segment {
    unsigned First;             // in the flat text; ends where the next one begins
    clang::SourceLocation From;
    bool Fixed;                 // all of it comes from that one location
    unsigned Fold;              // innermost fold around it
  };
  struct Piece { // of a file: [At, At + Length) is laid out from First on
    unsigned At, Length, First;
  };
  friend class LayOut;
  const Segment &segment(unsigned Offset) const;
  unsigned fileOffset(clang::SourceLocation Loc) const;

  sis_ast &Ast;
  clang::SourceManager &SM;
  const clang::LangOptions &LO;
  std::vector<FlatToken> Tokens;
  std::vector<Segment> Segments;
  std::vector<unsigned> LoopPragmas;
  llvm::DenseMap<clang::FileID, std::vector<Piece>> Pieces;
  llvm::DenseMap<clang::FileID, const char *> Names;
  llvm::DenseMap<unsigned, unsigned> MacroTokens; // raw location -> number of the token
  mutable std::string LastFile;                   // the last name, and its kept copy
  mutable const char *LastKept = "";
};

} // namespace sis

#endif
