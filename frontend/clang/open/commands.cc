// SPDX-License-Identifier: BSD-3-Clause
// commands.cc - reads compile_commands.json. Any thread. Its one idea: an entry is a command line
// like that of sisc, but for another directory. Only the words that name the input and the outputs
// are removed.
#include "clang/open/commands.h"

#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace sis {

static std::string absolute(StringRef Path, StringRef Directory) {
  llvm::SmallString<256> Whole(Path);
  if (Directory.empty())
    (void)llvm::sys::fs::make_absolute(Whole);
  else
    llvm::sys::fs::make_absolute(Directory, Whole);
  llvm::sys::path::remove_dots(Whole, true);
  return std::string(Whole);
}

/// Splits the command's words into compiler, input and options. The name of the input stays as the
/// command has it.
static void splitCommand(const clang::tooling::CompileCommand &Entry, Command &Result) {
  const std::vector<std::string> &Words = Entry.CommandLine;
  std::string Wanted = absolute(Entry.Filename, Entry.Directory);
  size_t I = 0;
  while (I + 1 < Words.size() && llvm::StringSwitch<bool>(llvm::sys::path::filename(Words[I]))
                                     .Cases("ccache", "sccache", "distcc", "icecc", true)
                                     .Default(false))
    ++I;
  if (I < Words.size())
    Result.Compiler = Words[I++];
  for (; I < Words.size(); ++I) {
    StringRef Word = Words[I];
    if (Word == "-o")
      ++I;
    else if (Word == "-c" || Word == "-S" || Word == "--" || Word.starts_with("-o") ||
             Word.starts_with("--sis-"))
      continue;
    else if (!Word.starts_with("-") && absolute(Word, Entry.Directory) == Wanted)
      Result.File = Words[I];
    else
      Result.Words.push_back(Words[I]);
  }
}

bool findCommand(const std::string &Database, const std::string &File, Command &Result,
                 std::string &Why) {
  auto Text = llvm::MemoryBuffer::getFile(Database);
  if (!Text) {
    Why = "cannot open '" + Database + "': " + Text.getError().message();
    return false;
  }
  std::unique_ptr<clang::tooling::JSONCompilationDatabase> All;
  if (llvm::Expected<llvm::json::Value> Json =
          llvm::json::parse((*Text)->getBuffer())) // its errors are quiet
    All = clang::tooling::JSONCompilationDatabase::loadFromBuffer(
        (*Text)->getBuffer(), Why, clang::tooling::JSONCommandLineSyntax::Gnu);
  else
    Why = llvm::toString(Json.takeError());
  if (!All) {
    Why = "cannot read '" + Database + "': " + Why;
    return false;
  }
  std::vector<clang::tooling::CompileCommand> Entries = All->getCompileCommands(absolute(File, ""));
  if (Entries.empty()) {
    Why = "'" + Database + "' has no command that compiles '" + File + "'";
    return false;
  }
  Result.Directory =
      absolute(Entries[0].Directory, llvm::sys::path::parent_path(absolute(Database, "")));
  Result.File = Entries[0].Filename;
  splitCommand(Entries[0], Result);
  return true;
}

} // namespace sis
