// SPDX-License-Identifier: BSD-3-Clause
// sis_ast.cc - the C interface, sis_ast.h. Any thread; one thread at a time uses a sis_ast. This
// file only checks and copies; parse_tu.cc and emit.cc do the work.
#include "api/sis_ast.h"

#include "emit/emit.h"
#include "clang/open/commands.h"
#include "clang/open/parse_tu.h"

#include <cstdlib>
#include <cstring>
#include <tuple>

static void setMessage(char **Message, const std::string &Text) {
  if (Message)
    *Message = strdup(Text.c_str());
}

/// Parses the file of Ast, whose File and Directory are set. On success *Out is Ast; else Ast is
/// deleted.
static sis_ast_status openTu(sis_ast *Ast, struct sis_ast **Out, const char *Compiler,
                               const std::vector<std::string> &Words,
                               const struct sis_ast_options *Options, char **Message) {
  sis::Reporter Report = {Options->report, Options->context};
  std::string Why, Flags;
  sis_ast_status Status = sis::parseTu(*Ast, Compiler, Words, Options->blame, Report, Why);
  for (const std::string &Word : Words)
    Flags += (Flags.empty() ? "" : " ") + Word;
  Ast->Tu = {Ast->File.c_str(), Ast->Directory.c_str(), Ast->keep(Compiler), Ast->keep(Flags),
             Ast->Language};
  if (Status == SIS_AST_OK) {
    *Out = Ast;
    return Status;
  }
  delete Ast;
  if (Status != SIS_AST_INVALID)
    setMessage(Message, Why);
  return Status;
}

static bool isOfThisAbi(uint32_t Abi, char **Message) {
  if (Abi != SIS_AST_ABI)
    setMessage(Message,
                "the program was compiled for another version of sis_ast.h; compile it again");
  return Abi == SIS_AST_ABI;
}

