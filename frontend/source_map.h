// source_map.h - from clang's source locations to places in the main file where text may be put.
//
// Holds the tokens of the main file as the parser got them, after the preprocessor: a place is judged
// by what the compiler sees there, not by what the text looks like.
#ifndef SIS_FRONTEND_SOURCE_MAP_H
#define SIS_FRONTEND_SOURCE_MAP_H

#include "unit.h"

#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"

namespace sis {

/// A token of the main file; one that a macro gave lies on its invocation.
struct MainToken {
  unsigned First, Last;
  clang::tok::TokenKind Kind;
  bool FromMacro;
  const clang::IdentifierInfo *Name; // of an identifier or keyword
};

/// A place between two tokens, or the reason why there is none.
struct Spot {
  unsigned Offset = 0;
  const char *Why = nullptr;
};

/// A statement's extent and where its wrapping begins and ends.
struct StatementPlace {
  unsigned First = 0, Last = 0;
  Point Begin, End;
  const char *Why = nullptr; // it cannot be wrapped
};

class SourceMap {
public:
  SourceMap(sis_ast &Ast, clang::SourceManager &SM, const clang::LangOptions &LO)
      : Ast(Ast), SM(SM), LO(LO) {}

  // -- filled while the file is parsed
  void addToken(const clang::Token &Token);
  void addLoopPragma(clang::SourceLocation Loc);

  // -- asked afterwards
  bool inMain(clang::SourceLocation Loc) const;
  /// Offset of the token, or of the macro invocation or #include it comes from, in the main file.
  unsigned offset(clang::SourceLocation Loc) const;
  /// End of the token, or of what it comes from.
  unsigned endOffset(clang::SourceLocation Loc) const;
  sis_ast_position position(unsigned Offset) const;
  sis_ast_position position(clang::SourceLocation Loc) const;
  unsigned line(unsigned Offset) const { return position(Offset).line; }

  Spot before(clang::SourceLocation Loc) const;
  Spot after(clang::SourceLocation Loc) const;
  StatementPlace statement(const clang::Stmt *S) const;
  /// A place on the line of a pragma that begins at Offset; Why when the line has something else before.
  Spot lineOf(unsigned Offset) const;
  /// The first pragma between the token before Offset and Offset that must stay directly before its loop;
  /// UINT_MAX for none.
  unsigned loopPragmaBefore(unsigned Offset) const;
  LineMark mark(unsigned Offset) const;
  unsigned nextLine(unsigned Offset) const;

  const std::vector<MainToken> &tokens() const { return Tokens; }
  /// The first token at or after Offset.
  size_t tokenFrom(unsigned Offset) const;
  /// End of the last token before Offset.
  unsigned endBefore(unsigned Offset) const;

private:
  Spot outside(clang::SourceLocation Loc) const;
  clang::SourceLocation mainPlace(clang::SourceLocation Loc) const;
  void beginWithPragma(StatementPlace &Place, unsigned Offset) const;
  void endWithDirective(StatementPlace &Place, const clang::Stmt *Directive) const;

  sis_ast &Ast;
  clang::SourceManager &SM;
  const clang::LangOptions &LO;
  std::vector<MainToken> Tokens;
  std::vector<unsigned> LoopPragmas;
  mutable std::string LastFile;  // the name kept last, and its copy
  mutable const char *LastKept = "";
};

/// The part of S that ends it: its last token, and what follows that.
struct Ending {
  const clang::Stmt *Leaf;
  bool Directive; // ends with the line of a standalone directive
};
Ending endingOf(const clang::Stmt *S);

/// The statement below an OpenMP directive, without clang's capture wrappers; NULL for none.
const clang::Stmt *associatedStatement(const clang::Stmt *Directive);

} // namespace sis

#endif
