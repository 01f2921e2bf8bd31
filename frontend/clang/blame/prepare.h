/* SPDX-License-Identifier: BSD-3-Clause */
// prepare.h - changes a function so that its graph can be read. Scalars whose address is not taken
// are moved from memory to values. The assignments to them stay visible.
#ifndef SIS_FRONTEND_PREPARE_H
#define SIS_FRONTEND_PREPARE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <vector>

namespace sis {

struct PreparedFunction {
  /// For each storage in the stack frame, the variable in it.
  llvm::DenseMap<const llvm::Value *, const llvm::DILocalVariable *> Variables;
  /// For each copy of an assigned value, the variable to which the value is assigned; null for the
  /// value of a return statement.
  llvm::DenseMap<const llvm::Instruction *, const llvm::DILocalVariable *> Copies;
  /// For each parameter of the function, its variable.
  llvm::DenseMap<const llvm::Value *, const llvm::DILocalVariable *> Parameters;
};

/// Inlines the bodies of OpenMP constructs. Clang passes to the OpenMP runtime a function that
/// calls the body of the construct. This body is a separate function for a task and, with debug
/// information, for a parallel region. Other compilers make one function of the two, and samples
/// show only this function.
void inlineBodies(llvm::Module &All);

/// The user's variable that is declared to be stored at Address; null if there is none. A variable
/// does not count if the storage has its address instead of its value.
const llvm::DILocalVariable *variableAt(llvm::Value *Address);

/// The storage of the value that the function returns; null if there is none.
const llvm::AllocaInst *returnSlot(llvm::Function &F);

PreparedFunction prepare(llvm::Function &F);

/// For each block, the blocks that end with a branch that decides whether the block runs. They are
/// in the function's order.
using Controllers = llvm::DenseMap<const llvm::BasicBlock *, std::vector<const llvm::BasicBlock *>>;
Controllers controllersOf(llvm::Function &F);

} // namespace sis

#endif
