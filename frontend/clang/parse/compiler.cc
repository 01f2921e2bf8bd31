// SPDX-License-Identifier: BSD-3-Clause
// compiler.cc - queries the real compiler for its include directories, its predefined macros and
// its values of __has_builtin(x) and similar operators (`$CC flags -E -v -dD -x c -`), and turns
// them into arguments for clang's parser. For most translation units the compiler runs once. Called
// in the thread that calls sis_ast_open. Its one idea: everything that an #if can test comes from
// the compiler itself, so clang and the compiler take the same branches.
#include "clang/parse/compiler.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

using llvm::StringRef;

namespace sis {

static std::string readWhole(int Descriptor) {
  std::string Text;
  char Chunk[16384];
  lseek(Descriptor, 0, SEEK_SET);
  for (ssize_t Got; (Got = read(Descriptor, Chunk, sizeof Chunk)) > 0;)
    Text.append(Chunk, Got);
  return Text;
}

/// A file in memory with the text, at its begin; -1 if the file cannot be made.
static int fileOf(StringRef Text) {
  int File = memfd_create("sis-in", MFD_CLOEXEC);
  if (File < 0)
    return -1;
  for (ssize_t Put; !Text.empty(); Text = Text.drop_front(Put))
    if ((Put = write(File, Text.data(), Text.size())) <= 0)
      break;
  lseek(File, 0, SEEK_SET);
  return File;
}

/// The environment for the compiler. The labels that readDirectories looks for are English.
static std::vector<char *> englishEnvironment() {
  static char Locale[] = "LC_ALL=C";
  std::vector<char *> Environment;
  for (char **E = environ; *E; ++E)
    if (!StringRef(*E).starts_with("LC_ALL=") && !StringRef(*E).starts_with("LANGUAGE="))
      Environment.push_back(*E);
  Environment.push_back(Locale);
  Environment.push_back(nullptr);
  return Environment;
}

/// Starts a command in the directory. Files are its standard input, output and error. Returns 0, or
/// the number of the error.
static int spawn(llvm::ArrayRef<std::string> Words, const std::string &Directory,
                 llvm::ArrayRef<int> Files, pid_t &Child) {
  std::vector<char *> Argv, Environment = englishEnvironment();
  for (const std::string &Word : Words)
    Argv.push_back(const_cast<char *>(Word.c_str()));
  Argv.push_back(nullptr);
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  if (!Directory.empty())
    posix_spawn_file_actions_addchdir_np(&Actions, Directory.c_str());
  for (int I : {0, 1, 2})
    posix_spawn_file_actions_adddup2(&Actions, Files[I], I);
  int Failure = posix_spawnp(&Child, Argv[0], &Actions, nullptr, Argv.data(), Environment.data());
  posix_spawn_file_actions_destroy(&Actions);
  return Failure;
}

/// Runs a command that reads Input, and keeps both of its outputs. Returns the exit status of the
/// command, or 128 after a signal. If the command cannot be started, returns -1, and Err says why.
static int runCommand(llvm::ArrayRef<std::string> Words, const std::string &Directory,
                      StringRef Input, std::string &Out, std::string &Err) {
  int Files[] = {fileOf(Input), memfd_create("sis-out", MFD_CLOEXEC),
                 memfd_create("sis-err", MFD_CLOEXEC)};
  bool Made = Files[0] >= 0 && Files[1] >= 0 && Files[2] >= 0;
  pid_t Child;
  int Status = -1, Failure = Made ? spawn(Words, Directory, Files, Child) : errno;
  if (!Failure) {
    while (waitpid(Child, &Status, 0) < 0 && errno == EINTR)
      ;
    Status = WIFEXITED(Status) ? WEXITSTATUS(Status) : 128;
    Out = readWhole(Files[1]);
    Err = readWhole(Files[2]);
  } else {
    Err = strerror(Failure);
  }
  for (int File : Files)
    close(File);
  return Status;
}

/// The command of the query. The options -include and -imacros are left out, because macros of
/// these files must not count as predefined.
static std::vector<std::string> queryWords(const std::string &Compiler,
                                           llvm::ArrayRef<std::string> Arguments,
                                           CompilerFacts &Facts) {
  std::vector<std::string> Words = {Compiler};
  for (size_t I = 0; I < Arguments.size(); ++I) {
    StringRef A = Arguments[I];
    if ((A == "-include" || A == "-imacros") && I + 1 < Arguments.size()) {
      Facts.IncludeOptions.push_back(A.str());
      Facts.IncludeOptions.push_back(Arguments[++I]);
    } else if (A == "-x" && I + 1 < Arguments.size()) {
      Facts.Cplusplus = StringRef(Arguments[++I]).starts_with("c++");
    } else if (A == "-fpreprocessed") {
      Facts.Preprocessed = true;
    } else if (A == "-MF" || A == "-MT" || A == "-MQ" || A == "-o") {
      ++I; // no dependency file must be written for the query
    } else if (!A.starts_with("-M") && A != "-c" && A != "-S" && !A.starts_with("-Wp,-M") &&
               !A.starts_with("-save-temps") && !A.starts_with("-ftime-trace")) {
      Words.push_back(A.str());
    }
  }
  if (Facts.Preprocessed)
    Facts.IncludeOptions.clear();
  for (const char *Word : {"-E", "-v", "-dD", "-w", "-x", Facts.Cplusplus ? "c++" : "c", "-"})
    Words.push_back(Word);
  return Words;
}

/// Directories that the user's own options name.
static llvm::StringSet<> userDirectories(llvm::ArrayRef<std::string> Arguments) {
  llvm::StringSet<> Set;
  for (size_t I = 0; I < Arguments.size(); ++I) {
    StringRef A = Arguments[I];
    if ((A == "-I" || A == "-iquote") && I + 1 < Arguments.size())
      Set.insert(Arguments[++I]);
    else if (A.consume_front("-I") || A.consume_front("-iquote"))
      Set.insert(A);
  }
  return Set;
}

static void readDirectories(StringRef Log, llvm::ArrayRef<std::string> Arguments,
                            CompilerFacts &Facts) {
  llvm::StringSet<> User = userDirectories(Arguments);
  bool Listing = false;
  while (!Log.empty()) {
    StringRef Line;
    std::tie(Line, Log) = Log.split('\n');
    if (Line.consume_front("Target: "))
      Facts.Target = Line.str();
    else if (Line.contains("search starts here:"))
      Listing = true;
    else if (Line.starts_with("End of search list."))
      Listing = false;
    if (!Listing || !Line.consume_front(" "))
      continue;
    Line.consume_back(" (framework directory)");
    if (User.count(Line))
      Facts.UserDirs.push_back(Line.str());
    else if (Line.ends_with("/include-fixed"))
      Facts.FixedDir = Line.str(); // corrected for that compiler only
    else if (Facts.BuiltinDir.empty() && llvm::sys::fs::exists(Line + "/stdarg.h") &&
             llvm::sys::fs::exists(Line + "/stddef.h") && !Line.contains("/c++/")) {
      Facts.BuiltinDir = Line.str();
      Facts.BeforeBuiltin = Facts.SystemDirs.size();
    } else
      Facts.SystemDirs.push_back(Line.str());
  }
}

/// The macro's name in a line `#define NAME ...` or `#undef NAME`.
static StringRef nameIn(StringRef Line) {
  return Line.drop_front(Line.find(' ')).trim().take_while([](char C) {
    return llvm::isAlnum(C) || C == '_' || C == '$';
  });
}

/// The macros that are defined at the end, one per line. Other lines are ignored: with -v, MPI
/// wrappers print a line of their own.
static std::string definitionsOf(StringRef Output) {
  llvm::MapVector<StringRef, StringRef> Lines;
  while (!Output.empty()) {
    StringRef Line;
    std::tie(Line, Output) = Output.split('\n');
    if (Line.starts_with("#define "))
      Lines[nameIn(Line)] = Line;
    else if (Line.starts_with("#undef "))
      Lines.erase(nameIn(Line));
  }
  std::string Definitions;
  for (const auto &[Name, Line] : Lines)
    Definitions += (Line + "\n").str();
  return Definitions;
}

bool queryCompiler(const std::string &Compiler, llvm::ArrayRef<std::string> Arguments,
                   CompilerFacts &Facts, std::string &Why) {
  std::string Output, Log;
  Facts.Query = queryWords(Compiler, Arguments, Facts);
  int Status = runCommand(Facts.Query, Facts.Directory, Answers::firstQuestions(), Output, Log);
  if (Status < 0) {
    Why = "cannot run '" + Compiler + "': " + Log;
    return false;
  }
  Facts.Predefines = definitionsOf(Output);
  Facts.OperatorValues.read(Output);
  readDirectories(Log, Arguments, Facts);
  if (Status == 0 && !Facts.Predefines.empty() &&
      (Facts.SystemDirs.size() || Facts.BuiltinDir.size()))
    return true;
  Why = "'" + Compiler + "' does not print its include directories (-E -v -dD failed)";
  return false;
}

void CompilerFacts::ask(llvm::ArrayRef<std::string> Questions) {
  std::string Output, Log;
  runCommand(Query, Directory, Answers::questions(Questions), Output, Log);
  OperatorValues.read(Output);
}

StringRef CompilerFacts::macro(StringRef Name) const {
  size_t At = ("\n" + Predefines).find(("\n#define " + Name + " ").str());
  if (At == std::string::npos)
    return "";
  StringRef Rest = StringRef(Predefines).substr(At);
  return Rest.take_until([](char C) { return C == '\n'; }).substr(Name.size() + 9).trim();
}

bool CompilerFacts::defined(StringRef Name) const {
  return ("\n" + Predefines).find(("\n#define " + Name + " ").str()) != std::string::npos;
}

std::string CompilerFacts::compiler() const {
  StringRef Version = macro(defined("__clang_version__") ? "__clang_version__" : "__VERSION__");
  std::string Name = defined("__clang__") ? "clang" : defined("__GNUC__") ? "gcc" : "compiler";
  return Name + " " + Version.trim("\" ").str() + (Target.empty() ? "" : " " + Target);
}

/// The year of __cplusplus. A draft of a standard has a value between two standards.
static const char *standardOfCplusplus(const CompilerFacts &Facts) {
  long Version = 0;
  StringRef Value = Facts.macro("__cplusplus");
  Value.consume_back("L");
  Value.getAsInteger(10, Version);
  return Version > 202302 ? "26" : Version > 202002 ? "23" : Version > 201703 ? "20"
         : Version > 201402 ? "17" : Version > 201103 ? "14" : Version > 199711 ? "11" : "98";
}

static std::string languageStandard(const CompilerFacts &Facts) {
  if (Facts.Cplusplus)
    return std::string("-std=") + (Facts.defined("__STRICT_ANSI__") ? "c++" : "gnu++") +
           standardOfCplusplus(Facts);
  long Version = 0;
  StringRef Value = Facts.macro("__STDC_VERSION__");
  Value.consume_back("L");
  Value.getAsInteger(10, Version);
  const char *Year = Version >= 202000 ? "2x" : Version >= 201710 ? "17" : Version >= 201112 ? "11"
                     : Version >= 199901 ? "99" : "89";
  return std::string("-std=") + (Facts.defined("__STRICT_ANSI__") ? "c" : "gnu") + Year;
}

static std::string targetTriple(const CompilerFacts &Facts) {
  if (Facts.defined("__i386__"))
    return "i686-linux-gnu";
  if (Facts.defined("__x86_64__"))
    return Facts.defined("__ILP32__") ? "x86_64-linux-gnux32" : "x86_64-linux-gnu";
  return Facts.Target;
}

/// The time that __DATE__ and __TIME__ give in a reproducible build; empty for the current time.
static std::string sourceDateEpoch() {
  const char *Value = getenv("SOURCE_DATE_EPOCH");
  unsigned long long Seconds;
  return Value && !StringRef(Value).getAsInteger(10, Seconds) && Seconds < 253402300800
             ? Value
             : ""; // year 9999
}

using WordList = std::vector<std::string>;

/// The language, and the options that change it.
static WordList languageWords(const CompilerFacts &Facts, llvm::ArrayRef<std::string> Arguments) {
  WordList Words = {"-x",
                    Facts.Cplusplus      ? Facts.Preprocessed ? "c++-cpp-output" : "c++"
                    : Facts.Preprocessed ? "cpp-output"
                                         : "c",
                    languageStandard(Facts)};
  if (Facts.Cplusplus) {
    Words.push_back("-fdeprecated-macro");
    if (Facts.defined("__EXCEPTIONS"))
      Words.insert(Words.end(), {"-fexceptions", "-fcxx-exceptions"});
    if (!Facts.defined("__GXX_RTTI"))
      Words.push_back("-fno-rtti");
  } else if (Facts.defined("__GNUC_GNU_INLINE__"))
    Words.push_back("-fgnu89-inline");
  if (Facts.defined("__CHAR_UNSIGNED__"))
    Words.push_back("-fno-signed-char");
  if (Facts.defined("_OPENMP"))
    Words.push_back("-fopenmp");
  for (const std::string &A : Arguments)
    if (A == "-fopenmp-simd" || A == "-fms-extensions" || A == "-fshort-enums" ||
        A == "-fshort-wchar" || A == "-fno-char8_t" || A == "-fchar8_t" ||
        A.rfind("-ftemplate-depth=", 0) == 0)
      Words.push_back(A);
  return Words;
}

std::vector<std::string> frontendArguments(const CompilerFacts &Facts,
                                           llvm::ArrayRef<std::string> Arguments,
                                           const std::string &File) {
  WordList Words = {"-triple", targetTriple(Facts), "-fsyntax-only"};
  auto add = [&](const WordList &More) { Words.insert(Words.end(), More.begin(), More.end()); };
  add(languageWords(Facts, Arguments));
  add({"-undef", "-Wno-everything", "-ferror-limit", "0", "-fno-spell-checking",
       "-fgnuc-version=12.2.0", "-resource-dir", SIS_CLANG_RESOURCES});
  for (const std::string &Dir : Facts.UserDirs)
    add({"-I", Dir});
  // Clang's own headers take the place of the compiler's. Those of C++ come before.
  for (size_t I = 0; I <= Facts.SystemDirs.size(); ++I) {
    if (I == Facts.BeforeBuiltin)
      add({"-internal-isystem", SIS_CLANG_RESOURCES "/include"});
    if (I < Facts.SystemDirs.size())
      add({"-internal-isystem", Facts.SystemDirs[I]});
  }
  add({"-internal-isystem", "/sis-compiler-headers"});
  add(Facts.IncludeOptions);
  // GCC has no limit for nested brackets. If clang is the compiler, the last limit that the user
  // gives counts.
  if (!Facts.defined("__clang__"))
    add({"-fbracket-depth", "1000000"});
  for (StringRef A : Arguments)
    if (A.consume_front("-fbracket-depth="))
      add({"-fbracket-depth", A.str()});
  if (std::string Epoch = sourceDateEpoch(); !Epoch.empty())
    add({"-source-date-epoch", Epoch});
  if (!Facts.Directory.empty())
    add({"-working-directory", Facts.Directory});
  add({File});
  return Words;
}

std::string frontendPredefines(const CompilerFacts &Facts) {
  return Facts.Preprocessed ? ""
                            : Facts.Predefines + "#define __SISC__ 1\n#define SIS__DIRECTIVES 1\n";
}

} // namespace sis
