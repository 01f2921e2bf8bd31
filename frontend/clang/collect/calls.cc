// SPDX-License-Identifier: BSD-3-Clause
// calls.cc - expressions, and the calls in them. Part of the walk of collect.h; same thread. Its
// one idea: the walk visits only expressions that are evaluated. Others (sizeof, typeof of fixed
// sizes, the operands that _Generic does not choose) have no regions.
#include "clang/collect/collect.h"
#include "clang/parse/functions.h"

#include "clang/AST/Attr.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Basic/Builtins.h"

using namespace clang;
using llvm::StringRef;

namespace sis {

/// Whether a library defines the function. A function that the program defines under the same name
/// does not count.
bool Collector::isLibrary(const FunctionDecl *F) const {
  const FunctionDecl *Body = nullptr;
  return F && F->isExternC() && F->getFormalLinkage() == Linkage::External &&
         (!F->hasBody(Body) || Context.getSourceManager().isInSystemHeader(Body->getLocation()));
}

/// The function's name as the program writes it. With _FORTIFY_SOURCE, glibc's headers replace
/// printf by __printf_chk.
static StringRef routineName(const FunctionDecl *F) {
  StringRef Name = identifierOf(F), Plain = Name;
  bool Checked = Plain.consume_front("__") && Plain.consume_back("_chk");
  return Checked && sis_routine_by_name(Plain.str().c_str()) ? Plain : Name;
}

/// Whether the value of the function says whether the function returns for the first time, as that
/// of setjmp does.
static bool isSetjmp(const FunctionDecl *F) {
  StringRef Name = identifierOf(F);
  return Name == "setjmp" || Name == "_setjmp" || Name == "sigsetjmp" || Name == "__sigsetjmp";
}

static bool returnsTwice(const FunctionDecl *F) {
  StringRef Name = identifierOf(F);
  return F->hasAttr<ReturnsTwiceAttr>() || isSetjmp(F) || Name == "__builtin_setjmp" ||
         Name == "vfork" || Name == "getcontext";
}

/// Whether calls of the function must not be changed, because the function works on the frame of
/// its caller.
static bool worksOnFrame(const FunctionDecl *F) {
  StringRef Name = identifierOf(F);
  return returnsTwice(F) || Name.starts_with("__builtin_") || Name == "alloca" ||
         Name == "longjmp" || Name == "siglongjmp" || Name == "swapcontext" ||
         Name.starts_with("__sync_") || Name.starts_with("__atomic_");
}

BlockTies tiesOf(const Stmt *S) {
  BlockTies Found;
  if (!S)
    return Found;
  Found.Literal = isa<CompoundLiteralExpr>(S);
  Found.Jump = isa<ReturnStmt>(S) || isa<GotoStmt>(S) || isa<IndirectGotoStmt>(S) ||
               isa<BreakStmt>(S) || isa<ContinueStmt>(S);
  if (const auto *Call = dyn_cast<CallExpr>(S))
    Found.Twice = Call->getDirectCallee() && returnsTwice(Call->getDirectCallee());
  if (isa<LambdaExpr>(S)) // its body is another function
    return Found;
  for (const Stmt *Child : S->children()) {
    BlockTies Below = tiesOf(Child);
    Found.Literal |= Below.Literal;
    Found.Jump |= Below.Jump;
    Found.Twice |= Below.Twice;
  }
  return Found;
}

/// Whether objects that the expression makes are destroyed, or may be, at the end of the statement.
static bool makesTemporaries(const Stmt *S) {
  if (!S || isa<LambdaExpr>(S))
    return S;
  return isa<MaterializeTemporaryExpr, CXXBindTemporaryExpr, CXXDefaultArgExpr>(S) ||
         llvm::any_of(S->children(), makesTemporaries);
}

/// Why a call of C++ must not be moved into a statement expression, where its temporary objects end
/// earlier and its result is copied; NULL if it may be.
/// Whole: the call is the whole statement, so its temporary objects end with it anyhow.
static const char *lifetimeObstacle(const CallExpr *C, const FunctionDecl *F, Form How, bool Whole,
                                    bool HasAuto) {
  if (C->isInstantiationDependent())
    return "depends on a parameter of a template";
  if (F && F->isConstexpr())
    return "calls a constexpr function, which the compiler may evaluate";
  if (How == Form::ValueCall && (C->isGLValue() || !C->getType()->isScalarType()))
    return "gives an object or a reference";
  if (How == Form::ValueCall && !HasAuto)
    return "needs C++11";
  return !Whole && makesTemporaries(C) ? "makes temporary objects" : nullptr;
}

const char *Collector::callObstacle(const CallExpr *C, const FunctionDecl *F, Form How) const {
  if (F && worksOnFrame(F))
    return "works on the frame of its caller";
  if (How == Form::Site)
    return nullptr;
  if (Context.getLangOpts().CPlusPlus)
    if (const char *Why = lifetimeObstacle(C, F, How, C == WholeStatement,
                                           Context.getLangOpts().CPlusPlus11))
      return Why;
  if (F && F->isNoReturn())
    return "does not return";
  BlockTies Found = tiesOf(C);
  if (Found.Jump)
    return "may be left by a jump in its arguments";
  if (Found.Literal && How == Form::ValueCall)
    return "has a compound literal that must outlive it";
  return nullptr;
}

/// The name of the pointer of an indirect call; "" if it has no name.
static StringRef pointerName(const Expr *Callee) {
  Callee = Callee->IgnoreParenImpCasts();
  if (const auto *Unary = dyn_cast<UnaryOperator>(Callee))
    Callee = Unary->getSubExpr()->IgnoreParenImpCasts();
  if (const auto *Member = dyn_cast<MemberExpr>(Callee))
    return identifierOf(Member->getMemberDecl());
  if (const auto *Reference = dyn_cast<DeclRefExpr>(Callee))
    return identifierOf(Reference->getDecl());
  return "";
}

/// Whether the compiler replaces the call by a constant, as in strlen("a"), or by a few
/// instructions, as in fabs(x).
static bool isReplaced(const CallExpr *C, const FunctionDecl *F, const ASTContext &Context) {
  unsigned Builtin = F ? F->getBuiltinID() : 0;
  Expr::EvalResult Value;
  if (!Builtin || C->isInstantiationDependent())
    return false;
  return Context.BuiltinInfo.isConst(Builtin) ||
         (C->EvaluateAsRValue(Value, Context) && !Value.HasSideEffects);
}

/// Adds the region of a call, with its type, names and extent. F is the callee, or NULL if it is
/// unknown.
Region &Collector::callRegion(const CallExpr *C, const FunctionDecl *F) {
  bool OfC = F && (!Context.getLangOpts().CPlusPlus || F->isExternC());
  std::string Name = (!F             ? pointerName(C->getCallee())
                      : isLibrary(F) ? routineName(F)
                      : OfC          ? identifierOf(F)
                                     : StringRef(writtenName(F)))
                         .str();
  const sis_routine_info *Routine =
      isLibrary(F) ? sis_routine_by_name(Name.c_str()) : nullptr;
  sis_region_type Type = Routine ? Routine->type : CR_S;
  Region &R = add(Type, sis_region_table[Type].label);
  if (!Name.empty())
    R.BareName = R.Public.name = Ast.keep(Name);
  if (OfC)
    R.Public.callee = R.BareName;
  const FunctionDecl *Body = F && !OfC ? F->getDefinition() : nullptr;
  bool Inline = Body && Context.getSourceManager().isInSystemHeader(Body->getLocation());
  if (Inline || isReplaced(C, F, Context))
    R.Public.cost = 0;
  R.First = Map.offset(C->getBeginLoc());
  R.Last = Map.endOffset(C->getEndLoc());
  R.Public.begin = Map.position(R.First);
  R.Public.end = Map.position(R.Last - 1);
  return R;
}

void Collector::call(const CallExpr *C, const Constraints &In, bool Used) {
  const FunctionDecl *F = C->getDirectCallee();
  if (F && F->isNoReturn())
    addJump(C->getBeginLoc(), Jump::ToNowhere);
  if (isa<CXXOperatorCallExpr, UserDefinedLiteral>(C) || isa_and_nonnull<CXXConversionDecl>(F))
    return; // not written as a call
  Region &R = callRegion(C, F);
  // A wrapper measures calls of MPI: their probe only announces the site.
  R.How = sis_region_in(R.Public.type, CR_MPI)  ? Form::Site
          : !Used || C->getType()->isVoidType() ? Form::VoidCall
                                                : Form::ValueCall;
  EditPoint Begin = Map.before(C->getBeginLoc()), End = Map.after(C->getEndLoc());
  R.Begin.Offset = Begin.Offset;
  R.End.Offset = End.Offset;
  const char *Around = firstOf(FunctionClosed, In.Closed);
  // The program may declare setjmp as `void`.
  bool HasValue = F && isSetjmp(F) && C->getType()->isIntegerType();
  if (HasValue && isLibrary(F) && !Around && !Begin.Why && !End.Why)
    Ast.SetjmpCalls.push_back({FunctionNumber, Begin.Offset, End.Offset});
  if (R.Public.type == CR_S &&
      Context.getSourceManager().isInSystemMacro(C->getCallee()->getBeginLoc()))
    Around = firstOf(Around, "is hidden in a macro of a system header");
  R.Public.obstacle =
      firstOf(firstOf(Around, callObstacle(C, F, R.How)), firstOf(Begin.Why, End.Why));
}

/// Visits the array sizes in a type, which are evaluated where the type is written, even in typeof.
/// Each is visited once, even if several declarators share the type.
void Collector::typeSizes(const TypeSourceInfo *Type, const Constraints &In) {
  for (TypeLoc T = Type ? Type->getTypeLoc() : TypeLoc(); T; T = T.getNextTypeLoc()) {
    const Expr *Evaluated = nullptr;
    if (auto Array = T.getAs<VariableArrayTypeLoc>())
      Evaluated = Array.getSizeExpr();
    else if (auto Of = T.getAs<TypeOfTypeLoc>())
      typeSizes(Of.getUnmodifiedTInfo(), In);
    else if (auto Like = T.getAs<TypeOfExprTypeLoc>())
      Evaluated = T.getType()->isVariablyModifiedType() ? Like.getUnderlyingExpr() : nullptr;
    if (Evaluated && Once.insert(Evaluated).second)
      expression(Evaluated, In, true);
  }
}

/// Visits the operand of sizeof, which is evaluated only if its type is an array of variable
/// length.
void Collector::sizeofType(const UnaryExprOrTypeTraitExpr *S, const Constraints &In) {
  if (S->getKind() != UETT_SizeOf || !S->getTypeOfArgument()->isVariableArrayType())
    return;
  if (S->isArgumentType())
    typeSizes(S->getArgumentTypeInfo(), In);
  else
    expression(S->getArgumentExpr(), In, true);
}

/// A cast to void does not use the value. An implicit cast uses the value only if its own result is
/// used.
void Collector::casting(const CastExpr *C, const Constraints &In, bool Used) {
  if (const auto *Written = dyn_cast<ExplicitCastExpr>(C))
    typeSizes(Written->getTypeInfoAsWritten(), In);
  expression(C->getSubExpr(), In, Used && !C->getType()->isVoidType());
}

/// The part of the expression that alone is evaluated and gives the value; NULL if there is no such
/// part.
static const Stmt *evaluatedPart(const Stmt *S) {
  if (const auto *Generic = dyn_cast<GenericSelectionExpr>(S))
    return Generic->getResultExpr();
  if (const auto *Choose = dyn_cast<ChooseExpr>(S))
    return Choose->getChosenSubExpr();
  if (const auto *Variant = dyn_cast<PseudoObjectExpr>(S)) // declare variant: two calls of one text
    return Variant->getSyntacticForm();
  if (const auto *Paren = dyn_cast<ParenExpr>(S))
    return Paren->getSubExpr();
  if (const auto *List = dyn_cast<InitListExpr>(S))
    return List->isSemanticForm() ? List->getSyntacticForm() : nullptr;
  return nullptr;
}

/// Visits `({ ... })`. No jump leads into the statement expression, and loops of a directive do not
/// continue inside.
void Collector::statementExpression(const StmtExpr *S, Constraints In, bool Used) {
  Model.Barriers.push_back({Map.offset(S->getBeginLoc()), Map.endOffset(S->getEndLoc())});
  In.LastIsValue = Used && !S->getType()->isVoidType();
  In.Locked = In.ListLocked = nullptr;
  In.OmpLoops = 0;
  compound(S->getSubStmt(), In, false);
}

/// Records the expression itself if it is a call, a throw, an address of a label or a compound
/// literal.
void Collector::record(const Stmt *S, const Constraints &In, bool Used) {
  if (const auto *Call = dyn_cast<CallExpr>(S))
    call(Call, In, Used);
  else if (const auto *Label = dyn_cast<AddrLabelExpr>(S))
    Addressed.push_back(Label->getLabel());
  else if (isa<CXXThrowExpr>(S))
    addJump(S->getBeginLoc(), Jump::ToNowhere);
  else if (isa<CompoundLiteralExpr>(S))
    Model.Objects.push_back({Map.offset(S->getBeginLoc()), In.List, "a compound literal"});
}

/// Visits the operands that are evaluated.
void Collector::operands(const Stmt *S, const Constraints &In, bool Used) {
  if (const auto *Size = dyn_cast<UnaryExprOrTypeTraitExpr>(S))
    return sizeofType(Size, In);
  if (const auto *Block = dyn_cast<StmtExpr>(S))
    return statementExpression(Block, In, Used);
  if (const auto *Cast = dyn_cast<CastExpr>(S))
    return casting(Cast, In, Used);
  if (const auto *Full = dyn_cast<FullExpr>(S))
    return expression(Full->getSubExpr(), In, Used);
  if (const auto *Binary = dyn_cast<BinaryOperator>(S)) {
    bool Comma = Binary->getOpcode() == BO_Comma;
    expression(Binary->getLHS(), In, !Comma);
    return expression(Binary->getRHS(), In, Used || !Comma);
  }
  if (const auto *Reference = dyn_cast<DeclRefExpr>(S)) {
    // The name stands for an expression in a clause of a combined directive.
    const auto *Captured = dyn_cast<OMPCapturedExprDecl>(Reference->getDecl());
    if (Captured && Once.insert(Captured->getInit()).second)
      expression(Captured->getInit(), In, true);
  }
  for (const Stmt *Child : S->children())
    expression(Child, In, true);
}

void Collector::expression(const Stmt *S, const Constraints &In, bool Used) {
  if (!S)
    return;
  if (const Stmt *Part = evaluatedPart(S))
    return expression(Part, In, Used);
  record(S, In, Used);
  // The compiler inspects the operands of some functions without evaluating them.
  const auto *Call = dyn_cast<CallExpr>(S);
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  bool Inspected =
      F && (identifierOf(F) == "__builtin_constant_p" || identifierOf(F).ends_with("object_size"));
  if (const auto *Lambda = dyn_cast<LambdaExpr>(S)) // its body is another function
    for (const Expr *Capture : Lambda->capture_inits())
      expression(Capture, In, true);
  else if (const auto *Suspension = dyn_cast<CoroutineSuspendExpr>(S))
    expression(Suspension->getOperand(), In, true); // the compiler makes the other operands
  else if (!Inspected && !isUnevaluated(S))
    operands(S, In, Used);
}

} // namespace sis
