// SPDX-License-Identifier: BSD-3-Clause
// function_tokens.cc - see function_tokens.h. Runs once per translation unit, in the thread that
// calls sis_ast_open, when all functions are collected. Its one idea: the checksum is that of the
// tokens that the parser received. So macros count as their expansions, and comments, blanks and
// pragmas do not count.
//
// LIMIT: the value of __LINE__ and the like counts only if a macro makes a name of the value.
// LIMIT: types, variables and constants outside of the function do not count.
#include "clang/collect/function_tokens.h"

#include "clang/Basic/IdentifierTable.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringMap.h"

#include "fnv.h"

using namespace clang;

namespace sis {

namespace {

class Summary {
public:
  Summary(sis_ast &Ast, const SourceMap &Map) : Ast(Ast), Map(Map) {
    for (uint32_t I = 0; I < Ast.Functions.size(); ++I)
      if (*Ast.Functions[I].Public.name)
        ByName.try_emplace(Ast.Functions[I].Public.name, I);
  }
  void fill(Function &F) const;

private:
  uint64_t add(uint64_t Sum, const FlatToken &T) const;

  sis_ast &Ast;
  const SourceMap &Map;
  llvm::StringMap<uint32_t> ByName;
};

/// The checksum of the tokens up to T. Sum is that of the tokens before T.
uint64_t Summary::add(uint64_t Sum, const FlatToken &T) const {
  llvm::StringRef Text = llvm::StringRef(Ast.Text).slice(T.First, T.Last);
  if (T.OfPosition)
    Text = "\1";
  else if (Text.empty() && T.Name)
    Text = T.Name->getName();
  return sis_fnv(sis_fnv(Sum, Text.data(), Text.size()), "\n", 1);
}

void Summary::fill(Function &F) const {
  const std::vector<FlatToken> &Tokens = Map.tokens();
  llvm::SmallSet<uint32_t, 16> Seen;
  bool InPragma = false;
  uint64_t Sum = SIS_FNV_START;
  for (size_t I = Map.tokenFrom(F.First); I < Tokens.size() && Tokens[I].First < F.Last; ++I) {
    const FlatToken &T = Tokens[I];
    if (T.Kind == tok::annot_pragma_openmp || T.Kind == tok::annot_pragma_openmp_end)
      InPragma = T.Kind == tok::annot_pragma_openmp;
    if (InPragma || tok::isAnnotation(T.Kind))
      continue;
    Sum = add(Sum, T);
    auto Callee = T.Name ? ByName.find(T.Name->getName()) : ByName.end();
    if (Callee != ByName.end() && &Ast.Functions[Callee->second] != &F &&
        Seen.insert(Callee->second).second)
      F.Callees.push_back(Callee->second);
  }
  F.Public.checksum = Sum;
  F.Public.callees = F.Callees.data();
  F.Public.callee_count = F.Callees.size();
}

} // namespace

void summarizeFunctions(sis_ast &Ast, const SourceMap &Map) {
  Summary All(Ast, Map);
  for (Function &F : Ast.Functions)
    if (F.Last > F.First)
      All.fill(F);
}

} // namespace sis
