// SPDX-License-Identifier: BSD-3-Clause
// statements.cc - see statements.h. Runs in the thread that calls sis_ast_open, after the text is
// laid out. Its one idea: statements are painted on the tokens of the flat text, an outer statement
// before those inside it.
#include "clang/blame/statements.h"

#include "clang/parse/functions.h"
#include "blame.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"

#include <algorithm>
#include <cstring>

using namespace clang;

namespace sis {

uint32_t StatementTable::at(unsigned Line, unsigned Column) const {
  auto After = ByPosition.upper_bound({Line, Column});
  if (After == ByPosition.begin() || std::prev(After)->first.first != Line)
    return NoStatement;
  return std::prev(After)->second;
}

bool StatementTable::has(unsigned Line, unsigned Column) const {
  return ByPosition.count({Line, Column});
}

namespace {

/// Walks the functions, and paints their statements on the tokens.
class Painter {
public:
  Painter(const ASTContext &Context, const FlatText &Flat, BlameUnit &Unit,
          std::deque<StatementTable> &Tables)
      : Context(Context), Flat(Flat), Unit(Unit), Tables(Tables), Owners(Flat.tokens().size()) {}
  void function(const FunctionDecl *F);
  /// Makes the anchors from the painted tokens.
  void finish();

private:
  struct Owner {
    uint32_t Table = UINT32_MAX, Statement = 0;
  };
  struct Destination { // where a statement is added
    uint32_t Table;
    uint32_t Switch = 0; // the condition of the switch around it
  };

  uint32_t newTable(const FunctionDecl *F, SourceLocation Begin, SourceLocation End);
  uint32_t add(uint32_t Table, unsigned Kind, SourceLocation Begin, SourceLocation End);
  void paint(uint32_t Table, uint32_t Statement, SourceLocation Begin, SourceLocation End);
  void paintOffsets(uint32_t Table, uint32_t Statement, unsigned First, unsigned Last);
  uint32_t leaf(Destination At, unsigned Kind, const Stmt *S, SourceLocation Begin,
                SourceLocation End);
  void inside(const Stmt *S, Destination At);
  void walk(const Stmt *S, Destination At);
  void walkControl(const Stmt *S, Destination At);
  void walkFor(const ForStmt *S, Destination At);
  void walkDeclarations(const DeclStmt *S, Destination At);
  void walkRangeFor(const CXXForRangeStmt *S, Destination At);
  void walkTry(const CXXTryStmt *S, Destination At);
  void walkInitialisers(const CXXConstructorDecl *F, Destination At);
  void anchor(uint32_t Table, uint32_t Statement, SourceLocation Loc);
  void anchorAtWord(uint32_t Table, uint32_t Statement, SourceLocation Pragma);
  void walkDirective(const OMPExecutableDirective *S, Destination At);
  void anchors(size_t First, size_t Last);
  bool isAnchor(tok::TokenKind Kind) const;

