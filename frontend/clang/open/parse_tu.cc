// SPDX-License-Identifier: BSD-3-Clause
// parse_tu.cc - runs clang's parser over one file, in the thread that calls sis_ast_open. Its one
// idea: of clang, the preprocessor's record and the syntax tree are used, and LLVM's code for
// variable blame. Clang's diagnostics are shown only as the reason why a file or function cannot be
// parsed.
#include "clang/open/parse_tu.h"

#include "clang/blame/builder.h"
#include "clang/collect/collect.h"
#include "clang/collect/number_regions.h"
#include "clang/parse/compiler.h"
#include "clang/parse/dialect.h"
#include "clang/parse/operators.h"
#include "clang/parse/rejected.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <unistd.h>

using namespace clang;
using llvm::StringRef;

namespace sis {

namespace {

/// Whether the body of a function is long and has no loop. At: its name, in a header of the system.
bool isLongWithoutLoop(const char *At) {
  unsigned Length = 0; // of the body, without blanks
  for (int Depth = 0; *At; ++At) {
    Depth += *At == '{';
    Length += Depth && *At > ' ';
    Depth -= *At == '}';
    if (*At == '}' && !Depth)
      return Length > 200;
    if (Depth && *At == ' ' && (!strncmp(At, " for (", 6) || !strncmp(At, " while (", 8)))
      return false;
  }
  return false;
}

/// Templates of the system's headers are parsed when they are instantiated, since a program uses a
/// few of the many in the library of C++.
class LaterTemplates : public PPCallbacks {
public:
  explicit LaterTemplates(LangOptions &Options) : Options(Options) {}
  void FileChanged(SourceLocation, FileChangeReason, SrcMgr::CharacteristicKind Kind,
                   FileID) override {
    Options.DelayedTemplateParsing = SrcMgr::isSystem(Kind);
  }

private:
  LangOptions &Options;
};

class Consumer : public ASTConsumer {
public:
  /// Blame is null if variable blame is not wanted.
  Consumer(sis_ast &Ast, FlatText &Flat, Record &Seen, Reporter &Report, Rejections &Errors,
           BlameBuilder *Blame)
      : Ast(Ast), Flat(Flat), Seen(Seen), Report(Report), Errors(Errors), Blame(Blame) {}
  /// Apart from variable blame, only estimates look into the functions of the system's headers, and
  /// most functions of the library of C++ are never called. So the long ones are not parsed, which
  /// saves a quarter of the parser's time. CostModel::unseen gives their cost.
  bool shouldSkipFunctionBody(Decl *D) override {
    const SourceManager &SM = D->getASTContext().getSourceManager();
    return SM.isInSystemHeader(D->getLocation()) &&
           isLongWithoutLoop(SM.getCharacterData(SM.getExpansionLoc(D->getLocation())));
  }
  void HandleTranslationUnit(ASTContext &Context) override {
    RejectedFunctions Rejected;
    if (!Errors.confineTo(Context, Rejected))
      return;
    Flat.layOut(Seen);
    SourceMap Map(Ast, Flat);
    matchDirectives(Ast, Report);
    DeviceFunctions Devices = deviceFunctions(Context, Rejected, Seen);
    Collector(Ast, Map, Context, Rejected, Devices, Report).run();
    numberRegions(Ast, Report);
    Ast.OtherRegisters |= Seen.OtherRegisters;
    if (Blame)
      addBlame(Rejected);
  }

private:
  void addBlame(const RejectedFunctions &Rejected) {
    Ast.Blame = std::make_unique<BlameUnit>();
    std::string Why = Blame->build(Rejected, Flat, Ast.Directives, *Ast.Blame);
    if (Why.empty())
      return;
    Ast.Blame.reset();
    Report(SIS_AST_NOTE, {Ast.File.c_str(), 1, 1}, "no variable blame for this file: " + Why);
  }

