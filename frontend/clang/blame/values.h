/* SPDX-License-Identifier: BSD-3-Clause */
// values.h - the graph of values of one function.
#ifndef SIS_FRONTEND_VALUES_H
#define SIS_FRONTEND_VALUES_H

#include "clang/blame/statements.h"
#include "clang/blame/symbols.h"
#include "clang/blame/virtual_calls.h"

#include "llvm/IR/Function.h"

namespace sis {

/// What readValues needs to know about the module.
struct ModuleFacts {
  ModuleFacts(BlameUnit &Unit, Symbols &Names, const llvm::Module &All)
      : Unit(Unit), Names(Names), Tables(All) {}
  BlameUnit &Unit;
  Symbols &Names;
  llvm::DenseMap<const llvm::Function *, uint32_t> Functions; // references
  VirtualTables Tables;
};

/// Reads the blocks, values and parameters of F into its BlameFunction, and changes F. Table has
/// the statements of F. Table is null if the statements are not known.
void readValues(llvm::Function &F, const StatementTable *Table, ModuleFacts &Module);

} // namespace sis

#endif
