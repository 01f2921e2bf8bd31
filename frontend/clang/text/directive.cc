// SPDX-License-Identifier: BSD-3-Clause
// directive.cc - see directive.h. The preprocessor calls it, in the thread that calls sis_ast_open.
// Its one idea: only the form is checked. Words are kept as written; select.c of instrument/
// interprets them.
#include "clang/text/directive.h"

#include "clang/Basic/CharInfo.h"
#include "clang/Lex/Pragma.h"

#include <algorithm>

using namespace clang;
using llvm::StringRef;

namespace sis {

namespace {

/// Reads the words of one directive: identifiers and punctuation, as written.
class WordReader {
public:
  WordReader(Preprocessor &PP) : PP(PP) {
    for (PP.LexUnexpandedToken(Tok); Tok.isNot(tok::eod); PP.LexUnexpandedToken(Tok))
      Tokens.push_back(Tok);
    End = Tok.getLocation();
  }
  bool done() const { return At == Tokens.size(); }
  bool isName() const { return !done() && Tokens[At].getIdentifierInfo(); }
  std::string text() const { return done() ? "" : PP.getSpelling(Tokens[At]); }
  bool is(StringRef Word) const { return !done() && StringRef(text()).equals_insensitive(Word); }
  bool isKeyword() const { return is("pmetric") || is("if") || is("begin"); }
  bool take(StringRef Word) {
    bool Found = is(Word);
    At += Found;
    return Found;
  }
  /// Whether the last word is Word, or a similar word.
  bool lastIsLike(const char *Word) const {
    return !Tokens.empty() && isLike(PP.getSpelling(Tokens.back()), Word);
  }
  static bool isLike(StringRef Text, const char *Word) {
    sis_suggestion Best = {};
    sis_suggest(&Best, Word, Text.data(), Text.size());
    return Best.name;
  }
  bool isKeywordOfC() const {
    return isName() && Tokens[At].getIdentifierInfo()->isKeyword(PP.getLangOpts());
  }
  /// The location of the next word or, if there is none, of the directive's end.
  SourceLocation location() const { return done() ? End : Tokens[At].getLocation(); }
  std::string next() {
    std::string Text = text();
    ++At;
    return Text;
  }
  /// Called after a `(`. Sets Text to the text up to the matching `)`. Returns false if there is no
  /// `)`. Names gets the names of variables, functions and types, if the text is an expression.
  /// Names in macros are not found.
  bool parenthesized(std::string &Text, std::vector<std::string> *Names = nullptr) {
    for (unsigned Depth = 1; !done(); ++At) {
      if (Names && isVariable())
        Names->push_back(text());
      if (is("("))
        ++Depth;
      if (is(")") && --Depth == 0)
        return ++At, true;
      if (Tokens[At].hasLeadingSpace() && !Text.empty())
        Text += ' ';
      Text += text();
    }
    return false;
  }
  SourceLocation End;

private:
  bool isVariable() const {
    bool Plain =
        Tokens[At].is(tok::identifier) && !PP.isMacroDefined(Tokens[At].getIdentifierInfo());
    bool Part = Tokens[At - 1].isOneOf(tok::period, tok::arrow, tok::kw_struct, tok::kw_union,
                                       tok::kw_enum);
    return Plain && !Part;
  }
  Preprocessor &PP;
  Token Tok;
  std::vector<Token> Tokens;
  size_t At = 0;
};

class Handler : public PragmaHandler {
public:
  Handler(StringRef Name, sis_ast &Ast, const FlatText &Flat, Recorder &Seen, Reporter &Report)
      : PragmaHandler(Name), Ast(Ast), Flat(Flat), Seen(Seen), Report(Report) {}