  sis_ast &Ast;
  FlatText &Flat;
  Record &Seen;
  Reporter &Report;
  Rejections &Errors;
  BlameBuilder *Blame;
};

class Action : public ASTFrontendAction {
public:
  Action(sis_ast &Ast, Reporter &Report, Rejections &Errors, CompilerFacts &Facts, bool Blame)
      : Ast(Ast), Report(Report), Errors(Errors), Facts(Facts),
        WantsBlame(Blame) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, StringRef) override {
    SourceManager &SM = CI.getSourceManager();
    Preprocessor &PP = CI.getPreprocessor();
    auto Callbacks = std::make_unique<Recorder>(PP, Seen, Ast.ForGCC);
    Recorder *Watch = Callbacks.get(); // the preprocessor owns it
    Flat = std::make_unique<FlatText>(Ast, SM, CI.getLangOpts());
    if (Facts.Preprocessed)
      PP.SetMacroExpansionOnlyInDirectives();
    if (addsWordsOfGCC())
      addTypesOfGCC(PP);
    PP.setPredefines(predefines(PP));
    PP.setTokenWatcher([Watch](const Token &T) { Watch->token(T); });
    PP.addPPCallbacks(std::move(Callbacks));
    if (!Facts.Cplusplus)
      PP.addPPCallbacks(std::make_unique<Operators>(PP, Facts));
    else if (!WantsBlame)
      PP.addPPCallbacks(std::make_unique<LaterTemplates>(CI.getLangOpts()));
    handleDirectives(PP, Ast, *Flat, *Watch, Report);
    if (WantsBlame)
      Blame = std::make_unique<BlameBuilder>(CI);
    return std::make_unique<Consumer>(Ast, *Flat, Seen, Report, Errors, Blame.get());
  }

private:
  bool addsWordsOfGCC() const { return !Facts.Cplusplus && !Facts.defined("__clang__"); }

  /// The text that is read before the file: the real compiler's macros, clang's own predefined
  /// text, and declarations. In C++, clang gives its own values of __has_builtin and the like,
  /// because the standard library asks which built-in functions of its types it may use.
  std::string predefines(const Preprocessor &PP) const {
    bool Asks = !Facts.Preprocessed && !Facts.Cplusplus;
    return frontendPredefines(Facts) + (Asks ? operatorMacros(Facts) : "") + PP.getPredefines() +
           (addsWordsOfGCC() ? declarationsOfGCC() : "");
  }

  sis_ast &Ast;
  Reporter &Report;
  Rejections &Errors;
  CompilerFacts &Facts;
  bool WantsBlame;
  std::unique_ptr<BlameBuilder> Blame; // null: not wanted
  std::unique_ptr<FlatText> Flat;
  Record Seen;
};

} // namespace

/// The file system, with one more directory. This directory has the compiler's headers that clang
/// lacks and can read. The compiler's other headers (stdatomic.h ...) are left out, because they
/// would hide clang's own. But its limits.h takes the place of clang's, which writes INT_MIN with
/// other blanks, so that the # of a macro would give another string.
static llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> fileSystem(const CompilerFacts &Facts) {
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> Extra(new llvm::vfs::InMemoryFileSystem);
  auto add = [&](const std::string &Directory, const char *Name) {
    if (auto Buffer = llvm::MemoryBuffer::getFile(Facts.BuiltinDir + "/" + Name))
      Extra->addFile(Directory + Name, 0, std::move(*Buffer));
  };
  for (const char *Name : {"omp.h", "openacc.h", "quadmath.h", "gcov.h", "acc_prof.h"})
    add("/sis-compiler-headers/", Name);
  for (const char *Name : {"limits.h", "syslimits.h"})
    add(SIS_CLANG_RESOURCES "/include/", Name);
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> All(
      new llvm::vfs::OverlayFileSystem(llvm::vfs::getRealFileSystem()));
  All->pushOverlay(Extra);
  return All;
}

