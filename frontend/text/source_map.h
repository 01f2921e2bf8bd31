/* SPDX-License-Identifier: BSD-3-Clause */
// source_map.h - where in the flat text (flat_text.h) an edit is possible.
//
// Depends on the tokens that the compiler sees there, not on the characters.
#ifndef SIS_FRONTEND_SOURCE_MAP_H
#define SIS_FRONTEND_SOURCE_MAP_H

#include "text/flat_text.h"

#include "clang/AST/Stmt.h"

#include <algorithm>

namespace sis {

/// A place between two tokens, or the reason why there is none.
struct EditPoint {
  unsigned Offset = 0;
  const char *Why = nullptr;
};

/// A statement's extent and where its wrapping begins and ends.
struct StatementExtent {
  unsigned First = 0, Last = 0;
  Point Begin, End;
  const char *Why = nullptr; // it cannot be wrapped
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
  /// A place on the line of a pragma that begins at Offset; Why when the line has something else
  /// before.
  EditPoint lineOf(unsigned Offset) const;
  /// The first pragma between the token before Offset and Offset that must stay directly before its
  /// loop; UINT_MAX for none.
  unsigned loopPragmaBefore(unsigned Offset) const;
  LineMark mark(unsigned Offset) const;
  unsigned nextLine(unsigned Offset) const;

  const std::vector<FlatToken> &tokens() const { return Flat.tokens(); }
  /// The first token at or after Offset.
  size_t tokenFrom(unsigned Offset) const;
  /// Whether the predicate holds for the number of a token with that name in [First, Last).
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
  void beginWithPragma(StatementExtent &Extent, unsigned Offset) const;
  void endWithDirective(StatementExtent &Extent, const clang::Stmt *Directive) const;

  /// The part of a statement that ends it: its last token, and what follows that.
  struct Ending {
    const clang::Stmt *Leaf;
    bool Directive; // ends with the line of a standalone directive
  };
  Ending endingOf(const clang::Stmt *S) const;

  const std::vector<size_t> &usesOf(const clang::IdentifierInfo *Name) const;

  sis_ast &Ast;
  const FlatText &Flat;
  mutable llvm::DenseMap<const clang::IdentifierInfo *, std::vector<size_t>>
      Uses; // tokens by name; filled when first used
  mutable llvm::DenseMap<const clang::Stmt *, Ending> Endings; // results of endingOf
};

/// The statement below an OpenMP directive, without clang's capture wrappers; NULL for none.
const clang::Stmt *associatedStatement(const clang::Stmt *Directive);

} // namespace sis

#endif
