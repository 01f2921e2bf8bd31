// compiler.cc - asks the real compiler, once per unit, for its include directories and predefined
// macros (`$CC flags -E -v -dM /dev/null`), and turns the answer into arguments for clang's parser.
// Runs in the thread that opens the unit. Its one idea: macros come from the compiler itself, so
// both take the same arms of every #if.
#include "compiler.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cerrno>
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

/// Runs a command with both outputs kept; -1 when it cannot be started, else its exit status.
static int runCommand(llvm::ArrayRef<std::string> Words, const std::string &Directory, std::string &Out,
                      std::string &Err) {
  std::vector<char *> Argv;
  for (const std::string &Word : Words)
    Argv.push_back(const_cast<char *>(Word.c_str()));
  Argv.push_back(nullptr);
  int OutFile = memfd_create("sis-out", MFD_CLOEXEC), ErrFile = memfd_create("sis-err", MFD_CLOEXEC);
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  if (!Directory.empty())
    posix_spawn_file_actions_addchdir_np(&Actions, Directory.c_str());
  posix_spawn_file_actions_addopen(&Actions, 0, "/dev/null", 0, 0);
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
  int Failure = OutFile < 0 || ErrFile < 0
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
  close(OutFile);
  close(ErrFile);
  return Status;
}

/// Splits off -include and -imacros: their macros must not count as predefined.
static std::vector<std::string> queryWords(const std::string &Compiler,
                                           llvm::ArrayRef<std::string> Arguments, CompilerFacts &Facts) {
  std::vector<std::string> Words = {Compiler};
  for (size_t I = 0; I < Arguments.size(); ++I) {
    StringRef A = Arguments[I];
    if ((A == "-include" || A == "-imacros") && I + 1 < Arguments.size()) {
      Facts.Forced.push_back(A.str());
      Facts.Forced.push_back(Arguments[++I]);
    } else if (A == "-MF" || A == "-MT" || A == "-MQ" || A == "-o") {
      ++I; // a dependency file must not be written for /dev/null
    } else if (!A.starts_with("-M") && A != "-c" && A != "-S" && !A.starts_with("-Wp,-M") &&
               !A.starts_with("-save-temps") && !A.starts_with("-ftime-trace")) {
      Words.push_back(A.str());
    }
  }
  for (const char *Word : {"-E", "-v", "-dM", "-x", "c", "/dev/null"})
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

static void readDirectories(StringRef Log, llvm::ArrayRef<std::string> Arguments, CompilerFacts &Facts) {
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
      continue; // fixed for that compiler only
    else if (Facts.BuiltinDir.empty() && llvm::sys::fs::exists(Line + "/stdarg.h") &&
             llvm::sys::fs::exists(Line + "/stddef.h"))
      Facts.BuiltinDir = Line.str();
    else
      Facts.SystemDirs.push_back(Line.str());
  }
}

/// The definitions alone: with -v, MPI wrappers print a line of their own to the same stream.
static std::string definitionsOf(StringRef Output) {
  std::string Definitions;
  while (!Output.empty()) {
    StringRef Line;
    std::tie(Line, Output) = Output.split('\n');
    if (Line.starts_with("#define "))
      Definitions += (Line + "\n").str();
  }
  return Definitions;
}

bool queryCompiler(const std::string &Compiler, llvm::ArrayRef<std::string> Arguments,
                   CompilerFacts &Facts, std::string &Why) {
  std::string Log;
  int Status = runCommand(queryWords(Compiler, Arguments, Facts), Facts.Directory, Facts.Predefines, Log);
  if (Status < 0) {
    Why = "cannot run '" + Compiler + "': " + Log;
    return false;
  }
  Facts.Predefines = definitionsOf(Facts.Predefines);
  readDirectories(Log, Arguments, Facts);
  if (Status == 0 && !Facts.Predefines.empty() && (Facts.SystemDirs.size() || Facts.BuiltinDir.size()))
    return true;
  Why = "'" + Compiler + "' does not tell its include directories (-E -v -dM failed)";
  return false;
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

std::vector<std::string> frontendArguments(const CompilerFacts &Facts,
                                           llvm::ArrayRef<std::string> Arguments,
                                           const std::string &File) {
  std::vector<std::string> Words = {
      "-triple", targetTriple(Facts), "-fsyntax-only", "-x", "c", languageStandard(Facts), "-undef",
      "-Wno-everything", "-ferror-limit", "0", "-fno-spell-checking", "-fgnuc-version=12.2.0",
      "-resource-dir", SIS_CLANG_RESOURCES};
  auto add = [&](StringRef A) { Words.push_back(A.str()); };
  if (Facts.defined("__GNUC_GNU_INLINE__"))
    add("-fgnu89-inline");
  if (Facts.defined("__CHAR_UNSIGNED__"))
    add("-fno-signed-char");
  if (Facts.defined("_OPENMP"))
    add("-fopenmp");
  for (const std::string &A : Arguments)
    if (A == "-fopenmp-simd" || A == "-fms-extensions" || A == "-fshort-enums" || A == "-fshort-wchar")
      add(A);
  for (const std::string &Dir : Facts.UserDirs)
    add("-I"), add(Dir);
  add("-internal-isystem"), add(SIS_CLANG_RESOURCES "/include");
  for (const std::string &Dir : Facts.SystemDirs)
    add("-internal-isystem"), add(Dir);
  add("-internal-isystem"), add("/sis-compiler-headers");
  for (const std::string &A : Facts.Forced)
    add(A);
  if (!Facts.Directory.empty())
    add("-working-directory"), add(Facts.Directory);
  add(File);
  return Words;
}

std::string frontendPredefines(const CompilerFacts &Facts) {
  // What is not a macro in GCC and unknown to clang, as the deallocator that goes with a __malloc__;
  // _FORTIFY_SOURCE only swaps the bodies of library calls for built-ins that clang lacks.
  std::string Text = Facts.Predefines + "#undef _FORTIFY_SOURCE\n#define __SISC__ 1\n#define SIS__DIRECTIVES 1\n";
  if (!Facts.defined("__clang__"))
    Text += "#define _Float32 float\n#define _Float64 double\n#define _Float32x double\n"
            "#define _Float64x long double\n#define _Float128 __float128\n"
            "#define __malloc__(...) __malloc__\n";
  return Text;
}

} // namespace sis
