// SPDX-License-Identifier: BSD-3-Clause
// compiler.cc - asks the real compiler for its include directories, its predefined macros and its
// answers to __has_builtin(x) and the like (`$CC flags -E -v -dD -x c -`), and turns them into
// arguments for clang's parser. One run of the compiler serves most units. Runs in the thread that
// opens the unit. Its one idea: all that an #if can test comes from the compiler itself, so both
// take the same arms.
#include "parse/compiler.h"

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

/// A nameless file in memory that holds the text, to be read from its begin. -1: not possible.
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

/// Runs a command that reads Input, with both outputs kept; -1 when it cannot be started, else its
/// exit status.
static int runCommand(llvm::ArrayRef<std::string> Words, const std::string &Directory,
                      StringRef Input, std::string &Out, std::string &Err) {
  std::vector<char *> Argv;
  for (const std::string &Word : Words)
    Argv.push_back(const_cast<char *>(Word.c_str()));
  Argv.push_back(nullptr);
  int InFile = fileOf(Input);
  int OutFile = memfd_create("sis-out", MFD_CLOEXEC),
      ErrFile = memfd_create("sis-err", MFD_CLOEXEC);
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  if (!Directory.empty())
    posix_spawn_file_actions_addchdir_np(&Actions, Directory.c_str());
  posix_spawn_file_actions_adddup2(&Actions, InFile, 0);
  posix_spawn_file_actions_adddup2(&Actions, OutFile, 1);
  posix_spawn_file_actions_adddup2(&Actions, ErrFile, 2);
  std::vector<char *> Environment; // the labels we look for are English
  for (char **E = environ; *E; ++E)
    if (!StringRef(*E).starts_with("LC_ALL=") && !StringRef(*E).starts_with("LANGUAGE="))
      Environment.push_back(*E);
  static char Locale[] = "LC_ALL=C";
  Environment.push_back(Locale);
  Environment.push_back(nullptr);
  pid_t Child;
  int Failure =
      InFile < 0 || OutFile < 0 || ErrFile < 0
          ? errno
          : posix_spawnp(&Child, Argv[0], &Actions, nullptr, Argv.data(), Environment.data());
  posix_spawn_file_actions_destroy(&Actions);
  int Status = -1;
  if (!Failure) {
    while (waitpid(Child, &Status, 0) < 0 && errno == EINTR)
      ;
    Out = readWhole(OutFile);
    Err = readWhole(ErrFile);
    Status = WIFEXITED(Status) ? WEXITSTATUS(Status) : 128;
  } else {
    Err = strerror(Failure);
  }
  close(InFile);
  close(OutFile);
  close(ErrFile);
  return Status;
}

/// Splits off -include and -imacros: their macros must not count as predefined.
static std::vector<std::string> queryWords(const std::string &Compiler,
                                           llvm::ArrayRef<std::string> Arguments,
                                           CompilerFacts &Facts) {
  std::vector<std::string> Words = {Compiler};
  for (size_t I = 0; I < Arguments.size(); ++I) {
    StringRef A = Arguments[I];
    if ((A == "-include" || A == "-imacros") && I + 1 < Arguments.size()) {
      Facts.IncludeOptions.push_back(A.str());
      Facts.IncludeOptions.push_back(Arguments[++I]);
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
  for (const char *Word : {"-E", "-v", "-dD", "-w", "-x", "c", "-"})
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
      Facts.FixedDir = Line.str(); // fixed for that compiler only
    else if (Facts.BuiltinDir.empty() && llvm::sys::fs::exists(Line + "/stdarg.h") &&
             llvm::sys::fs::exists(Line + "/stddef.h"))
      Facts.BuiltinDir = Line.str();
    else
      Facts.SystemDirs.push_back(Line.str());
  }
}

/// The name that a line `#define NAME ...` or `#undef NAME` is about.
static StringRef nameIn(StringRef Line) {
  return Line.drop_front(Line.find(' ')).trim().take_while([](char C) {
    return llvm::isAlnum(C) || C == '_' || C == '$';
  });
}

/// The macros that are left at the end, each in a line of its own. With -v, MPI wrappers print a
/// line of their own to the same stream.
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
  Why = "'" + Compiler + "' does not tell its include directories (-E -v -dD failed)";
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

static std::string languageStandard(const CompilerFacts &Facts) {
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

/// What __DATE__ and __TIME__ are instead of now, for a build that is to be repeated; empty:
/// nothing.
static std::string sourceDateEpoch() {
  const char *Value = getenv("SOURCE_DATE_EPOCH");
  unsigned long long Seconds;
  return Value && !StringRef(Value).getAsInteger(10, Seconds) && Seconds < 253402300800
             ? Value
             : ""; // year 9999
}

std::vector<std::string> frontendArguments(const CompilerFacts &Facts,
                                           llvm::ArrayRef<std::string> Arguments,
                                           const std::string &File) {
  std::vector<std::string> Words = {"-triple",
                                    targetTriple(Facts),
                                    "-fsyntax-only",
                                    "-x",
                                    Facts.Preprocessed ? "cpp-output" : "c",
                                    languageStandard(Facts),
                                    "-undef",
                                    "-Wno-everything",
                                    "-ferror-limit",
                                    "0",
                                    "-fno-spell-checking",
                                    "-fgnuc-version=12.2.0",
                                    "-resource-dir",
                                    SIS_CLANG_RESOURCES};
  auto add = [&](StringRef A) { Words.push_back(A.str()); };
  if (Facts.defined("__GNUC_GNU_INLINE__"))
    add("-fgnu89-inline");
  if (Facts.defined("__CHAR_UNSIGNED__"))
    add("-fno-signed-char");
  if (Facts.defined("_OPENMP"))
    add("-fopenmp");
  for (const std::string &A : Arguments)
    if (A == "-fopenmp-simd" || A == "-fms-extensions" || A == "-fshort-enums" ||
        A == "-fshort-wchar")
      add(A);
  for (const std::string &Dir : Facts.UserDirs)
    add("-I"), add(Dir);
  add("-internal-isystem"), add(SIS_CLANG_RESOURCES "/include");
  for (const std::string &Dir : Facts.SystemDirs)
    add("-internal-isystem"), add(Dir);
  add("-internal-isystem"), add("/sis-compiler-headers");
  for (const std::string &A : Facts.IncludeOptions)
    add(A);
  if (!Facts.defined("__clang__"))
    add("-fbracket-depth"), add("1000000"); // GCC has no limit
  for (StringRef A : Arguments)
    if (A.consume_front("-fbracket-depth="))
      add("-fbracket-depth"), add(A);
  if (std::string Epoch = sourceDateEpoch(); !Epoch.empty())
    add("-source-date-epoch"), add(Epoch);
  if (!Facts.Directory.empty())
    add("-working-directory"), add(Facts.Directory);
  add(File);
  return Words;
}

std::string frontendPredefines(const CompilerFacts &Facts) {
  return Facts.Preprocessed ? ""
                            : Facts.Predefines + "#define __SISC__ 1\n#define SIS__DIRECTIVES 1\n";
}

} // namespace sis
