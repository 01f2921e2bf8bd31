// SPDX-License-Identifier: BSD-3-Clause
// builder.cc - see builder.h. Runs in the thread that calls sis_ast_open. Its one idea: positions
// connect the syntax tree with LLVM's code, because each instruction has the position of its token
// in the source.
#include "clang/blame/builder.h"

#include "clang/blame/initial_values.h"
#include "clang/blame/inline_library.h"
#include "clang/blame/prepare.h"
#include "clang/blame/statements.h"
#include "clang/blame/symbols.h"
#include "clang/blame/values.h"
#include "clang/parse/functions.h"
#include "blame.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace clang;

namespace sis {

void BlameBuilder::configure(CodeGenOptions &Options) {
  Options.OptimizationLevel = 0;
  Options.setDebugInfo(llvm::codegenoptions::FullDebugInfo);
  Options.DebugColumnInfo = true;
  Options.DwarfVersion = 5;
  Options.DisableO0ImplyOptNone = true;
  // One function for a constructor or destructor, and the overriders of virtual functions (!type)
  Options.CXXCtorDtorAliases = true;
  Options.LTOUnit = Options.WholeProgramVTables = true;
}

namespace {

/// Gives clang's code generator the instantiations of templates. They are not among the
/// declarations of the translation unit.
class Instantiations : public RecursiveASTVisitor<Instantiations> {
public:
  explicit Instantiations(CodeGenerator &To) : To(To) {}
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }
  bool VisitFunctionDecl(FunctionDecl *F) {
    if (isTemplateInstantiation(F->getTemplateSpecializationKind()) && !F->isDependentContext() &&
        F->isThisDeclarationADefinition() && F->getBody() && !F->isInvalidDecl())
      To.HandleTopLevelDecl(DeclGroupRef(F));
    return true;
  }
  bool VisitVarDecl(VarDecl *V) {
    if (V->isStaticDataMember() && V->hasGlobalStorage() && !V->getType()->isDependentType() &&
        isTemplateInstantiation(V->getTemplateSpecializationKind()) &&
        V->isThisDeclarationADefinition() != VarDecl::DeclarationOnly &&
        !V->getDeclContext()->isDependentContext())
      To.HandleCXXStaticMemberVarInstantiation(V);
    return true;
  }

private:
  CodeGenerator &To;
};

} // namespace

/// Makes the code of all correct declarations. This is done after the whole file is parsed, because
/// during the parse clang makes no code after the first error.
void BlameBuilder::makeCode(const RejectedFunctions &Rejected) {
  ASTContext &Context = CI.getASTContext();
  CI.getDiagnostics().Reset(true);
  Generator.reset(CreateLLVMCodeGen(CI.getDiagnostics(), "", &CI.getVirtualFileSystem(),
                                    CI.getHeaderSearchOpts(), CI.getPreprocessorOpts(),
                                    CI.getCodeGenOpts(), Code));
  Generator->Initialize(Context);
  for (Decl *D : Context.getTranslationUnitDecl()->decls()) {
    const auto *F = dyn_cast<FunctionDecl>(D);
    auto *Variable = dyn_cast<VarDecl>(D);
    if (D->isInvalidDecl() || (F && Rejected.count(F)))
      continue;
    Generator->HandleTopLevelDecl(DeclGroupRef(D));
    if (Variable && Variable == Variable->getActingDefinition())
      Generator->CompleteTentativeDefinition(Variable);
  }
  if (Context.getLangOpts().CPlusPlus)
    Instantiations(*Generator).TraverseAST(Context);
  Generator->HandleTranslationUnit(Context);
}

namespace {

/// Finds the table of statements of each function of the module. An instantiation has the table of
/// its template, because its body is at the same place in the source.
class TableFinder {
public:
  TableFinder(CodeGenerator &Code, const std::deque<StatementTable> &Tables) : Code(Code) {
    for (const StatementTable &T : Tables)
      if (T.Outlined)
        Outlined.push_back(&T);
      else
        ByBody.try_emplace(T.Decl->getBody()->getBeginLoc(), &T);
  }
  const StatementTable *find(const llvm::Function &F) const {
    if (isOutlined(F))
      return F.getSubprogram() ? mostUsed(F) : nullptr;
    const FunctionDecl *D = declarationOf(F);
    return D && D->getBody() ? ByBody.lookup(D->getBody()->getBeginLoc()) : nullptr;
  }
  const FunctionDecl *declarationOf(const llvm::Function &F) const {
    return dyn_cast_or_null<FunctionDecl>(Code.GetDeclForMangledName(F.getName()));
  }
  /// Whether clang made the function for a construct of OpenMP.
  static bool isOutlined(const llvm::Function &F) {
    StringRef Name = F.getName();
    return F.hasLocalLinkage() &&
           (Name.contains(".omp_outlined") || Name.contains(".omp_task_entry."));
  }

private:
  /// Whether the body of the construct was inlined into F (inlineBodies). Then the other
  /// instructions of F have positions in the directive. These positions belong to the construct
  /// around the directive.
  static bool hasInlined(const llvm::Function &F) {
    return llvm::any_of(llvm::instructions(F), [](const llvm::Instruction &I) {
      return I.getDebugLoc() && I.getDebugLoc().getInlinedAt();
    });
  }

