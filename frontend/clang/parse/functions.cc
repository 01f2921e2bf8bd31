// SPDX-License-Identifier: BSD-3-Clause
// functions.cc - see functions.h. Runs in the thread that calls sis_ast_open, while clang's AST
// exists. Its one idea: what can hold a definition is a tree (namespaces, classes, `extern "C"`,
// the expressions around a lambda), so a walk over this tree meets each definition once, where the
// source has it.
#include "clang/parse/functions.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ExprConcepts.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

#include "llvm/ADT/SetVector.h"

using namespace clang;

namespace sis {

/// The declaration that a template or `friend` stands before.
static const Decl *declared(const Decl *D) {
  if (const auto *Friend = dyn_cast<FriendDecl>(D))
    D = Friend->getFriendDecl();
  if (const auto *Template = dyn_cast_or_null<TemplateDecl>(D))
    D = Template->getTemplatedDecl();
  return D;
}

/// Whether the declaration has text: that of an instantiation is the text of its template.
static bool isWritten(const Decl *D) {
  TemplateSpecializationKind Kind = TSK_Undeclared;
  if (const auto *Class = dyn_cast<CXXRecordDecl>(D))
    Kind = Class->getTemplateSpecializationKind();
  else if (const auto *F = dyn_cast<FunctionDecl>(D))
    Kind = F->getTemplateSpecializationKind();
  return !isTemplateInstantiation(Kind);
}

bool isUnevaluated(const Stmt *S) {
  return isa<OffsetOfExpr, CXXNoexceptExpr, CXXTypeidExpr, RequiresExpr>(S);
}

namespace {

class Definitions {
public:
  explicit Definitions(const SourceManager &SM) : SM(SM) {}
  void in(const DeclContext *Of);
  std::vector<const FunctionDecl *> take() { return All.takeVector(); }

private:
  void declaration(const Decl *Member);
  void function(const FunctionDecl *F);
  void statement(const Stmt *S);

  const SourceManager &SM;
  llvm::SetVector<const FunctionDecl *, std::vector<const FunctionDecl *>> All;
};

void Definitions::in(const DeclContext *Of) {
  for (const Decl *Member : Of->decls())
    if (!SM.isInSystemHeader(Member->getLocation()))
      declaration(Member);
}

void Definitions::declaration(const Decl *Member) {
  const Decl *D = declared(Member);
  if (!D || D->isImplicit() || !isWritten(D))
    return;
  if (const auto *F = dyn_cast<FunctionDecl>(D)) {
    function(F);
  } else if (const auto *Variable = dyn_cast<VarDecl>(D)) {
    if (!Variable->isConstexpr()) // the compiler evaluates its value
      statement(Variable->getInit());
  } else if (const auto *Field = dyn_cast<FieldDecl>(D)) {
    statement(Field->getInClassInitializer());
  } else if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(D) ||
             (isa<CXXRecordDecl>(D) && cast<CXXRecordDecl>(D)->isThisDeclarationADefinition())) {
    in(cast<DeclContext>(D));
  }
}

/// Adds the function, then those inside it.
void Definitions::function(const FunctionDecl *F) {
  if (!F->isThisDeclarationADefinition() || F->isDefaulted() || !F->getBody() || !All.insert(F))
    return;
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(F))
    for (const CXXCtorInitializer *Part : Constructor->inits())
      if (Part->isWritten())
        statement(Part->getInit());
  statement(F->getBody());
}

/// Adds the lambdas, and the methods of classes, in a part of a function that is executed.
void Definitions::statement(const Stmt *S) {
  if (!S || isUnevaluated(S) || isa<UnaryExprOrTypeTraitExpr, ConstantExpr>(S))
    return;
  if (const auto *Lambda = dyn_cast<LambdaExpr>(S)) {
    for (const Expr *Capture : Lambda->capture_inits())
      statement(Capture);
    return function(Lambda->getCallOperator());
  }
  if (const auto *Declarations = dyn_cast<DeclStmt>(S)) {
    for (const Decl *D : Declarations->decls())
      declaration(D);
    return;
  }
  for (const Stmt *Child : S->children())
    statement(Child);
}

} // namespace

std::vector<const FunctionDecl *> definedFunctions(const ASTContext &Context) {
  Definitions Found(Context.getSourceManager());
  Found.in(Context.getTranslationUnitDecl());
  return Found.take();
}

const CompoundStmt *bodyBlock(const FunctionDecl *F) {
  const Stmt *Body = F->getBody();
  if (const auto *Coroutine = dyn_cast<CoroutineBodyStmt>(Body))
    Body = Coroutine->getBody();
  if (const auto *Try = dyn_cast<CXXTryStmt>(Body))
    return Try->getTryBlock();
  return cast<CompoundStmt>(Body);
}

bool isLambda(const FunctionDecl *F) {
  const auto *Method = dyn_cast<CXXMethodDecl>(F);
  return Method && Method->getParent()->isLambda();
}

const FunctionDecl *functionAround(const FunctionDecl *F) {
  return dyn_cast_or_null<FunctionDecl>(F->getParentFunctionOrMethod());
}

