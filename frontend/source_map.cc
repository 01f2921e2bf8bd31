// source_map.cc - see source_map.h. Used by the thread that opens the unit. Its one idea: a place is
// usable when the token there is the user's own, or is the first or last of a whole macro invocation.
#include "source_map.h"

#include "clang/AST/Expr.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Lex/Lexer.h"

#include <algorithm>

using namespace clang;

namespace sis {

void SourceMap::addToken(const Token &Token) {
  SourceLocation Loc = Token.getLocation();
  if (Loc.isInvalid() || !inMain(Loc))
    return;
  unsigned First = offset(Loc);
  unsigned Last = Token.isAnnotation() ? First : Loc.isFileID() ? First + Token.getLength() : endOffset(Loc);
  const IdentifierInfo *Name = Token.isAnnotation() ? nullptr : Token.getIdentifierInfo();
  Tokens.push_back({First, Last, Token.getKind(), Loc.isMacroID(), Name});
}

void SourceMap::addLoopPragma(SourceLocation Loc) {
  if (Loc.isFileID() && inMain(Loc))
    LoopPragmas.push_back(offset(Loc));
}

unsigned SourceMap::loopPragmaBefore(unsigned Offset) const {
  auto It = std::lower_bound(LoopPragmas.begin(), LoopPragmas.end(), endBefore(Offset));
  return It != LoopPragmas.end() && *It < Offset ? *It : UINT_MAX;
}

bool SourceMap::inMain(SourceLocation Loc) const {
  return SM.getFileID(SM.getExpansionLoc(Loc)) == SM.getMainFileID();
}

/// Where in the main file the token, its macro's invocation or its file's #include stands.
SourceLocation SourceMap::mainPlace(SourceLocation Loc) const {
  Loc = SM.getExpansionLoc(Loc);
  while (Loc.isValid() && SM.getFileID(Loc) != SM.getMainFileID())
    Loc = SM.getIncludeLoc(SM.getFileID(Loc));
  return Loc;
}

unsigned SourceMap::offset(SourceLocation Loc) const {
  SourceLocation Place = mainPlace(Loc);
  return Place.isValid() ? SM.getFileOffset(Place) : 0;
}

unsigned SourceMap::endOffset(SourceLocation Loc) const {
  if (!inMain(Loc))
    return offset(Loc) + 1;
  CharSourceRange Range = SM.getExpansionRange(Loc);
  unsigned End = SM.getFileOffset(Range.getEnd());
  return Range.isTokenRange() ? End + Lexer::MeasureTokenLength(Range.getEnd(), SM, LO) : End;
}

sis_ast_position SourceMap::position(SourceLocation Loc) const {
  PresumedLoc P = SM.getPresumedLoc(SM.getExpansionLoc(Loc));
  if (P.isInvalid())
    return {"", 0, 0};
  if (LastFile != P.getFilename() || !*LastKept) {
    LastFile = P.getFilename();
    LastKept = Ast.keep(LastFile);
  }
  return {LastKept, P.getLine(), P.getColumn()};
}

sis_ast_position SourceMap::position(unsigned Offset) const {
  return position(SM.getLocForStartOfFile(SM.getMainFileID()).getLocWithOffset(Offset));
}

LineMark SourceMap::mark(unsigned Offset) const {
  sis_ast_position P = position(Offset);
  return {P.file, P.line};
}

unsigned SourceMap::nextLine(unsigned Offset) const {
  size_t At = Ast.Text.find('\n', Offset);
  return At == std::string::npos ? Ast.Text.size() : At + 1;
}

size_t SourceMap::tokenFrom(unsigned Offset) const {
  auto Before = [](const MainToken &T, unsigned Offset) { return T.First < Offset; };
  return std::lower_bound(Tokens.begin(), Tokens.end(), Offset, Before) - Tokens.begin();
}

unsigned SourceMap::endBefore(unsigned Offset) const {
  size_t I = tokenFrom(Offset);
  return I ? Tokens[I - 1].Last : 0;
}

/// Loc is in a file, but perhaps another one.
Spot SourceMap::outside(SourceLocation Loc) const {
  if (inMain(Loc))
    return {offset(Loc), nullptr};
  return {0, Ast.keep(std::string("in header ") + position(Loc).file)};
}

Spot SourceMap::before(SourceLocation Loc) const {
  if (Loc.isInvalid())
    return {0, "has no place in the source"};
  SourceLocation Begin;
  if (Loc.isFileID())
    return outside(Loc);
  if (Lexer::isAtStartOfMacroExpansion(Loc, SM, LO, &Begin))
    return outside(Begin);
  return {0, SM.isMacroArgExpansion(Loc) ? "in a macro's argument" : "comes from a macro"};
}

Spot SourceMap::after(SourceLocation Loc) const {
  if (Loc.isInvalid())
    return {0, "has no place in the source"};
  SourceLocation End;
  if (Loc.isMacroID() && !Lexer::isAtEndOfMacroExpansion(Loc, SM, LO, &End))
    return {0, SM.isMacroArgExpansion(Loc) ? "in a macro's argument" : "comes from a macro"};
  Spot S = outside(Loc.isFileID() ? Loc : End);
  if (!S.Why)
    S.Offset = endOffset(Loc);
  return S;
}

Spot SourceMap::lineOf(unsigned Offset) const {
  size_t Start = Offset;
  while (Start > 0 && Ast.Text[Start - 1] != '\n')
    --Start;
  for (size_t I = Start; I < Offset; ++I)
    if (Ast.Text[I] != ' ' && Ast.Text[I] != '\t' && Ast.Text[I] != '\f' && Ast.Text[I] != '\v')
      return {0, "shares the line of its directive with other text"};
  size_t End = Start ? Start - 1 : 0; // of the line before
  if (End && Ast.Text[End - 1] == '\r')
    --End;
  if (End && Ast.Text[End - 1] == '\\')
    return {0, "its directive follows a continued line"};
  return {unsigned(Start), nullptr};
}

const Stmt *associatedStatement(const Stmt *S) {
  const auto *D = cast<OMPExecutableDirective>(S);
  bool Standalone = isa<OMPTargetEnterDataDirective>(D) || isa<OMPTargetExitDataDirective>(D) ||
                    isa<OMPTargetUpdateDirective>(D); // clang gives these an empty statement
  if (Standalone || !D->hasAssociatedStmt())
    return nullptr;
  const Stmt *Inner = D->getAssociatedStmt();
  for (;;) {
    if (const auto *Captured = dyn_cast<CapturedStmt>(Inner))
      Inner = Captured->getCapturedStmt();
    else if (const auto *Loop = dyn_cast<OMPCanonicalLoop>(Inner))
      Inner = Loop->getLoopStmt();
    else
      return Inner;
  }
}

Ending endingOf(const Stmt *S) {
  for (;;) {
    const Stmt *Next = nullptr;
    if (const auto *If = dyn_cast<IfStmt>(S))
      Next = If->getElse() ? If->getElse() : If->getThen();
    else if (const auto *For = dyn_cast<ForStmt>(S))
      Next = For->getBody();
    else if (const auto *While = dyn_cast<WhileStmt>(S))
      Next = While->getBody();
    else if (const auto *Switch = dyn_cast<SwitchStmt>(S))
      Next = Switch->getBody();
    else if (const auto *Label = dyn_cast<LabelStmt>(S))
      Next = Label->getSubStmt();
    else if (const auto *Case = dyn_cast<SwitchCase>(S))
      Next = Case->getSubStmt();
    else if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
      Next = Attributed->getSubStmt();
    else if (const auto *Captured = dyn_cast<CapturedStmt>(S))
      Next = Captured->getCapturedStmt();
    else if (const auto *Loop = dyn_cast<OMPCanonicalLoop>(S))
      Next = Loop->getLoopStmt();
    else if (isa<OMPExecutableDirective>(S))
      Next = associatedStatement(S);
    if (!Next)
      return {S, isa<OMPExecutableDirective>(S)};
    S = Next;
  }
}

/// Whether the grammar puts a `;` behind the statement that clang does not count as its own.
static bool takesSemicolon(const Stmt *S) {
  return isa<Expr>(S) || isa<ReturnStmt>(S) || isa<GotoStmt>(S) || isa<IndirectGotoStmt>(S) ||
         isa<BreakStmt>(S) || isa<ContinueStmt>(S) || isa<DoStmt>(S) || isa<AsmStmt>(S);
}

/// The wrapping of a statement that begins with a pragma begins on lines before it.
void SourceMap::beginWithPragma(StatementPlace &Place, unsigned Offset) const {
  Spot Line = lineOf(Offset);
  if (Line.Why && !Place.Why)
    Place.Why = Line.Why;
  Place.Begin = {Line.Offset, true, mark(Offset)};
}

/// Whether a directive is spelled with a `#` (or its digraph or trigraph) and has its line for itself.
static bool hasOwnLine(const std::string &Text, unsigned Offset) {
  return Text[Offset] == '#' || Text[Offset] == '%' || Text[Offset] == '?';
}

/// S ends with a standalone directive: what closes the wrapping has a line of its own behind that.
void SourceMap::endWithDirective(StatementPlace &Place, const Stmt *Directive) const {
  SourceLocation End = Directive->getEndLoc();
  Place.Last = std::max(offset(End), Place.First + 1);
  if (End.isMacroID() || !inMain(End) || !hasOwnLine(Ast.Text, offset(Directive->getBeginLoc()))) {
    Place.Why = Place.Why ? Place.Why : "its directive is spelled _Pragma";
    return;
  }
  unsigned Next = nextLine(Place.Last);
  Place.End = {Next, true, mark(Next)};
}

StatementPlace SourceMap::statement(const Stmt *S) const {
  StatementPlace Place;
  Spot Begin = before(S->getBeginLoc());
  Place.First = Begin.Why ? offset(S->getBeginLoc()) : Begin.Offset;
  Place.Begin = {Begin.Offset, false, {}};
  Place.Why = Begin.Why;
  if (isa<OMPExecutableDirective>(S) && !Begin.Why) {
    if (hasOwnLine(Ast.Text, Begin.Offset))
      beginWithPragma(Place, Begin.Offset);
  } else if (!Begin.Why && (isa<ForStmt>(S) || isa<WhileStmt>(S) || isa<DoStmt>(S))) {
    unsigned Pragma = loopPragmaBefore(Begin.Offset);
    if (Pragma != UINT_MAX)
      beginWithPragma(Place, Pragma);
  }
  Ending Tail = endingOf(S);
  if (Tail.Directive) {
    endWithDirective(Place, Tail.Leaf);
    return Place;
  }
  SourceLocation EndLoc = Tail.Leaf->getEndLoc();
  Spot End = after(EndLoc);
  Place.Last = End.Why ? endOffset(EndLoc) : End.Offset;
  if (takesSemicolon(Tail.Leaf) && inMain(EndLoc)) {
    size_t I = tokenFrom(Place.Last);
    if (I < Tokens.size() && Tokens[I].Kind == tok::semi && !Tokens[I].FromMacro)
      End.Offset = Place.Last = Tokens[I].Last;
    else if (!End.Why)
      End.Why = "comes from a macro";
  }
  Place.Why = Place.Why ? Place.Why : End.Why;
  Place.End = {End.Offset, false, {}};
  return Place;
}

} // namespace sis
