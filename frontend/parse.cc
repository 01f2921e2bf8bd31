// parse.cc - runs clang's parser over one file, in the calling thread. Its one idea: clang is asked only
// for the syntax tree; what it thinks of the code is silence, unless it cannot parse it.
#include "parse.h"

#include "collect.h"
#include "compiler.h"
#include "finish.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/PPCallbacks.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace clang;
using llvm::StringRef;

namespace sis {

namespace {

/// Keeps the first error. Errors in system headers are the compiler's own extensions (GCC's malloc
/// attribute with arguments, in omp.h): its headers are right by definition.
class FirstError : public DiagnosticConsumer {
public:
  std::string Text;

  void HandleDiagnostic(DiagnosticsEngine::Level Level, const Diagnostic &Info) override {
    if (Level < DiagnosticsEngine::Error || !Text.empty())
      return;
    if (DiagnosticIDs::isBuiltinWarningOrExtension(Info.getID()))
      return; // an error by default for clang, a warning for GCC: implicit declarations ...
    bool Placed = Info.hasSourceManager() && Info.getLocation().isValid();
    if (Level == DiagnosticsEngine::Error && Placed && inSystemHeader(Info))
      return;
    llvm::SmallString<128> Message;
    Info.FormatDiagnostic(Message);
    if (Placed) {
      PresumedLoc P = Info.getSourceManager().getPresumedLoc(Info.getLocation());
      if (P.isValid())
        Text = std::string(P.getFilename()) + ":" + std::to_string(P.getLine()) + ": ";
    }
    Text += Message.str();
  }

private:
  static bool inSystemHeader(const Diagnostic &Info) {
    const SourceManager &SM = Info.getSourceManager();
    return SM.isInSystemHeader(SM.getExpansionLoc(Info.getLocation()));
  }
};

/// Notes the pragmas that must stay directly before their loop.
class PragmaWatch : public PPCallbacks {
public:
  PragmaWatch(const sis_ast &Ast, SourceMap &Map) : Ast(Ast), Map(Map) {}
  void PragmaDirective(SourceLocation Loc, PragmaIntroducerKind Kind) override {
    if (Kind != PIK_HashPragma || !Loc.isFileID() || !Map.inMain(Loc))
      return;
    StringRef Line = StringRef(Ast.Text).substr(Map.offset(Loc)).take_until([](char C) { return C == '\n'; });
    for (const char *Word : {"ivdep", "unroll", "novector", "clang loop"}) // of GCC, clang, icc
      if (Line.contains(Word) && !Line.contains("omp"))
        return Map.addLoopPragma(Loc);
  }

private:
  const sis_ast &Ast;
  SourceMap &Map;
};

class Consumer : public ASTConsumer {
public:
  Consumer(sis_ast &Ast, SourceMap &Map, Reporter &Report, const FirstError &Error)
      : Ast(Ast), Map(Map), Report(Report), Error(Error) {}
  void HandleTranslationUnit(ASTContext &Context) override {
    if (!Error.Text.empty())
      return;
    matchDirectives(Ast, Report);
    Collector(Ast, Map, Context, Report).unit();
    finishUnit(Ast, Report);
  }

private:
  sis_ast &Ast;
  SourceMap &Map;
  Reporter &Report;
  const FirstError &Error;
};

class Action : public ASTFrontendAction {
public:
  Action(sis_ast &Ast, Reporter &Report, const FirstError &Error, std::string Predefines)
      : Ast(Ast), Report(Report), Error(Error), Predefines(std::move(Predefines)) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, StringRef) override {
    SourceManager &SM = CI.getSourceManager();
    Preprocessor &PP = CI.getPreprocessor();
    Ast.Text = SM.getBufferData(SM.getMainFileID()).str();
    Map = std::make_unique<SourceMap>(Ast, SM, CI.getLangOpts());
    PP.setPredefines(Predefines + PP.getPredefines());
    PP.setTokenWatcher([this](const Token &T) { Map->addToken(T); });
    PP.addPPCallbacks(std::make_unique<PragmaWatch>(Ast, *Map));
    handleDirectives(PP, Ast, *Map, Report);
    return std::make_unique<Consumer>(Ast, *Map, Report, Error);
  }

private:
  sis_ast &Ast;
  Reporter &Report;
  const FirstError &Error;
  std::string Predefines;
  std::unique_ptr<SourceMap> Map;
};

} // namespace

/// The file system with a directory of those headers of the compiler that clang lacks and can read.
/// The others of that directory (limits.h, stdatomic.h ...) would come before or behind clang's own.
static llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> fileSystem(const CompilerFacts &Facts) {
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> Extra(new llvm::vfs::InMemoryFileSystem);
  for (const char *Name : {"omp.h", "openacc.h", "quadmath.h", "gcov.h", "acc_prof.h"})
    if (auto Buffer = llvm::MemoryBuffer::getFile(Facts.BuiltinDir + "/" + Name))
      Extra->addFile("/sis-compiler-headers/" + std::string(Name), 0, std::move(*Buffer));
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> All(
      new llvm::vfs::OverlayFileSystem(llvm::vfs::getRealFileSystem()));
  All->pushOverlay(Extra);
  return All;
}

sis_ast_status parseUnit(sis_ast &Ast, const std::string &Compiler, llvm::ArrayRef<std::string> Arguments,
                         Reporter &Report, std::string &Why) {
  CompilerFacts Facts;
  Facts.Directory = Ast.Directory;
  if (!queryCompiler(Compiler, Arguments, Facts, Why))
    return SIS_AST_FAILED;
  llvm::SmallString<256> Path(Ast.File);
  if (!Ast.Directory.empty())
    llvm::sys::fs::make_absolute(Ast.Directory, Path);
  if (std::error_code Error = llvm::sys::fs::access(Path, llvm::sys::fs::AccessMode::Exist)) {
    Why = "cannot open '" + Ast.File + "': " + Error.message();
    return SIS_AST_FAILED;
  }
  FirstError Error;
  std::vector<std::string> Words = frontendArguments(Facts, Arguments, Ast.File);
  std::vector<const char *> Argv;
  for (const std::string &Word : Words)
    Argv.push_back(Word.c_str());
  CompilerInstance CI;
  CI.createDiagnostics(&Error, false);
  auto Invocation = std::make_shared<CompilerInvocation>();
  if (!CompilerInvocation::CreateFromArgs(*Invocation, Argv, CI.getDiagnostics())) {
    Why = "clang rejects its arguments: " + Error.Text;
    return SIS_AST_UNPARSED;
  }
  Invocation->getFrontendOpts().DisableFree = false;
  CI.setInvocation(std::move(Invocation));
  CI.createFileManager(fileSystem(Facts));
  Action Parse(Ast, Report, Error, frontendPredefines(Facts));
  CI.ExecuteAction(Parse);
  if (Report.Failed)
    return SIS_AST_INVALID;
  if (!Error.Text.empty()) {
    Why = Error.Text;
    return SIS_AST_UNPARSED;
  }
  return SIS_AST_OK;
}

} // namespace sis