extern "C" {

enum sis_ast_status sis_ast_open_for(uint32_t Abi, struct sis_ast **Out, const char *File,
                                     const char *const *Arguments, size_t Count,
                                     const struct sis_ast_options *Options, char **Message) {
  *Out = nullptr;
  if (!isOfThisAbi(Abi, Message))
    return SIS_AST_FAILED;
  auto *Ast = new sis_ast;
  Ast->File = File;
  return openTu(Ast, Out, Options->compiler,
                  std::vector<std::string>(Arguments, Arguments + Count), Options, Message);
}

enum sis_ast_status sis_ast_open_command_for(uint32_t Abi, struct sis_ast **Out, const char *File,
                                             const char *Database,
                                             const struct sis_ast_options *Options,
                                             char **Message) {
  *Out = nullptr;
  if (!isOfThisAbi(Abi, Message))
    return SIS_AST_FAILED;
  sis::Command Found;
  std::string Why;
  if (!sis::findCommand(Database, File, Found, Why)) {
    setMessage(Message, Why);
    return SIS_AST_FAILED;
  }
  auto *Ast = new sis_ast;
  Ast->File = Found.File;
  Ast->Directory = Found.Directory;
  const char *Compiler = Options->compiler ? Options->compiler : Found.Compiler.c_str();
  return openTu(Ast, Out, Compiler, Found.Words, Options, Message);
}

const struct sis_ast_unit *sis_ast_unit(const struct sis_ast *Ast) { return &Ast->Tu; }

const char *sis_ast_compiler(const struct sis_ast *Ast) { return Ast->Compiler.c_str(); }

void sis_ast_close(struct sis_ast *Ast) { delete Ast; }

size_t sis_ast_region_count(const struct sis_ast *Ast) { return Ast->Regions.size(); }

const struct sis_ast_region *sis_ast_region(const struct sis_ast *Ast, size_t Index) {
  return &Ast->Regions[Index].Public;
}

size_t sis_ast_function_count(const struct sis_ast *Ast) { return Ast->Functions.size(); }

const struct sis_ast_function *sis_ast_function(const struct sis_ast *Ast, size_t Index) {
  return &Ast->Functions[Index].Public;
}

size_t sis_ast_function_of(const struct sis_ast *Ast, size_t Index) {
  return Ast->Regions[Index].Function;
}

size_t sis_ast_directive_count(const struct sis_ast *Ast) { return Ast->Directives.size(); }

const struct sis_ast_directive *sis_ast_directive(const struct sis_ast *Ast, size_t Index) {
  return &Ast->Directives[Index].Public;
}

bool sis_ast_inside(const struct sis_ast *Ast, size_t Inner, size_t Outer) {
  const sis::Region &I = Ast->Regions[Inner], &O = Ast->Regions[Outer];
  return Inner >= Outer && I.Function == O.Function && I.First >= O.First && I.Last <= O.Last;
}

bool sis_ast_may_have(const struct sis_ast *Ast, size_t Index, enum sis_overhead Overhead) {
  unsigned Clauses = Ast->Regions[Index].Clauses;
  return Overhead == OADD_PRIV  ? Clauses & (sis::clause::Private | sis::clause::CountPrivate)
         : Overhead == OADD_RED ? Clauses & (sis::clause::Reduce | sis::clause::CountReduce)
                                : true;
}

bool sis_ast_in_directive(const struct sis_ast *Ast, size_t Index, size_t Directive) {
  return sis::regionInDirective(*Ast, Ast->Regions[Index], Ast->Directives[Directive]);
}

size_t sis_ast_next_directive(const struct sis_ast *Ast, size_t Index, size_t From) {
  return Ast->Reaching.next(*Ast, Ast->Regions[Index], From);
}

void sis_ast_directive_regions(const struct sis_ast *Ast, size_t Directive, size_t *First,
                               size_t *End) {
  std::tie(*First, *End) = sis::regionsWithin(*Ast, Ast->Directives[Directive]);
}

void sis_ast_mark(struct sis_ast *Ast, size_t Index, uint32_t Probe) {
  Ast->Regions[Index].If.clear();
  Ast->Regions[Index].Probe = Probe == SIS_AST_NONE ? -1 : int64_t(Probe);
}

const char *sis_ast_condition(struct sis_ast *Ast, size_t Index, size_t Number) {
  sis::Region &R = Ast->Regions[Index];
  sis::Directive &D = Ast->Directives[Number];
  unsigned Function = D.Public.kind == SIS_AST_CR_BEGIN ? D.Function : R.Function;
  auto Hidden = D.ConditionObstacle.find(Function);
  if (Hidden != D.ConditionObstacle.end())
    return Hidden->second;
  if (D.Public.kind == SIS_AST_CR_GLOBAL && !Ast->DeclPoints[R.Function])
    return "nothing may be put at the beginning of the function";
  R.If.push_back(Number);
  return nullptr;
}

enum sis_ast_status sis_ast_emit(struct sis_ast *Ast, const char *Prologue, char **Text,
                                 size_t *Length, char **Message) {
  std::string Result;
  *Text = nullptr;
  if (!sis::emitTu(*Ast, Prologue, Result)) {
    setMessage(Message, Result);
    return SIS_AST_FAILED;
  }
  *Text = static_cast<char *>(malloc(Result.size() + 1));
  if (!*Text) {
    setMessage(Message, "no memory");
    return SIS_AST_FAILED;
  }
  memcpy(*Text, Result.c_str(), Result.size() + 1);
  *Length = Result.size();
  return SIS_AST_OK;
}

size_t sis_ast_inlined_count(const struct sis_ast *Ast) { return Ast->Inlined.size(); }

const char *sis_ast_inlined(const struct sis_ast *Ast, size_t Index) { return Ast->Inlined[Index]; }

size_t sis_ast_expanded_count(const struct sis_ast *Ast) { return Ast->Expanded; }
}
