// sis_ast.cc - the C interface, sis_ast.h. Any thread; a unit belongs to one thread at a time. Only
// checks and copies: the work is in parse.cc and emit.cc.
#include "sis_ast.h"

#include "emit.h"
#include "finish.h"
#include "parse.h"

#include <cstdlib>
#include <cstring>

static void giveMessage(char **Message, const std::string &Text) {
  if (Message)
    *Message = strdup(Text.c_str());
}

extern "C" {

enum sis_ast_status sis_ast_open_for(uint32_t Abi, struct sis_ast **Out, const char *File,
                                     const char *const *Arguments, size_t Count,
                                     const struct sis_ast_options *Options, char **Message) {
  *Out = nullptr;
  if (Abi != SIS_AST_ABI) {
    giveMessage(Message, "the program was compiled for another version of sis_ast.h; compile it again");
    return SIS_AST_FAILED;
  }
  std::vector<std::string> Words(Arguments, Arguments + Count);
  sis::Reporter Report = {Options->report, Options->context};
  auto *Ast = new sis_ast;
  std::string Why;
  Ast->File = File;
  sis_ast_status Status = sis::parseUnit(*Ast, Options->compiler, Words, Report, Why);
  if (Status == SIS_AST_OK) {
    *Out = Ast;
    return Status;
  }
  delete Ast;
  *Out = nullptr;
  if (Status != SIS_AST_INVALID)
    giveMessage(Message, Why);
  return Status;
}

void sis_ast_close(struct sis_ast *Ast) { delete Ast; }

size_t sis_ast_region_count(const struct sis_ast *Ast) { return Ast->Regions.size(); }

const struct sis_ast_region *sis_ast_region(const struct sis_ast *Ast, size_t Index) {
  return &Ast->Regions[Index].Public;
}

size_t sis_ast_directive_count(const struct sis_ast *Ast) { return Ast->Directives.size(); }

const struct sis_ast_directive *sis_ast_directive(const struct sis_ast *Ast, size_t Index) {
  return &Ast->Directives[Index].Public;
}

bool sis_ast_inside(const struct sis_ast *Ast, size_t Inner, size_t Outer) {
  const sis::Region &I = Ast->Regions[Inner], &O = Ast->Regions[Outer];
  return Inner >= Outer && I.Function == O.Function && I.First >= O.First && I.Last <= O.Last;
}

bool sis_ast_in_directive(const struct sis_ast *Ast, size_t Index, size_t Directive) {
  return sis::regionInDirective(*Ast, Ast->Regions[Index], Ast->Directives[Directive]);
}

void sis_ast_mark(struct sis_ast *Ast, size_t Index, uint32_t Probe) {
  Ast->Regions[Index].Probe = Probe == SIS_AST_NONE ? -1 : int64_t(Probe);
}

enum sis_ast_status sis_ast_emit(struct sis_ast *Ast, const char *Prologue, char **Text, size_t *Length,
                                 char **Message) {
  std::string Result;
  *Text = nullptr;
  if (!sis::emitUnit(*Ast, Prologue, Result)) {
    giveMessage(Message, Result);
    return SIS_AST_FAILED;
  }
  *Text = static_cast<char *>(malloc(Result.size() + 1));
  if (!*Text) {
    giveMessage(Message, "no memory");
    return SIS_AST_FAILED;
  }
  memcpy(*Text, Result.c_str(), Result.size() + 1);
  *Length = Result.size();
  return SIS_AST_OK;
}
}