  const ASTContext &Context;
  const FlatText &Flat;
  BlameUnit &Unit;
  std::deque<StatementTable> &Tables;
  std::vector<Owner> Owners; // by token
};

} // namespace

uint32_t Painter::newTable(const FunctionDecl *F, SourceLocation Begin, SourceLocation End) {
  uint32_t Number = Tables.size();
  StatementTable &T = Tables.emplace_back();
  T.Decl = F;
  T.Begin = Begin;
  add(Number, SIS_BLAME_ENTRY, Begin, Begin);
  add(Number, SIS_BLAME_EXIT, End, End);
  return Number;
}

uint32_t Painter::add(uint32_t Table, unsigned Kind, SourceLocation Begin, SourceLocation End) {
  sis_ast_position From = Flat.position(Begin), To = Flat.position(End);
  std::vector<BlameStatement> &All = Tables[Table].Statements;
  All.push_back({Kind, Unit.file(From.file), From.line, From.column, To.line});
  return All.size() - 1;
}

void Painter::paintOffsets(uint32_t Table, uint32_t Statement, unsigned First, unsigned Last) {
  const std::vector<FlatToken> &Tokens = Flat.tokens();
  auto Before = [](const FlatToken &T, unsigned Offset) { return T.First < Offset; };
  auto It = std::lower_bound(Tokens.begin(), Tokens.end(), First, Before);
  for (; It != Tokens.end() && It->First < Last; ++It)
    Owners[It - Tokens.begin()] = {Table, Statement};
}

void Painter::paint(uint32_t Table, uint32_t Statement, SourceLocation Begin, SourceLocation End) {
  if (Begin.isValid() && End.isValid() && Flat.holds(Begin) && Flat.holds(End))
    paintOffsets(Table, Statement, Flat.offset(Begin), Flat.endOffset(End));
}

uint32_t Painter::leaf(Destination At, unsigned Kind, const Stmt *S, SourceLocation Begin,
                       SourceLocation End) {
  uint32_t Number = add(At.Table, Kind, Begin, End);
  paint(At.Table, Number, Begin, End);
  inside(S, At);
  return Number;
}

/// Walks the statement expressions in an expression. The captures of a lambda belong to the
/// statement around it, its body is a function.
void Painter::inside(const Stmt *S, Destination At) {
  std::vector<const Stmt *> Left = {S};
  while (!Left.empty()) {
    const Stmt *Next = Left.back();
    Left.pop_back();
    if (const auto *E = dyn_cast_or_null<StmtExpr>(Next))
      walk(E->getSubStmt(), At);
    else if (const auto *L = dyn_cast_or_null<LambdaExpr>(Next))
      Left.insert(Left.end(), L->capture_init_begin(), L->capture_init_end());
    else if (Next)
      Left.insert(Left.end(), Next->child_begin(), Next->child_end());
  }
}

void Painter::walkDeclarations(const DeclStmt *S, Destination At) {
  for (const Decl *D : S->decls()) {
    SourceLocation Begin = D == *S->decl_begin() ? S->getBeginLoc() : D->getLocation();
    const auto *Variable = dyn_cast<VarDecl>(D);
    const auto *Typed = dyn_cast<ValueDecl>(D);
    bool RunsInit = Variable && (!Variable->isStaticLocal() || Context.getLangOpts().CPlusPlus);
    const Expr *Init = RunsInit ? Variable->getInit() : nullptr;
    if (Init || (Typed && (Typed->getType()->isVariablyModifiedType() ||
                           Typed->getType()->isDependentType())))
      leaf(At, SIS_BLAME_DECLARATOR, Init, Begin,
           S->isSingleDecl() ? S->getEndLoc() : D->getEndLoc());
  }
}

void Painter::walkFor(const ForStmt *S, Destination At) {
  SourceLocation Keyword = S->getForLoc();
  if (const auto *D = dyn_cast_or_null<DeclStmt>(S->getInit()))
    leaf(At, SIS_BLAME_INIT, D, Keyword, D->getEndLoc());
  else if (S->getInit())
    leaf(At, SIS_BLAME_INIT, S->getInit(), Keyword, S->getInit()->getEndLoc());
  bool Plain = !S->getInit();
  if (S->getCond())
    leaf(At, SIS_BLAME_CONDITION, S->getCond(), Plain ? Keyword : S->getCond()->getBeginLoc(),
         S->getCond()->getEndLoc());
  else if (Plain)
    leaf(At, SIS_BLAME_CONDITION, nullptr, Keyword, S->getLParenLoc());
  if (S->getCond() && !Plain) // clang's branch at the end of the condition has this position
    paint(At.Table, Tables[At.Table].Statements.size() - 1, Keyword, Keyword);
  if (S->getInc())
    leaf(At, SIS_BLAME_INCREMENT, S->getInc(), S->getInc()->getBeginLoc(),
         S->getInc()->getEndLoc());
  walk(S->getBody(), At);
}

/// The code that advances a range-for has the position of `for`, of the variable or of the colon.
void Painter::walkRangeFor(const CXXForRangeStmt *S, Destination At) {
  walk(S->getInit(), At);
  leaf(At, SIS_BLAME_CONDITION, nullptr, S->getForLoc(), S->getRParenLoc());
  leaf(At, SIS_BLAME_INIT, S->getRangeInit(), S->getRangeInit()->getBeginLoc(),
       S->getRangeInit()->getEndLoc());
  walk(S->getBody(), At);
}

void Painter::walkTry(const CXXTryStmt *S, Destination At) {
  walk(S->getTryBlock(), At);
  for (unsigned I = 0; I < S->getNumHandlers(); ++I) {
    const CXXCatchStmt *Handler = S->getHandler(I);
    const VarDecl *Caught = Handler->getExceptionDecl();
    leaf(At, SIS_BLAME_DECLARATOR, nullptr, Handler->getCatchLoc(),
         Caught ? Caught->getEndLoc() : Handler->getCatchLoc());
    walk(Handler->getHandlerBlock(), At);
  }
}

void Painter::walkInitialisers(const CXXConstructorDecl *F, Destination At) {
  for (const CXXCtorInitializer *I : F->inits())
    if (I->isWritten())
      leaf(At, SIS_BLAME_EXPRESSION, I->getInit(), I->getSourceLocation(), I->getRParenLoc());
}

void Painter::walkControl(const Stmt *S, Destination At) {
  if (const auto *W = dyn_cast<WhileStmt>(S)) {
    leaf(At, SIS_BLAME_CONDITION, W->getCond(), W->getWhileLoc(), W->getRParenLoc());
    walk(W->getBody(), At);
  } else if (const auto *D = dyn_cast<DoStmt>(S)) {
    uint32_t Condition =
        leaf(At, SIS_BLAME_CONDITION, D->getCond(), D->getWhileLoc(), D->getRParenLoc());
    paint(At.Table, Condition, D->getDoLoc(), D->getDoLoc());
    walk(D->getBody(), At);
  } else if (const auto *W = dyn_cast<SwitchStmt>(S)) {
    At.Switch = leaf(At, SIS_BLAME_CONDITION, W->getCond(), W->getSwitchLoc(), W->getRParenLoc());
    walk(W->getInit(), At);
    walk(W->getBody(), At);
  } else if (const auto *I = dyn_cast<IfStmt>(S)) {
    for (;;) { // a chain of else if may be long
      uint32_t Condition =
          leaf(At, SIS_BLAME_CONDITION, I->getCond(), I->getIfLoc(), I->getRParenLoc());
      walk(I->getInit(), At);
      walk(I->getThen(), At);
      if (I->getElse())
        paint(At.Table, Condition, I->getElseLoc(), I->getElseLoc());
      const auto *Next = dyn_cast_or_null<IfStmt>(I->getElse());
      if (!Next)
        return walk(I->getElse(), At);
      I = Next;
    }
  }
}

/// Adds a further anchor of the statement.
void Painter::anchor(uint32_t Table, uint32_t Statement, SourceLocation Loc) {
  if (!Flat.holds(Loc))
    return;
  sis_ast_position P = Flat.position(Loc);
  StatementTable &T = Tables[Table];
  T.Anchors.push_back({Flat.offset(Loc), Unit.file(P.file), P.line, P.column, 2 * Statement});
  T.ByPosition.try_emplace({P.line, P.column}, Statement);
}

/// GCC gives the code of a directive the position of the word `omp`, which is no token of the text.
void Painter::anchorAtWord(uint32_t Table, uint32_t Statement, SourceLocation Pragma) {
  constexpr unsigned Farthest = 80;
  if (Pragma.isInvalid() || !Pragma.isFileID() || !Flat.holds(Pragma))
    return;
  const char *Text = Context.getSourceManager().getCharacterData(Pragma);
  unsigned At = 0;
  while (At < Farthest && Text[At] && Text[At] != '\n' && strncmp(Text + At, "omp", 3) != 0)
    ++At;
  if (strncmp(Text + At, "omp", 3) != 0)
    return;
  anchor(Table, Statement, Pragma.getLocWithOffset(At));
}

/// Walks a directive and its body. If the code of the body becomes a function, the body has a table
/// of its own.
void Painter::walkDirective(const OMPExecutableDirective *S, Destination At) {
  uint32_t Number = leaf(At, SIS_BLAME_CONSTRUCT, nullptr, S->getBeginLoc(), S->getEndLoc());
  anchorAtWord(At.Table, Number, S->getBeginLoc());
  for (const OMPClause *C : S->clauses())
    for (const Stmt *Child : const_cast<OMPClause *>(C)->children())
      if (Child && C->getBeginLoc().isValid())
        paint(At.Table, Number, C->getBeginLoc(), C->getEndLoc());
  if (!S->hasAssociatedStmt() || !S->getAssociatedStmt())
    return;
  const Stmt *Body = S->getRawStmt();
  OpenMPDirectiveKind Kind = S->getDirectiveKind();
  bool Task = isOpenMPTaskingDirective(Kind);
  if (!Task && !isOpenMPParallelDirective(Kind) && !isOpenMPTeamsDirective(Kind) &&
      !isOpenMPTargetExecutionDirective(Kind))
    return walk(Body, At);
  uint32_t Table = newTable(Tables[At.Table].Decl, S->getBeginLoc(), S->getEndLoc());
  Tables[Table].Outlined = true;
  Tables[Table].Task = Task;
  walk(Body, {Table});
}

void Painter::walk(const Stmt *S, Destination At) {
  if (!S || isa<NullStmt>(S))
    return;
  if (const auto *C = dyn_cast<CompoundStmt>(S)) {
    for (const Stmt *Child : C->body())
      walk(Child, At);
  } else if (const auto *D = dyn_cast<DeclStmt>(S)) {
    walkDeclarations(D, At);
  } else if (const auto *F = dyn_cast<ForStmt>(S)) {
    walkFor(F, At);
  } else if (isa<WhileStmt, DoStmt, SwitchStmt, IfStmt>(S)) {
    walkControl(S, At);
  } else if (const auto *F = dyn_cast<CXXForRangeStmt>(S)) {
    walkRangeFor(F, At);
  } else if (const auto *T = dyn_cast<CXXTryStmt>(S)) {
    walkTry(T, At);
  } else if (const auto *C = dyn_cast<SwitchCase>(S)) {
    paint(At.Table, At.Switch, C->getKeywordLoc(), C->getColonLoc());
    walk(C->getSubStmt(), At);
  } else if (const auto *L = dyn_cast<LabelStmt>(S)) {
    leaf(At, SIS_BLAME_JUMP, nullptr, L->getIdentLoc(), L->getIdentLoc());
    walk(L->getSubStmt(), At);
  } else if (const auto *A = dyn_cast<AttributedStmt>(S)) {
    walk(A->getSubStmt(), At);
  } else if (const auto *C = dyn_cast<CapturedStmt>(S)) {
    walk(C->getCapturedStmt(), At);
  } else if (const auto *O = dyn_cast<OMPExecutableDirective>(S)) {
    walkDirective(O, At);
  } else if (const auto *L = dyn_cast<OMPCanonicalLoop>(S)) {
    walk(L->getLoopStmt(), At);
  } else if (isa<ReturnStmt>(S)) {
    leaf(At, SIS_BLAME_RETURN_STATEMENT, S, S->getBeginLoc(), S->getEndLoc());
  } else if (isa<Expr>(S)) {
    leaf(At, SIS_BLAME_EXPRESSION, S, S->getBeginLoc(), S->getEndLoc());
  } else {
    leaf(At, SIS_BLAME_JUMP, S, S->getBeginLoc(), S->getEndLoc());
  }
}

void Painter::function(const FunctionDecl *F) {
  const Stmt *Body = F->getBody();
  uint32_t Table = newTable(F, F->getLocation(), Body->getEndLoc());
  if (!Flat.holds(F->getLocation()) || !Flat.holds(Body->getEndLoc()))
    return;
  SourceLocation Begin = Flat.holds(F->getBeginLoc()) ? F->getBeginLoc() : F->getLocation();
  if (isLambda(F)) { // compilers give the begin of the body the position of the lambda
    Begin = Body->getBeginLoc();
    anchor(Table, 0, cast<CXXMethodDecl>(F)->getParent()->getLocation());
  }
  paint(Table, 0, Begin, Body->getBeginLoc());
  paint(Table, 1, Body->getEndLoc(), Body->getEndLoc());
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(F))
    walkInitialisers(Constructor, {Table});
  walk(Body, {Table});
}