llvm::StringRef identifierOf(const NamedDecl *D) {
  return D->getIdentifier() ? D->getName() : "";
}

/// `<T, n>` of a template, `<double, 3>` of a specialization; "" if D is neither.
static std::string templateArguments(const NamedDecl *D, const PrintingPolicy &Policy) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  if (const auto *Special = dyn_cast<ClassTemplateSpecializationDecl>(D)) {
    printTemplateArgumentList(Out, Special->getTemplateArgs().asArray(), Policy,
                              Special->getSpecializedTemplate()->getTemplateParameters());
  } else if (const auto *Class = dyn_cast<CXXRecordDecl>(D);
             const ClassTemplateDecl *Template =
                 Class ? Class->getDescribedClassTemplate() : nullptr) {
    const char *Before = "<";
    for (const NamedDecl *Parameter : *Template->getTemplateParameters()) {
      Out << Before << Parameter->getDeclName();
      Before = ", ";
    }
    Out << '>';
  }
  return Text;
}

/// The names of the namespaces and classes around D, each with `::`.
static std::string scopeOf(const DeclContext *Around, const PrintingPolicy &Policy) {
  for (; Around; Around = Around->getParent()) {
    const auto *Named = dyn_cast<NamedDecl>(Around);
    const auto *Space = dyn_cast<NamespaceDecl>(Around);
    if (!Named || (Space && Space->isInline()))
      continue;
    const auto *Class = dyn_cast<CXXRecordDecl>(Around);
    if (Class && Class->isLambda())
      return scopeOf(Around->getParent(), Policy) + "(lambda)::";
    std::string Name = Space && Space->isAnonymousNamespace() ? "(anonymous)"
                                                               : Named->getDeclName().getAsString();
    return scopeOf(Around->getParent(), Policy) + Name + templateArguments(Named, Policy) + "::";
  }
  return "";
}

/// Whether another function of the same scope has the name. For a library's own functions this does
/// not matter.
static bool isOverloaded(const FunctionDecl *F) {
  if (F->getASTContext().getSourceManager().isInSystemHeader(F->getLocation()))
    return false;
  const DeclContext *Scope = F->getDeclContext()->getRedeclContext();
  unsigned Others = 0;
  for (const NamedDecl *D : Scope->lookup(F->getDeclName()))
    Others += isa<FunctionDecl, FunctionTemplateDecl>(D) &&
              (isa<FunctionDecl>(D) ? !D->isImplicit() : true);
  return Others > 1 || F->isFunctionTemplateSpecialization();
}

/// `lambda@42 in solve`: the line, and the function around it that has a name. Outside of
/// functions, the class or namespace.
static std::string lambdaName(const CXXRecordDecl *Closure, const PrintingPolicy &Policy) {
  const auto *Inside = dyn_cast_or_null<FunctionDecl>(Closure->getParentFunctionOrMethod());
  while (Inside && isLambda(Inside))
    Inside = functionAround(Inside);
  std::string Outer = Inside ? writtenName(Inside) : scopeOf(Closure->getDeclContext(), Policy);
  if (!Inside && !Outer.empty())
    Outer.resize(Outer.size() - strlen("::"));
  PresumedLoc At =
      Closure->getASTContext().getSourceManager().getPresumedLoc(Closure->getLocation());
  return "lambda@" + std::to_string(At.getLine()) + (Outer.empty() ? "" : " in " + Outer);
}

std::string mangledName(const FunctionDecl *F) {
  if (!F->getASTContext().getLangOpts().CPlusPlus || F->isTemplated() || F->isExternC() ||
      F->isMain() || isLambda(F) || functionAround(F))
    return "";
  return ASTNameGenerator(F->getASTContext()).getName(F);
}

std::string writtenName(const FunctionDecl *F) {
  PrintingPolicy Policy(F->getASTContext().getLangOpts());
  Policy.SuppressTagKeyword = true;
  Policy.FullyQualifiedName = false;
  if (isLambda(F))
    return lambdaName(cast<CXXMethodDecl>(F)->getParent(), Policy);
  std::string Name = scopeOf(F->getDeclContext(), Policy);
  const auto *Class = dyn_cast<CXXRecordDecl>(F->getDeclContext());
  if (isa<CXXConstructorDecl>(F)) // without the arguments of its template
    Name += Class->getDeclName().getAsString();
  else if (isa<CXXDestructorDecl>(F))
    Name += "~" + Class->getDeclName().getAsString();
  else
    Name += F->getDeclName().getAsString();
  if (!F->getASTContext().getLangOpts().CPlusPlus || F->isMain() || !isOverloaded(F))
    return Name;
  const char *Before = "(";
  for (const ParmVarDecl *Parameter : F->parameters()) {
    Name += Before + Parameter->getOriginalType().getAsString(Policy);
    Before = ", ";
  }
  Name += F->param_empty() ? "()" : ")";
  if (const auto *Method = dyn_cast<CXXMethodDecl>(F); Method && Method->isConst())
    Name += " const";
  return Name;
}

} // namespace sis