  void HandlePragma(Preprocessor &PP, PragmaIntroducer Introducer, Token &) override {
    WordReader Words(PP);
    sis_ast_position Where = Flat.position(Introducer.Loc);
    if (!Seen.inUserFile()) {
      Report(SIS_AST_WARNING, Where,
             "directive ignored: it is in a header of the system, or of -include");
      return;
    }
    Directive D;
    D.Public.kind = SIS_AST_CR_GLOBAL; // until the kind is known
    D.Public.position = Where;
    D.Public.name = D.Public.condition = D.Public.function = "";
    D.Public.region = D.Public.match = SIS_AST_NONE;
    D.Public.name_position = Where;
    OfMacro = Introducer.Kind == PIK__Pragma;
    Seen.directive(Introducer.Loc, Words.End, Introducer.Kind == PIK__Pragma,
                   Ast.Directives.size());
    std::string Wrong = parse(D, Words);
    if (Wrong.empty() && !Words.done())
      Wrong = unexpected(Words.text());
    if (!Wrong.empty())
      Report(SIS_AST_ERROR, Blamed ? *Blamed : position(D, Words), Wrong);
    Blamed.reset();
    Ast.Directives.push_back(std::move(D));
  }

private:
  std::string parse(Directive &D, WordReader &Words);
  std::string parseRegion(Directive &D, WordReader &Words);
  std::string parseItem(Directive &D, WordReader &Words, const char *After);
  std::string parseName(Directive &D, WordReader &Words);
  std::string parseMetric(Directive &D, WordReader &Words);
  std::string parseBudget(Directive &D, WordReader &Words);
  static std::string unexpected(const std::string &Word);
  void warnOfKeyword(const Directive &D, const std::string &Word);
  /// The position of the next word. For a _Pragma it is the position of the directive, because the
  /// words are not in the file.
  sis_ast_position position(const Directive &D, const WordReader &Words) const {
    return OfMacro ? D.Public.position : Flat.position(Words.location());
  }