  /// The construct in which most instructions of the body have their positions.
  const StatementTable *mostUsed(const llvm::Function &F) const {
    const StatementTable *Best = nullptr;
    size_t Most = 0;
    bool OnlyInlined = hasInlined(F);
    for (const StatementTable *T : Outlined) {
      size_t Used = 0;
      for (const llvm::Instruction &I : llvm::instructions(F))
        if (const llvm::DebugLoc &At = I.getDebugLoc();
            At && (At.getInlinedAt() || !OnlyInlined))
          Used += T->has(At.getLine(), At.getCol());
      if (Used > Most) {
        Most = Used;
        Best = T;
      }
    }
    return Best;
  }

  CodeGenerator &Code;
  llvm::DenseMap<SourceLocation, const StatementTable *> ByBody;
  std::vector<const StatementTable *> Outlined;
};

/// The function that contains the construct with the body F.
const llvm::Function *userOf(const llvm::Function &F) {
  for (const llvm::User *U : F.users())
    if (const auto *I = dyn_cast<llvm::Instruction>(U))
      return I->getFunction();
  return nullptr;
}

/// The body of a construct has the name of its function: main.parallel, main.task.
std::string nameOf(const llvm::Function &F, const TableFinder &Finder) {
  const llvm::DISubprogram *Program = F.getSubprogram();
  if (TableFinder::isOutlined(F)) {
    const llvm::Function *User = userOf(F);
    bool Task = F.getName().contains("task_entry");
    return (User ? nameOf(*User, Finder) : "") + (Task ? ".task" : ".parallel");
  }
  if (const FunctionDecl *D = Finder.declarationOf(F))
    return writtenName(D);
  return Program ? Program->getName().str() : F.getName().str();
}

} // namespace

static void describe(BlameUnit &Unit, BlameFunction &Out, const llvm::Function &F,
                     const StatementTable *Table, const TableFinder &Finder,
                     ModuleFacts &Module) {
  const llvm::DISubprogram *Program = F.getSubprogram();
  Out.Linkage = Unit.string(F.getName().str());
  Out.Name = Unit.string(nameOf(F, Finder));
  if (F.hasLocalLinkage())
    Out.Flags |= SIS_BLAME_FUNCTION_STATIC;
  if (F.isVarArg())
    Out.Flags |= SIS_BLAME_FUNCTION_VARIADIC;
  if (TableFinder::isOutlined(F)) {
    bool Task = F.getName().contains("task_entry") || (Table && Table->Task);
    Out.Flags |= Task ? SIS_BLAME_FUNCTION_TASK : SIS_BLAME_FUNCTION_OUTLINED;
    const llvm::Function *Parent = userOf(F);
    Out.Parent = Parent ? Module.Functions.lookup(Parent) : 0;
  }
  if (Table && Table->Point && !Table->Outlined)
    Out.Flags |= SIS_BLAME_FUNCTION_POINT;
  if (Table) {
    Out.Statements = Table->Statements;
    Out.Anchors = Table->Anchors;
    Out.Groups = Table->Groups;
  } else {
    uint32_t File = Program ? Unit.file(Program->getFilename().str()) : 0;
    unsigned Line = Program ? Program->getLine() : 0;
    Out.Statements = {{SIS_BLAME_ENTRY, File, Line, 0, Line},
                      {SIS_BLAME_EXIT, File, Line, 0, Line}};
  }
  Out.File = Out.Statements[0].File;
  Out.Line = Out.Statements[0].Line;
  if (Program && Program->getType() && Program->getType()->getTypeArray().size())
    Out.Type = Module.Names.type(Program->getType()->getTypeArray()[0]);
}

/// Whether the user did not write the function: it is in a header of the system, or the compiler
/// makes it.
static bool isOfLibrary(const FunctionDecl *F) {
  const SourceManager &SM = F->getASTContext().getSourceManager();
  return F->isImplicit() || F->isDefaulted() || SM.isInSystemHeader(F->getLocation());
}

std::string BlameBuilder::build(const RejectedFunctions &Rejected, const FlatText &Flat,
                                const std::vector<Directive> &Directives, BlameUnit &Unit) {
  if (CI.getLangOpts().CPlusPlus && !Rejected.empty())
    return "clang cannot parse a function of it";
  makeCode(Rejected);
  llvm::Module *All = Generator->GetModule();
  if (!All)
    return "clang makes no code for it";
  inlineBodies(*All);
  std::deque<StatementTable> Tables =
      findStatements(CI.getASTContext(), Flat, Directives, Unit);
  TableFinder Finder(*Generator, Tables);
  if (CI.getLangOpts().CPlusPlus)
    inlineLibrary(*All, [&](const llvm::Function &F) {
      const FunctionDecl *D = Finder.declarationOf(F);
      return D && !Finder.find(F) && isOfLibrary(D);
    });
  Symbols Names(Unit, CI.getLangOpts().CPlusPlus);
  ModuleFacts Module(Unit, Names, *All);
  std::vector<llvm::Function *> Bodies;
  for (llvm::Function &F : *All)
    if (!F.isDeclaration() && !F.hasAvailableExternallyLinkage()) {
      Bodies.push_back(&F);
      Module.Functions[&F] = Bodies.size();
    }
  Unit.Functions.resize(Bodies.size());
  for (size_t I = 0; I < Bodies.size(); ++I) {
    const StatementTable *Table = Finder.find(*Bodies[I]);
    describe(Unit, Unit.Functions[I], *Bodies[I], Table, Finder, Module);
    readValues(*Bodies[I], Table, Module);
  }
  readInitialValues(*All, Module);
  return "";
}

} // namespace sis
