// SPDX-License-Identifier: BSD-3-Clause
// source_map.cc - see source_map.h. Runs in the thread that calls sis_ast_open. Its one idea: an
// edit is possible between two tokens, if all folds around them may be written out.
#include "clang/text/source_map.h"

#include "clang/AST/Expr.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"

#include <algorithm>

using namespace clang;

namespace sis {

unsigned SourceMap::loopPragmaBefore(unsigned Offset) const {
  const std::vector<unsigned> &Pragmas = Flat.loopPragmas();
  auto It = std::lower_bound(Pragmas.begin(), Pragmas.end(), endBefore(Offset));
  return It != Pragmas.end() && *It < Offset ? *It : UINT_MAX;
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
  auto Before = [](const FlatToken &T, unsigned Offset) { return T.First < Offset; };
  return std::lower_bound(tokens().begin(), tokens().end(), Offset, Before) - tokens().begin();
}

const std::vector<size_t> &SourceMap::usesOf(const IdentifierInfo *Name) const {
  if (Uses.empty())
    for (size_t I = 0; I < tokens().size(); ++I)
      if (tokens()[I].Name)
        Uses[tokens()[I].Name].push_back(I);
  return Uses[Name];
}

unsigned SourceMap::endBefore(unsigned Offset) const {
  size_t I = tokenFrom(Offset);
  return I ? tokens()[I - 1].Last : 0;
}

EditPoint SourceMap::at(SourceLocation Loc, unsigned Offset) const {
  if (Loc.isInvalid())
    return {0, "has no place in the source"};
  if (holds(Loc))
    return {Offset, whyNoEdit(Offset)};
  return {Offset, Loc.isMacroID() ? "comes from a macro"
                                  : Ast.keep(std::string("in header ") + position(Loc).file)};
}

/// Clang forgets the `A::` before a member of a class that a clause of OpenMP makes private.
EditPoint SourceMap::before(SourceLocation Loc) const {
  EditPoint Point = at(Loc, offset(Loc));
  size_t I = tokenFrom(Point.Offset);
  if (!Point.Why && I && tokens()[I - 1].Kind == tok::coloncolon)
    Point.Why = "begins with a member that OpenMP makes private";
  return Point;
}

EditPoint SourceMap::after(SourceLocation Loc) const { return at(Loc, endOffset(Loc)); }

/// Whether the line that ends before Next ends with a backslash, so that Next continues it.
static bool isContinued(const std::string &Text, unsigned Next) {
  unsigned End = Next ? Next - 1 : 0;
  if (End && Text[End - 1] == '\r')
    --End;
  return End && Text[End - 1] == '\\';
}

EditPoint SourceMap::lineOf(unsigned Offset) const {
  size_t Start = Offset;
  while (Start > 0 && Ast.Text[Start - 1] != '\n')
    --Start;
  for (size_t I = Start; I < Offset; ++I)
    if (Ast.Text[I] != ' ' && Ast.Text[I] != '\t' && Ast.Text[I] != '\f' && Ast.Text[I] != '\v')
      return {0, "shares the line of its directive with other text"};
  if (isContinued(Ast.Text, Start))
    return {0, "its directive follows a continued line"};
  return {unsigned(Start), nullptr};
}

/// Whether the directive at Offset has a line of its own: it begins with `#` (or its digraph or
/// trigraph), not with `_Pragma`.
static bool hasOwnLine(const std::string &Text, unsigned Offset) {
  return Text[Offset] == '#' || Text[Offset] == '%' || Text[Offset] == '?';
}

/// The begin of the pragma of a directive at Offset. For a metadirective, clang's offset is inside
/// the pragma.
unsigned SourceMap::pragmaOf(unsigned Offset) const {
  if (hasOwnLine(Ast.Text, Offset) || Ast.Text[Offset] == '_')
    return Offset;
  size_t Start = Offset;
  while (Start > 0 && (Ast.Text[Start - 1] != '\n' || isContinued(Ast.Text, Start)))
    --Start;
  size_t First = Ast.Text.find_first_not_of(" \t\f\v", Start);
  return First < Offset && hasOwnLine(Ast.Text, First) ? First : Offset;
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

/// The last part of S, if it ends where S ends; else null.
static const Stmt *tailOf(const Stmt *S) {
  if (const auto *If = dyn_cast<IfStmt>(S))
    return If->getElse() ? If->getElse() : If->getThen();
  if (const auto *For = dyn_cast<ForStmt>(S))
    return For->getBody();
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(S))
    return Range->getBody();
  if (const auto *While = dyn_cast<WhileStmt>(S))
    return While->getBody();
  if (const auto *Switch = dyn_cast<SwitchStmt>(S))
    return Switch->getBody();
  if (const auto *Label = dyn_cast<LabelStmt>(S))
    return Label->getSubStmt();
  if (const auto *Case = dyn_cast<SwitchCase>(S))
    return Case->getSubStmt();
  if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
    return Attributed->getSubStmt();
  if (const auto *Captured = dyn_cast<CapturedStmt>(S))
    return Captured->getCapturedStmt();
  if (const auto *Loop = dyn_cast<OMPCanonicalLoop>(S))
    return Loop->getLoopStmt();
  if (isa<OMPExecutableDirective>(S))
    return associatedStatement(S);
  return nullptr;
}

/// The innermost part of S that ends S. Results are kept, because the function is called for each
/// link of a chain of labels or else-ifs.
SourceMap::Ending SourceMap::endingOf(const Stmt *S) const {
  llvm::SmallVector<const Stmt *, 8> Chain;
  auto Known = Endings.find(S);
  for (const Stmt *Next; Known == Endings.end() && (Next = tailOf(S)); Known = Endings.find(S)) {
    Chain.push_back(S);
    S = Next;
  }
  Ending Found = Known == Endings.end() ? Ending{S, isa<OMPExecutableDirective>(S)} : Known->second;
  for (const Stmt *Link : Chain)
    Endings[Link] = Found;
  return Found;
}

/// Whether the statement ends with a `;` that is outside of the extent that clang gives.
static bool takesSemicolon(const Stmt *S) {
  return isa<Expr>(S) || isa<ReturnStmt>(S) || isa<GotoStmt>(S) || isa<IndirectGotoStmt>(S) ||
         isa<BreakStmt>(S) || isa<ContinueStmt>(S) || isa<DoStmt>(S) || isa<AsmStmt>(S);
}

/// Called if the statement begins with a pragma. Then text before the statement needs a line of its
/// own.
void SourceMap::beginWithPragma(StatementExtent &Extent, unsigned Offset) const {
  EditPoint Line = lineOf(Offset);
  if (Line.Why && !Extent.Why)
    Extent.Why = Line.Why;
  Extent.Begin = {Line.Offset, true, mark(Offset)};
}

/// Called if the statement ends with a standalone directive. Then text behind the statement needs a
/// line of its own.
void SourceMap::endWithDirective(StatementExtent &Extent, const Stmt *Directive) const {
  SourceLocation End = Directive->getEndLoc();
  EditPoint Behind = after(End);
  Extent.Last = std::max(Behind.Offset, Extent.First + 1);
  Extent.Why = Extent.Why ? Extent.Why : Behind.Why;
  Extent.End = {Behind.Offset, false, {}};
  if (Extent.Why || !hasOwnLine(Ast.Text, pragmaOf(offset(Directive->getBeginLoc()))))
    return;
  unsigned Next = nextLine(Extent.Last);
  while (Next < Ast.Text.size() && isContinued(Ast.Text, Next))
    Next = nextLine(Next);
  Extent.End = {Next, true, mark(Next)};
}

/// Finds the begin of the extent: the begin of S, or of a pragma that must stay before S.
void SourceMap::findBegin(StatementExtent &Extent, const Stmt *S) const {
  EditPoint Begin = before(S->getBeginLoc());
  Extent.First = Begin.Offset;
  Extent.Begin = {Begin.Offset, false, {}};
  Extent.Why = Begin.Why;
  if (isa<OMPExecutableDirective>(S) && !Begin.Why) {
    Extent.First = pragmaOf(Begin.Offset);
    if (hasOwnLine(Ast.Text, Extent.First))
      beginWithPragma(Extent, Extent.First);
  } else if (!Begin.Why && isa<ForStmt, CXXForRangeStmt, WhileStmt, DoStmt>(S)) {
    unsigned Pragma = loopPragmaBefore(Begin.Offset);
    if (Pragma != UINT_MAX)
      beginWithPragma(Extent, Pragma);
  }
}

/// Finds the end of the statement, which Leaf ends. The `;` belongs to the statement if the
/// statement ends with one.
void SourceMap::findEnd(StatementExtent &Extent, const Stmt *Leaf) const {
  SourceLocation EndLoc = Leaf->getEndLoc();
  EditPoint End = after(EndLoc);
  Extent.Last = End.Offset;
  if (takesSemicolon(Leaf) && holds(EndLoc)) {
    size_t I = tokenFrom(Extent.Last);
    if (I < tokens().size() && tokens()[I].Kind == tok::semi)
      End = {tokens()[I].Last, whyNoEdit(tokens()[I].Last)};
    else if (!End.Why)
      End.Why = "has no end of its own";
    Extent.Last = End.Offset;
  }
  Extent.Why = Extent.Why ? Extent.Why : End.Why;
  Extent.End = {End.Offset, false, {}};
}

StatementExtent SourceMap::statement(const Stmt *S) const {
  StatementExtent Extent;
  Ending Tail = endingOf(S);
  findBegin(Extent, S);
  if (Tail.Directive)
    endWithDirective(Extent, Tail.Leaf);
  else
    findEnd(Extent, Tail.Leaf);
  return Extent;
}

} // namespace sis