  sis_ast &Ast;
  const FlatText &Flat;
  Recorder &Seen;
  Reporter &Report;
  bool OfMacro = false;                   // the directive is a _Pragma
  std::optional<sis_ast_position> Blamed; // the word that an error is about; none: the next word
};

} // namespace

std::string Handler::unexpected(const std::string &Word) {
  std::string Text = "unexpected '" + Word + "' in directive";
  for (const char *Known : {"begin", "pmetric", "redistribute"})
    if (WordReader::isLike(Word, Known) && !StringRef(Word).equals_insensitive(Known))
      return Text + "; did you mean '" + Known + "'?";
  return Text;
}

/// Reads a directive. Returns the error, or "".
std::string Handler::parse(Directive &D, WordReader &Words) {
  if (Words.take("cr") || Words.take("code_region"))
    return parseRegion(D, Words);
  if (Words.take("end")) {
    D.Public.kind = SIS_AST_CR_END;
    if (!Words.take("cr") && !Words.take("code_region"))
      return "expected 'cr' after 'end'";
    if (Words.isName())
      D.Public.name = Ast.keep(Words.next());
  } else if (Words.take("measure")) {
    if (Words.take("enable"))
      D.Public.kind = SIS_AST_MEASURE_ON;
    else if (Words.take("disable"))
      D.Public.kind = SIS_AST_MEASURE_OFF;
    else if (Words.take("budget"))
      return parseBudget(D, Words);
    else
      return "expected 'enable', 'disable' or 'budget' after 'measure'";
  } else if (Words.take("trace")) {
    if (Words.take("start"))
      D.Public.kind = SIS_AST_TRACE_START;
    else if (Words.take("stop"))
      D.Public.kind = SIS_AST_TRACE_STOP;
    else
      return "expected 'start' or 'stop' after 'trace'";
  } else if (Words.take("blame")) {
    D.Public.kind = SIS_AST_BLAME_POINT;
  } else {
    std::string Expected = ": expected 'cr', 'end cr', 'measure', 'trace' or 'blame'";
    return (Words.done() ? "directive is empty" : "unknown directive '" + Words.text() + "'") +
           Expected;
  }
  return "";
}

/// Reads what follows `budget`: `(2%)`, `(2)` with the same meaning, or `(off)`.
std::string Handler::parseBudget(Directive &D, WordReader &Words) {
  D.Public.kind = SIS_AST_BUDGET;
  const char *Expected = "expected '(PERCENT%)' from 0.1% to 100%, or '(off)', after 'budget'";
  std::string Text;
  double Percent = 0;
  if (!Words.take("(") || !Words.parenthesized(Text))
    return Expected;
  StringRef Value = StringRef(Text).rtrim('%').rtrim();
  bool Off = Value.equals_insensitive("off") && Value == Text;
  if (!Off && (Value.getAsDouble(Percent) || !(Percent >= 0.1 && Percent <= 100)))
    return Expected;
  D.Public.condition = Ast.keep(Off ? std::string("0") : Value.str());
  return "";
}

/// Warns of `cr for begin`: it probably means a loop, and not a region named "for".
void Handler::warnOfKeyword(const Directive &D, const std::string &Word) {
  std::string Text = "the region is named '" + Word + "', like a keyword of C";
  std::string Mnemonic = "CR_" + StringRef(Word).upper();
  if (sis_region_by_name(Mnemonic.data(), Mnemonic.size()))
    Text += "; did you mean '" + Mnemonic + "'?";
  Report(SIS_AST_WARNING, D.Public.name_position, Text);
}

std::string Handler::parseName(Directive &D, WordReader &Words) {
  if (*D.Public.name)
    return std::string("two names, '") + D.Public.name + "' and '" + Words.text() +
           "', for one region";
  D.Public.name_position = position(D, Words);
  if (Words.isKeywordOfC())
    warnOfKeyword(D, Words.text());
  if (Words.is("redistribute"))
    Report(SIS_AST_WARNING, D.Public.name_position,
           "the region is named '" + Words.text() + "'; did you mean 'cr NAME redistribute'?");
  D.Public.name = Ast.keep(Words.next());
  return "";
}

std::string Handler::parseItem(Directive &D, WordReader &Words, const char *After) {
  std::string Expected = std::string("expected a region after '") + After + "'";
  if (Words.done())
    return Expected;
  if (isDigit(Words.text()[0]))
    return "'" + Words.text() + "' is no name: a name begins with a letter or '_'";
  if (!Words.isName() || Words.isKeyword())
    return Expected + ", not '" + Words.text() + "'";
  if (!StringRef(Words.text()).starts_with_insensitive("CR_"))
    return parseName(D, Words);
  D.ItemPositions.push_back(position(D, Words));
  D.Items.push_back(Ast.keep(Words.next()));
  return "";
}

std::string Handler::parseMetric(Directive &D, WordReader &Words) {
  if (!Words.isName() || Words.isKeyword())
    return Words.done() ? "expected a metric after 'pmetric' or ','"
                        : "expected a metric, not '" + Words.text() + "'";
  D.MetricPositions.push_back(position(D, Words));
  std::string Metric = Words.next(), Event;
  if (Words.take("(")) { // PAPI(event)
    if (!Words.parenthesized(Event))
      return "no ')' after '" + Metric + "('";
    Metric += "(" + Event + ")";
  }
  D.Metrics.push_back(Ast.keep(Metric));
  return "";
}

std::string Handler::parseRegion(Directive &D, WordReader &Words) {
  std::string Wrong;
  const char *After = "cr";
  if (!Words.done() && !Words.isKeyword())
    do
      Wrong = parseItem(D, Words, std::exchange(After, ","));
    while (Wrong.empty() && Words.take(","));
  if (Wrong.empty() && Words.is("redistribute")) {
    D.Redistributes = *D.Public.name;
    if (!D.Redistributes)
      Wrong = "'redistribute' without the name of a region before it";
    else
      Words.next();
  }
  if (Wrong.empty() && Words.take("pmetric"))
    do
      Wrong = parseMetric(D, Words);
    while (Wrong.empty() && Words.take(","));
  std::string Condition;
  if (Wrong.empty() && Words.take("if") &&
      (!Words.take("(") || !Words.parenthesized(Condition, &D.Names)))
    Wrong = "expected '(expression)' after 'if'";
  D.Public.condition = Ast.keep(Condition);
  bool Begins = Wrong.empty() && Words.take("begin");
  if (Wrong.empty() && Words.done() && !Begins && *D.Public.name) {
    Wrong = std::string("region '") + D.Public.name + "' has no 'begin'";
    Blamed = D.Public.name_position;
  }
  // The kind is set even if the directive is wrong. Otherwise its 'end cr' would give a second
  // error.
  if (Begins || Words.lastIsLike("begin"))
    D.Public.kind = SIS_AST_CR_BEGIN;
  return Wrong;
}

void handleDirectives(Preprocessor &PP, sis_ast &Ast, const FlatText &Flat, Recorder &Seen,
                      Reporter &Report) {
  for (const char *Name : {"sis", "SIS"}) // keywords are case-insensitive
    PP.AddPragmaHandler(new Handler(Name, Ast, Flat, Seen, Report)); // the preprocessor owns it
}

bool isAlone(sis_ast_directive_kind Kind) {
  return Kind == SIS_AST_CR_GLOBAL || Kind == SIS_AST_TRACE_START || Kind == SIS_AST_TRACE_STOP ||
         Kind == SIS_AST_BUDGET || Kind == SIS_AST_BLAME_POINT;
}

namespace {

/// The directives that have begun a pair whose end was not read yet.
class OpenDirectives {
public:
  explicit OpenDirectives(const sis_ast &Ast) : Ast(Ast) {}
  bool empty() const { return All.empty(); }
  void add(uint32_t Number) {
    All.insert(Number);
    ByName[nameOf(Number)].push_back(Number);
  }
  /// The last open directive, or the last one with a given name; nothing if there is none.
  std::optional<uint32_t> last() const {
    return empty() ? std::nullopt : std::optional(*All.rbegin());
  }
  std::optional<uint32_t> last(const char *Name) const {
    auto Found = ByName.find(Name);
    return Found == ByName.end() || Found->second.empty() ? std::nullopt
                                                          : std::optional(Found->second.back());
  }
  /// Removes a result of last(), which is always the last one of its name.
  void remove(uint32_t Number) {
    All.erase(Number);
    ByName[nameOf(Number)].pop_back();
  }
  const std::set<uint32_t> &all() const { return All; }

private:
  const char *nameOf(uint32_t Number) const { return Ast.Directives[Number].Public.name; }
  const sis_ast &Ast;
  std::set<uint32_t> All;
  llvm::StringMap<std::vector<uint32_t>> ByName;
};

} // namespace

/// Connects directive End with the directive that began the pair.
static void matchEnd(sis_ast &Ast, OpenDirectives &Open, uint32_t End, Reporter &Report) {
  struct sis_ast_directive &D = Ast.Directives[End].Public;
  if (Open.empty())
    return Report(SIS_AST_ERROR, D.position,
                  D.kind == SIS_AST_CR_END
                      ? "'end cr' without a 'cr ... begin' before it"
                      : "'measure enable' without a 'measure disable' before it");
  std::optional<uint32_t> Match = *D.name ? Open.last(D.name) : Open.last();
  if (!Match) {
    Match = Open.last();
    struct sis_ast_directive &Other = Ast.Directives[*Match].Public;
    Report(SIS_AST_ERROR, D.position,
           "'end cr " + std::string(D.name) + "' does not match 'cr " + Other.name +
               " begin' at line " + std::to_string(Other.position.line));
  }
  D.match = *Match;
  Ast.Directives[*Match].Public.match = End;
  Open.remove(*Match);
}

void matchDirectives(sis_ast &Ast, Reporter &Report) {
  OpenDirectives Begins(Ast), Disables(Ast);
  for (uint32_t I = 0; I < Ast.Directives.size(); ++I) {
    sis_ast_directive_kind Kind = Ast.Directives[I].Public.kind;
    bool Opens = Kind == SIS_AST_CR_BEGIN || Kind == SIS_AST_MEASURE_OFF;
    bool Region = Kind == SIS_AST_CR_BEGIN || Kind == SIS_AST_CR_END;
    OpenDirectives &Open = Region ? Begins : Disables;
    if (Opens)
      Open.add(I);
    else if (!isAlone(Kind))
      matchEnd(Ast, Open, I, Report);
  }
  for (uint32_t I : Begins.all())
    Report(SIS_AST_ERROR, Ast.Directives[I].Public.position,
           "'cr ... begin' without an 'end cr' after it");
  for (uint32_t I : Disables.all())
    Report(SIS_AST_ERROR, Ast.Directives[I].Public.position,
           "'measure disable' without a 'measure enable' after it");
}

} // namespace sis
