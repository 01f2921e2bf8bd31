/* SPDX-License-Identifier: BSD-3-Clause */
// recorder.h - a record of preprocessing the user's files, in order: the tokens that the parser
// received, the files that were entered and left, the pragmas. layout.cc makes the flat text from
// this record.
#ifndef SIS_FRONTEND_RECORDER_H
#define SIS_FRONTEND_RECORDER_H

#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <string>
#include <vector>

namespace sis {

/// A token that the parser received. Spelling is set only for a token that comes from a macro.
struct SeenToken {
  enum Repeat : unsigned char { Never, BeforeParenthesis, Always };
  clang::SourceLocation Loc;
  unsigned Length;   // in its file, or of its spelling
  unsigned Spelling; // where it begins in Record::Spellings
  const clang::IdentifierInfo *Name;
  clang::tok::TokenKind Kind;
  Repeat Expands;    // whether the preprocessor would expand it again if it were written out
};

/// What happened between two tokens. At: the number of tokens before it.
struct SeenEvent {
  enum Kind { Enter, Exit, Skip, Once, LoopPragma, OtherPragma, Directive } What;
  size_t At;
  clang::SourceLocation Loc, End; // Enter, Skip: of the #include. Else: of the pragma
  clang::FileID File;             // Enter: the file
  const clang::FileEntry *Identity; // Enter, Skip: which file it is on disk
  std::string Name;               // Enter: what the compiler calls it
  bool Quoted;                    // Enter, Skip: "...", not <...>
  const char *Why;                // Enter: why its text may not stand where its #include stands
  size_t Number;                  // Directive: its number
  bool Operator;                  // Directive: spelled _Pragma
};

/// The location of a token before the last step of macro expansion. A token of an argument has a
/// location in the argument. For a token of the macro's own text, the location is the use of the
/// macro.
clang::SourceLocation writtenFrom(clang::SourceLocation Loc, const clang::SourceManager &SM);

/// A use of __LINE__ to which GCC gives another value than clang, because a macro's use has several
/// lines.
struct SeenLine {
  clang::SourceLocation In; // where the outermost macro is used
  unsigned OfClang, OfGCC;
};

struct Record {
  std::vector<SeenToken> Tokens;
  std::vector<SeenEvent> Events;
  std::string Spellings;
  std::vector<clang::SourceLocation> Counters; // uses of macros whose value changes with every use
  std::vector<SeenLine> Lines;
  enum Builtin { File, Line, Date, Time, Timestamp, Counter };
  llvm::DenseMap<unsigned, Builtin> Builtins; // their uses, by raw location
  bool OtherRegisters = false; // a #pragma GCC target, or a _Pragma that may be one
  /// How a use of a built-in macro is written if it is inside a macro that is written out; null: as
  /// its value.
  static const char *spelling(Builtin Use) {
    return Use == File ? "__FILE__" : Use == Date ? "__DATE__" : Use == Time ? "__TIME__" : nullptr;
  }

  llvm::StringRef spelling(const SeenToken &T) const {
    return llvm::StringRef(Spellings).substr(T.Spelling, T.Length);
  }
};

class Recorder : public clang::PPCallbacks {
public:
  /// ForGCC: the real compiler names headers as GCC does.
  Recorder(clang::Preprocessor &PP, Record &Into, bool ForGCC)
      : PP(PP), SM(PP.getSourceManager()), Into(Into), ForGCC(ForGCC) {}

  /// Whether the current file, and all files that include it, are the user's.
  bool inUserFile() const { return !Reading.empty() && Reading.back().User; }
  void token(const clang::Token &Token);
  /// Records the `#pragma sis` with this number.
  void directive(clang::SourceLocation Loc, clang::SourceLocation End, bool Operator,
                 size_t Number);

  void LexedFileChanged(clang::FileID File, LexedFileChangeReason Reason,
                        clang::SrcMgr::CharacteristicKind Kind, clang::FileID,
                        clang::SourceLocation) override;
  void InclusionDirective(clang::SourceLocation Hash, const clang::Token &Word,
                          llvm::StringRef FileName, bool Angled, clang::CharSourceRange Range,
                          clang::OptionalFileEntryRef File, llvm::StringRef, llvm::StringRef,
                          const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind Kind) override;
  void PragmaDirective(clang::SourceLocation Loc, clang::PragmaIntroducerKind Kind) override;
  void MacroExpands(const clang::Token &Name, const clang::MacroDefinition &,
                    clang::SourceRange Range, const clang::MacroArgs *) override;

private:
  struct File {
    clang::FileID ID;
    bool User;
    std::string Name;    // the compiler's name of it
    std::string Found;   // clang's name of it
    size_t Entered;      // number of its event
  };
  SeenEvent &event(SeenEvent::Kind What, clang::SourceLocation Loc);
  void enter(clang::FileID ID, bool System);
  std::string nameOf(llvm::StringRef FileName, llvm::StringRef Found) const;
  llvm::StringRef lineAt(clang::SourceLocation Loc) const;
  void forbid(const char *Why);
  void line(clang::SourceLocation Loc);

  clang::Preprocessor &PP;
  clang::SourceManager &SM;
  Record &Into;
  bool ForGCC;
  std::vector<File> Reading; // outermost first
  bool Pending = false;      // the last event is an #include whose file was not entered yet
};

} // namespace sis

#endif
