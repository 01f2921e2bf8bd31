// SPDX-License-Identifier: BSD-3-Clause
// operators.cc - see operators.h. The preprocessor calls it, in the thread that calls sis_ast_open.
//
// Clang has these operators built in, with its own values. So each operator is replaced by a macro:
//
//     #define __has_builtin(...) sis__ask___has_builtin(__VA_ARGS__)
//     #define sis__ask___has_builtin(...) sis__answer
//
// Its one idea: when the inner macro is expanded, sis__answer is redefined as the number that the
// real compiler gives for these tokens. There are two macros because GCC expands macros in the
// operand. Clang expands none, except for __has_include. So if the real compiler is clang, the
// first macro of each other operator gives sis__answer directly. The name of a header is never
// expanded.
//
// Clang's own headers rely on clang's values: while one of them is read, the built-in operators are
// restored.
#include "clang/parse/operators.h"

#include "clang/Lex/MacroInfo.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include <set>
#include <utility>

using namespace clang;
using llvm::StringRef;

namespace sis {

static const char Inner[] = "sis__ask_", Value[] = "sis__answer";

std::string operatorMacros(const CompilerFacts &Facts) {
  std::string Text = std::string("#define ") + Value + " 0\n";
  bool Expands = !Facts.defined("__clang__");
  for (const char *Name : Answers::operators()) {
    bool Has = Facts.OperatorValues.hasOperator(Name);
    // Clang's own value is used for operators that depend on the directory in which the including
    // file was found.
    if (Has && (StringRef(Name) == "__has_include_next" || StringRef(Name) == "__has_embed"))
      continue;
    Text += std::string("#undef ") + Name + "\n";
    if (!Has)
      continue;
    Text += std::string("#define ") + Name + "(...) " + Inner + Name + "(__VA_ARGS__)\n";
    Text += std::string("#define ") + Inner + Name + "(...) " + Value + "\n";
    if (!Expands && StringRef(Name) != "__has_include")
      Text += std::string("#undef ") + Name + "\n#define " + Name + "(...) " + Value + "\n";
  }
  return Text;
}

Operators::Operators(Preprocessor &PP, CompilerFacts &Facts)
    : PP(PP), SM(PP.getSourceManager()), Facts(Facts) {
  for (const char *Name : Answers::operators())
    Swapped.push_back({PP.getIdentifierInfo(Name), PP.getMacroInfo(PP.getIdentifierInfo(Name))});
}

/// Exchanges the built-in operators with the macros.
void Operators::swap(SourceLocation At) {
  for (auto &[Name, Other] : Swapped) {
    MacroInfo *Today = PP.getMacroInfo(Name);
    if (Other)
      PP.appendDefMacroDirective(Name, Other, At);
    else if (Today)
      PP.appendMacroDirective(Name, new (Memory) UndefMacroDirective(At));
    Other = Today;
  }
}

void Operators::LexedFileChanged(FileID File, LexedFileChangeReason, SrcMgr::CharacteristicKind,
                                 FileID, SourceLocation At) {
  auto Entry = SM.getFileEntryRefForID(File);
  bool OfClang = Entry && Entry->getName().starts_with(SIS_CLANG_RESOURCES);
  if (OfClang != InClang)
    swap(At);
  InClang = OfClang;
}

/// The arguments as they are written. Space between two tokens counts in the name of a header.
std::string Operators::textOf(const MacroArgs &Arguments) const {
  std::string Text;
  for (const Token *T = Arguments.getUnexpArgument(0); T->isNot(tok::eof); ++T) {
    if (!Text.empty() && T->hasLeadingSpace())
      Text += ' ';
    Text += PP.getSpelling(*T);
  }
  return Text;
}

/// Redefines sis__answer as this number.
void Operators::define(StringRef Number, SourceLocation Use) {
  Token T;
  T.startToken();
  T.setKind(tok::numeric_constant);
  PP.CreateString(Number, T, Use, Use);
  MacroInfo *Info = PP.AllocateMacroInfo(Use);
  Info->setTokens({T}, Memory);
  PP.appendDefMacroDirective(PP.getIdentifierInfo(Value), Info, Use);
}

/// The operands of all uses of names with `has_` in a file. Such names are those of the operators,
/// and of macros that pass their operand on to an operator.
static std::set<std::string> wordsAskedIn(StringRef Text) {
  std::set<std::string> Words;
  auto IsWord = [](char C) { return llvm::isAlnum(C) || C == '_' || C == ':'; };
  for (size_t At = 0; (At = Text.find_insensitive("has_", At)) != StringRef::npos; At += 4) {
    StringRef Rest = Text.substr(At).drop_while(IsWord).ltrim(" \t");
    if (!Rest.consume_front("("))
      continue;
    StringRef Word = Rest.ltrim(" \t").take_while(IsWord);
    if (!Word.empty() && !llvm::isDigit(Word.front()) && !Word.contains(':'))
      Words.insert(Word.str());
  }
  return Words;
}

/// Whether the macro's expansion is sis__answer. A program may have defined the operator itself.
static bool givesAnswer(const MacroInfo *Info) {
  const IdentifierInfo *Name = Info && Info->getNumTokens() == 1
                                   ? Info->getReplacementToken(0).getIdentifierInfo()
                                   : nullptr;
  return Name && Name->getName() == Value;
}

/// Collects all questions that the file may ask, so that the compiler runs once for the file.
void Operators::collectQuestions(SourceLocation Use, std::vector<std::string> &Questions) const {
  bool Invalid = false;
  StringRef Text = SM.getBufferData(SM.getFileID(SM.getExpansionLoc(Use)), &Invalid);
  if (Invalid)
    return;
  for (const std::string &Word : wordsAskedIn(Text))
    for (const char *Name : {"__has_builtin", "__has_attribute", "__has_c_attribute",
                             "__has_feature", "__has_extension"})
      if (Facts.OperatorValues.hasOperator(Name))
        Questions.push_back(std::string(Name) + "(" + Word + ")");
}

std::string Operators::answer(const std::string &Question, SourceLocation Use) {
  if (!Facts.OperatorValues.find(Question)) {
    std::vector<std::string> Questions = {Question};
    collectQuestions(Use, Questions);
    Facts.ask(Questions);
  }
  const std::string *Found = Facts.OperatorValues.find(Question);
  return Found ? *Found : "0";
}

/// Whether an #include of that name would find a file. Clang knows this, except for the compiler's
/// own headers.
std::string Operators::answerInclude(StringRef Operand, SourceLocation Use) {
  bool Angled = Operand.starts_with("<");
  StringRef Name = Operand.drop_front().drop_back();
  OptionalFileEntryRef File =
      PP.LookupFile(Use, Name, Angled, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                    nullptr, nullptr, false, /*OpenFile=*/false);
  if (File && !File->getName().starts_with(SIS_CLANG_RESOURCES))
    return "1";
  std::vector<std::string> Directories = Facts.SystemDirs;
  Directories.insert(Directories.end(), {Facts.BuiltinDir, Facts.FixedDir});
  for (const std::string &Directory : Directories)
    if (!Directory.empty() && llvm::sys::fs::exists(Directory + "/" + Name))
      return "1";
  return "0";
}

void Operators::MacroExpands(const Token &Name, const MacroDefinition &Macro, SourceRange Range,
                             const MacroArgs *Arguments) {
  StringRef Word = Name.getIdentifierInfo() ? Name.getIdentifierInfo()->getName() : "";
  bool IsInner = Word.consume_front(Inner);
  if (!Arguments || !Word.starts_with("__") || !llvm::is_contained(Answers::operators(), Word))
    return;
  if (IsInner && std::exchange(Answered, false))
    return;
  std::string Operand = textOf(*Arguments);
  bool IsInclude = Word == "__has_include";
  bool IsHeader = IsInclude && Operand.size() > 1 && (Operand[0] == '<' || Operand[0] == '"');
  SourceLocation Use = Range.getBegin();
  if (IsHeader) {
    define(answerInclude(Operand, Use), Use);
    Answered = !IsInner;
  } else if (givesAnswer(Macro.getMacroInfo())) {
    define(answer(Word.str() + "(" + Operand + ")", Use), Use);
  }
}

} // namespace sis
