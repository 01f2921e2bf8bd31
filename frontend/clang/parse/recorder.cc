// SPDX-License-Identifier: BSD-3-Clause
// recorder.cc - see recorder.h. The preprocessor calls it, in the thread that calls sis_ast_open.
// Its one idea: this file only records, in order. layout.cc computes the positions in the flat text
// at the end.
#include "clang/parse/recorder.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/MacroInfo.h"

using namespace clang;
using llvm::StringRef;

namespace sis {

SourceLocation writtenFrom(SourceLocation Loc, const SourceManager &SM) {
  return SM.isMacroArgExpansion(Loc) ? SM.getImmediateSpellingLoc(Loc)
                                     : SM.getImmediateExpansionRange(Loc).getBegin();
}

/// Whether the preprocessor would expand the token again if it were written out as text.
static SeenToken::Repeat repeats(const Token &Token, Preprocessor &PP) {
  const IdentifierInfo *Name = Token.getIdentifierInfo();
  const MacroInfo *Macro = Name && Name->hasMacroDefinition() ? PP.getMacroInfo(Name) : nullptr;
  if (!Macro)
    return SeenToken::Never;
  if (Macro->isFunctionLike())
    return SeenToken::BeforeParenthesis;
  bool Itself =
      Macro->getNumTokens() == 1 && Macro->getReplacementToken(0).getIdentifierInfo() == Name;
  return Itself ? SeenToken::Never : SeenToken::Always; // #define stdin stdin
}

void Recorder::token(const Token &Token) {
  SourceLocation Loc = Token.getLocation();
  if (!inUserFile() || Loc.isInvalid())
    return;
  const IdentifierInfo *Name = Token.isAnnotation() ? nullptr : Token.getIdentifierInfo();
  SeenToken T = {Loc, 0, 0, Name, Token.getKind(), SeenToken::Never};
  if (Loc.isFileID()) {
    T.Length = Token.isAnnotation() ? 0 : Token.getLength();
  } else if (!Token.isAnnotation()) {
    std::string Text = PP.getSpelling(Token);
    T.Spelling = Into.Spellings.size();
    T.Length = Text.size();
    Into.Spellings += Text;
    T.Expands = repeats(Token, PP);
  }
  Into.Tokens.push_back(T);
}

SeenEvent &Recorder::event(SeenEvent::Kind What, SourceLocation Loc) {
  Into.Events.push_back(
      {What, Into.Tokens.size(), Loc, Loc, FileID(), nullptr, "", false, nullptr, 0, false});
  Pending = false;
  return Into.Events.back();
}

void Recorder::directive(SourceLocation Loc, SourceLocation End, bool Operator, size_t Number) {
  SeenEvent &E = event(SeenEvent::Directive, Loc);
  E.End = End;
  E.Operator = Operator;
  E.Number = Number;
}

/// Records that the current file, and those that include it, may not be written out.
void Recorder::forbid(const char *Why) {
  for (size_t I = 1; I < Reading.size(); ++I)
    if (Reading[I].User)
      Into.Events[Reading[I].Entered].Why = Why;
}

void Recorder::enter(FileID ID, bool System) {
  bool User = Reading.empty() ? ID == SM.getMainFileID() : inUserFile() && Pending && !System;
  if (User && Reading.empty()) {
    event(SeenEvent::Enter, SourceLocation()).File = ID;
    Into.Events.back().Name =
        SM.getFileEntryRefForID(ID) ? SM.getFileEntryRefForID(ID)->getName().str() : "";
  } else if (User) {
    Into.Events.back().What = SeenEvent::Enter;
    Into.Events.back().File = ID;
  } else if (Pending) {
    Into.Events.pop_back(); // the #include of a system header stays as it is
  }
  Pending = false;
  size_t Entered = Into.Events.empty() ? 0 : Into.Events.size() - 1;
  auto Entry = SM.getFileEntryRefForID(ID);
  Reading.push_back({ID, User, User ? Into.Events.back().Name : "",
                     Entry ? Entry->getName().str() : "", Entered});
}

void Recorder::LexedFileChanged(FileID File, LexedFileChangeReason Reason,
                                SrcMgr::CharacteristicKind Kind, FileID, SourceLocation) {
  if (Reason == LexedFileChangeReason::EnterFile)
    return enter(File, SrcMgr::isSystem(Kind));
  if (Reading.size() > 1) {
    if (inUserFile())
      event(SeenEvent::Exit, SourceLocation());
    Reading.pop_back();
  }
}

static StringRef directory(StringRef Name) { return Name.take_front(Name.rfind('/') + 1); }

/// The compiler's name of a header. If the main file is named without a directory, GCC puts no "./"
/// before the names of headers beside it.
std::string Recorder::nameOf(StringRef FileName, StringRef Found) const {
  if (!ForGCC)
    return Found.str();
  StringRef Beside = directory(Reading.back().Found);
  bool IsBeside = Found == ((Beside.empty() ? "./" : Beside) + FileName).str();
  return IsBeside ? (directory(Reading.back().Name) + FileName).str() : Found.str();
}

void Recorder::InclusionDirective(SourceLocation Hash, const Token &Word, StringRef FileName,
                                  bool Angled, CharSourceRange Range, OptionalFileEntryRef File,
                                  StringRef, StringRef, const Module *, bool,
                                  SrcMgr::CharacteristicKind Kind) {
  if (!inUserFile() || !File)
    return;
  if (Word.getIdentifierInfo() && Word.getIdentifierInfo()->getName() == "include_next")
    forbid("is in a header that uses #include_next");
  SeenEvent &E = event(SeenEvent::Skip, Hash);
  E.End = Range.getEnd();
  E.Identity = &File->getFileEntry();
  E.Quoted = !Angled;
  E.Name = Angled ? File->getName().str() : nameOf(FileName, File->getName());
  Pending = true;
}

StringRef Recorder::lineAt(SourceLocation Loc) const {
  auto [File, Offset] = SM.getDecomposedLoc(Loc);
  return SM.getBufferData(File).substr(Offset).take_until([](char C) { return C == '\n'; });
}

void Recorder::PragmaDirective(SourceLocation Loc, PragmaIntroducerKind Kind) {
  if (!inUserFile())
    return;
  StringRef Spelled = lineAt(SM.getSpellingLoc(Loc));
  Into.OtherRegisters |= (Spelled.contains("target") && !Spelled.contains("omp")) ||
                       (Kind != PIK_HashPragma && Spelled.contains('#')); // _Pragma(#x)
  if (Loc.isMacroID() || Kind != PIK_HashPragma) {
    event(SeenEvent::OtherPragma, Loc);
    return;
  }
  StringRef Line = lineAt(Loc), Words = Line.substr(Line.find("pragma"));
  if (Words.substr(6).trim().starts_with("once") && Reading.size() > 1)
    event(SeenEvent::Once, Loc).End = Loc.getLocWithOffset(Line.rtrim("\r").size());
  if (Words.contains("system_header"))
    forbid("is in a header that calls itself one of the system");
  for (const char *Word : {"ivdep", "unroll", "novector", "clang loop"}) // of GCC, clang, icc
    if (Line.contains(Word) && !Line.contains("omp")) {
      event(SeenEvent::LoopPragma, Loc);
      return;
    }
}

/// Records a use of __LINE__ if its value differs. In GCC the value of __LINE__ in an argument of a
/// macro is the line of the argument; in the macro's own text, the value is the line of the macro's
/// name. In clang it is the line where the macro's use ends.
void Recorder::line(SourceLocation Loc) {
  SourceLocation Use = Loc;
  while (Use.isMacroID())
    Use = writtenFrom(Use, SM);
  unsigned OfClang = SM.getPresumedLineNumber(SM.getExpansionRange(Loc).getEnd());
  unsigned OfGCC = SM.getPresumedLineNumber(Use);
  if (OfClang != OfGCC)
    Into.Lines.push_back({SM.getExpansionLoc(Loc), OfClang, OfGCC});
}

void Recorder::MacroExpands(const Token &Name, const MacroDefinition &, SourceRange Range,
                            const MacroArgs *) {
  if (!inUserFile() || !Name.getIdentifierInfo())
    return;
  StringRef Word = Name.getIdentifierInfo()->getName();
  static const std::pair<StringRef, Record::Builtin> Builtins[] = {
      {"__FILE__", Record::File},
      {"__LINE__", Record::Line},
      {"__DATE__", Record::Date},
      {"__TIME__", Record::Time},
      {"__TIMESTAMP__", Record::Timestamp},
      {"__COUNTER__", Record::Counter}};
  const auto *Builtin = llvm::find_if(Builtins, [&](const auto &B) { return B.first == Word; });
  if (Builtin != std::end(Builtins))
    Into.Builtins[Name.getLocation().getRawEncoding()] = Builtin->second;
  if (Word == "__COUNTER__")
    Into.Counters.push_back(SM.getExpansionLoc(Range.getBegin()));
  else if (Word == "__LINE__" && ForGCC)
    line(Name.getLocation());
  else if (Word == "__INCLUDE_LEVEL__")
    forbid("is in a header that asks how deep it is included");
}

} // namespace sis