/// The name of the source of a preprocessed text, which its first line gives; empty if it is
/// unknown.
static std::string originalName(llvm::StringRef Text) {
  unsigned Line;
  llvm::StringRef First = Text.take_until([](char C) { return C == '\n'; });
  if (!First.consume_front("# ") || First.consumeInteger(10, Line) || !First.consume_front(" \""))
    return "";
  std::string Name;
  for (; !First.empty() && First.front() != '"'; First = First.drop_front()) {
    if (First.size() > 1 && First.front() == '\\')
      First = First.drop_front();
    Name += First.front();
  }
  return Name;
}

/// Whether the source exists. If the source is standard input, reading starts again at its begin.
static bool findSource(const sis_ast &Ast, std::string &Why) {
  llvm::SmallString<256> Path(Ast.File);
  if (!Ast.Directory.empty())
    llvm::sys::fs::make_absolute(Ast.Directory, Path);
  if (Ast.File == "-")
    lseek(STDIN_FILENO, 0, SEEK_SET);
  else if (std::error_code Error = llvm::sys::fs::access(Path, llvm::sys::fs::AccessMode::Exist))
    Why = "cannot open '" + Ast.File + "': " + Error.message();
  return Why.empty();
}

/// Runs clang's parser. Returns why clang cannot parse the file; "" if it can.
static std::string runParser(llvm::ArrayRef<std::string> Words, CompilerFacts &Facts, bool Blame,
                             sis_ast &Ast, Reporter &Report) {
  Rejections Errors;
  std::vector<const char *> Argv;
  for (const std::string &Word : Words)
    Argv.push_back(Word.c_str());
  CompilerInstance CI;
  CI.createDiagnostics(&Errors, false);
  auto Invocation = std::make_shared<CompilerInvocation>();
  if (!CompilerInvocation::CreateFromArgs(*Invocation, Argv, CI.getDiagnostics()))
    return "clang rejects its arguments: " + Errors.why();
  Invocation->getFrontendOpts().DisableFree = false;
  Invocation->getFrontendOpts().SkipFunctionBodies = Facts.Cplusplus && !Blame;
  if (Blame)
    BlameBuilder::configure(Invocation->getCodeGenOpts());
  CI.setInvocation(std::move(Invocation));
  CI.createFileManager(fileSystem(Facts));
  Action Parse(Ast, Report, Errors, Facts, Blame);
  CI.ExecuteAction(Parse);
  // An error in a directive may follow from code that clang cannot parse. For example, a macro of
  // sis.h with wrong arguments gives no directive.
  const Rejection *R = Errors.first();
  if (Report.Failed && R && R->Position.isValid())
    Report(SIS_AST_WARNING,
           {Ast.keep(R->Position.getFilename()), R->Position.getLine(), R->Position.getColumn()},
           "clang cannot parse this, and errors in directives may follow from it: " + R->Text);
  return Errors.why();
}

sis_ast_status parseTu(sis_ast &Ast, const std::string &Compiler,
                       llvm::ArrayRef<std::string> Arguments, bool Blame, Reporter &Report,
                       std::string &Why) {
  CompilerFacts Facts;
  Facts.Directory = Ast.Directory;
  Facts.Cplusplus = llvm::StringSwitch<bool>(llvm::sys::path::extension(Ast.File))
                        .Cases(".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C", ".ii", true)
                        .Default(false);
  if (!queryCompiler(Compiler, Arguments, Facts, Why) || !findSource(Ast, Why))
    return SIS_AST_FAILED;
  Ast.ForGCC = !Facts.defined("__clang__");
  Ast.Compiler = Facts.compiler();
  Ast.Language = Facts.Cplusplus ? "C++" : "C";
  std::vector<std::string> Words = frontendArguments(Facts, Arguments, Ast.File);
  if (Ast.File == "-")
    Ast.File = "<stdin>"; // the compiler's name for it
  Why = runParser(Words, Facts, Blame, Ast, Report);
  if (Report.Failed)
    return SIS_AST_INVALID;
  if (std::string Name = Facts.Preprocessed ? originalName(Ast.Text) : ""; !Name.empty())
    Ast.File = Name;
  return Why.empty() ? SIS_AST_OK : SIS_AST_UNPARSED;
}

} // namespace sis