/// Whether compilers give code the position of tokens of this kind. g++ gives a call that of `)`.
bool Painter::isAnchor(tok::TokenKind Kind) const {
  bool Closes = Kind == tok::r_paren || Kind == tok::r_square;
  return Kind != tok::semi && (!Closes || Context.getLangOpts().CPlusPlus);
}

/// Makes the anchors of the tokens [First, Last), which have one position in the source: one token,
/// or several of a use of a macro. If the tokens belong to several statements of a table, the
/// anchors refer to a group that contains only the first of these statements.
void Painter::anchors(size_t First, size_t Last) {
  std::vector<Owner> Seen;
  for (size_t I = First; I < Last; ++I) {
    const Owner &O = Owners[I];
    auto Same = [&](const Owner &S) { return S.Table == O.Table && S.Statement == O.Statement; };
    if (O.Table != UINT32_MAX && std::none_of(Seen.begin(), Seen.end(), Same))
      Seen.push_back(O);
  }
  bool Leaf = std::any_of(Seen.begin(), Seen.end(), [](const Owner &O) { return O.Statement > 1; });
  std::map<uint32_t, std::vector<uint32_t>> OfTable;
  for (const Owner &O : Seen)
    if (O.Statement > 1 || !Leaf)
      OfTable[O.Table].push_back(O.Statement);
  for (auto &[Number, Statements] : OfTable) {
    StatementTable &T = Tables[Number];
    sis_ast_position P = Flat.position(Flat.location(Flat.tokens()[First].First));
    bool Several = Statements.size() > 1;
    uint64_t Target = Several ? 2 * T.Groups.size() + 1 : 2 * Statements[0];
    if (Several)
      T.Groups.push_back({Statements[0]});
    T.ByPosition.try_emplace({P.line, P.column}, Statements[0]);
    for (size_t I = First; I < Last; ++I)
      if (Owners[I].Table == Number && isAnchor(Flat.tokens()[I].Kind))
        T.Anchors.push_back({Flat.tokens()[I].First, Unit.file(P.file), P.line, P.column, Target});
  }
}

