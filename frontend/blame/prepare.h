/* SPDX-License-Identifier: BSD-3-Clause */
// prepare.h - changes a function so that its graph can be read: scalars whose address is not taken
// leave memory, and what was assigned to them stays visible.
#ifndef SIS_FRONTEND_PREPARE_H
#define SIS_FRONTEND_PREPARE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <vector>

namespace sis {

struct PreparedFunction {
  /// By storage in the stack frame: the variable in it.
  llvm::DenseMap<const llvm::Value *, const llvm::DILocalVariable *> Variables;
  /// Copies of assigned values: the variable; null: the copy is the value of a return statement.
  llvm::DenseMap<const llvm::Instruction *, const llvm::DILocalVariable *> Copies;
  /// By parameter of the function: its variable.
  llvm::DenseMap<const llvm::Value *, const llvm::DILocalVariable *> Parameters;
};

/// Inlines the bodies of OpenMP constructs. Clang gives the runtime of OpenMP a function that calls
/// the body of the construct. The body is a function of its own for a task and, with debug
/// information, for a parallel region. Other compilers make one function of both, and samples show
/// only that one function.
void inlineBodies(llvm::Module &All);

PreparedFunction prepare(llvm::Function &F);

/// For each block the blocks whose branch decides whether it runs, in the function's order.
using Controllers = llvm::DenseMap<const llvm::BasicBlock *, std::vector<const llvm::BasicBlock *>>;
Controllers controllersOf(llvm::Function &F);

} // namespace sis

#endif
