/* SPDX-License-Identifier: BSD-3-Clause */
// source_map.h - where in the flat text (flat_text.h) an edit is possible. Whether an edit is
// possible depends on the tokens that the compiler sees there, not on the characters.
#ifndef SIS_FRONTEND_SOURCE_MAP_H
#define SIS_FRONTEND_SOURCE_MAP_H

#include "clang/text/flat_text.h"

#include "clang/AST/Stmt.h"

#include <algorithm>

namespace sis {

/// An offset between two tokens where text can be inserted, or the reason why it cannot.
struct EditPoint {
  unsigned Offset = 0;
  const char *Why = nullptr;
};

/// A statement's extent, and where text before and behind it is inserted.
struct StatementExtent {
  unsigned First = 0, Last = 0;
  Point Begin, End;
  const char *Why = nullptr; // why no text can be put around it; NULL if it can
};

class SourceMap {
public:
  SourceMap(sis_ast &Ast, const FlatText &Flat) : Ast(Ast), Flat(Flat) {}

  bool holds(clang::SourceLocation Loc) const { return Flat.holds(Loc); }
  unsigned offset(clang::SourceLocation Loc) const { return Flat.offset(Loc); }
  unsigned endOffset(clang::SourceLocation Loc) const { return Flat.endOffset(Loc); }
  sis_ast_position position(clang::SourceLocation Loc) const { return Flat.position(Loc); }
  sis_ast_position position(unsigned Offset) const { return Flat.position(Flat.location(Offset)); }
  unsigned line(unsigned Offset) const { return position(Offset).line; }
  unsigned file(unsigned Offset) const { return Flat.file(Offset); }
  const char *whyNoEdit(unsigned Offset) const { return Flat.whyNoEdit(Offset); }

  EditPoint before(clang::SourceLocation Loc) const;
  EditPoint after(clang::SourceLocation Loc) const;
  StatementExtent statement(const clang::Stmt *S) const;
  /// The begin of the line with the pragma at Offset. Why is set if other text precedes the pragma
  /// in the line.
  EditPoint lineOf(unsigned Offset) const;
  /// The offset of the first pragma, between the previous token and Offset, that must stay directly
  /// before its loop; UINT_MAX if there is none.
  unsigned loopPragmaBefore(unsigned Offset) const;
  LineMark mark(unsigned Offset) const;
  unsigned nextLine(unsigned Offset) const;

  const std::vector<FlatToken> &tokens() const { return Flat.tokens(); }
  /// The first token at or after Offset.
  size_t tokenFrom(unsigned Offset) const;
  /// Whether [First, Last) has a token with this name such that Predicate holds for the token's
  /// number.
  template <typename F>
  bool anyUse(const clang::IdentifierInfo *Name, unsigned First, unsigned Last, F Predicate) const {
    const std::vector<size_t> &All = usesOf(Name);
    for (auto I = std::lower_bound(All.begin(), All.end(), tokenFrom(First)), End = All.end();
         I != End; ++I)
      if (tokens()[*I].First >= Last)
        return false;
      else if (Predicate(*I))
        return true;
    return false;
  }
  /// End of the last token before Offset.
  unsigned endBefore(unsigned Offset) const;

private:
  EditPoint at(clang::SourceLocation Loc, unsigned Offset) const;
  unsigned pragmaOf(unsigned Offset) const;
  void findBegin(StatementExtent &Extent, const clang::Stmt *S) const;
  void findEnd(StatementExtent &Extent, const clang::Stmt *Leaf) const;
  void beginWithPragma(StatementExtent &Extent, unsigned Offset) const;
  void endWithDirective(StatementExtent &Extent, const clang::Stmt *Directive) const;

  /// The innermost part of a statement that ends it.
  struct Ending {
    const clang::Stmt *Leaf;
    bool Directive; // it is a standalone directive of OpenMP, so the statement ends with a line
  };
  Ending endingOf(const clang::Stmt *S) const;

  const std::vector<size_t> &usesOf(const clang::IdentifierInfo *Name) const;

  sis_ast &Ast;
  const FlatText &Flat;
  mutable llvm::DenseMap<const clang::IdentifierInfo *, std::vector<size_t>>
      Uses; // tokens by name; filled when first used
  mutable llvm::DenseMap<const clang::Stmt *, Ending> Endings; // results of endingOf
};

/// The statement of an OpenMP directive, without clang's capture wrappers; NULL if it has none.
const clang::Stmt *associatedStatement(const clang::Stmt *Directive);

} // namespace sis

#endif