void Painter::finish() {
  const std::vector<FlatToken> &Tokens = Flat.tokens();
  for (size_t First = 0, Last; First < Tokens.size(); First = Last) {
    SourceLocation Here = Flat.location(Tokens[First].First);
    Last = First + 1;
    while (Last < Tokens.size() && Flat.location(Tokens[Last].First) == Here)
      ++Last;
    anchors(First, Last);
  }
}

/// Marks the function around each `#pragma sis blame` as a blame point; outside of functions, the
/// next function.
static void markPoints(std::deque<StatementTable> &Tables, const FlatText &Flat,
                       const std::vector<Directive> &Directives) {
  for (const Directive &D : Directives) {
    if (D.Public.kind != SIS_AST_BLAME_POINT)
      continue;
    StatementTable *Found = nullptr;
    unsigned Nearest = UINT_MAX;
    for (StatementTable &T : Tables) {
      SourceLocation Brace = T.Decl->getBody()->getEndLoc();
      unsigned End = Flat.holds(Brace) ? Flat.offset(Brace) : 0;
      if (!T.Outlined && End > D.First && End < Nearest) {
        Found = &T;
        Nearest = End;
      }
    }
    if (Found)
      Found->Point = true;
  }
}

std::deque<StatementTable> findStatements(const ASTContext &Context, const FlatText &Flat,
                                          const std::vector<Directive> &Directives,
                                          BlameUnit &Unit) {
  std::deque<StatementTable> Tables;
  Painter Paint(Context, Flat, Unit, Tables);
  for (const FunctionDecl *F : definedFunctions(Context))
    Paint.function(F);
  Paint.finish();
  markPoints(Tables, Flat, Directives);
  return Tables;
}

} // namespace sis
