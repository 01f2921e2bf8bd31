/* SPDX-License-Identifier: BSD-3-Clause */
// symbols.h - the types and objects of a module, from its debug information.
#ifndef SIS_FRONTEND_SYMBOLS_H
#define SIS_FRONTEND_SYMBOLS_H

#include "tu/blame_unit.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

namespace sis {

/// Whether a type is a reference of C++.
bool isReference(const llvm::DIType *Type);

class Symbols {
public:
  Symbols(BlameUnit &Unit, bool Cplusplus) : Unit(Unit), Cplusplus(Cplusplus) {}

  /// These functions return references into the unit's lists.
  uint32_t type(const llvm::DIType *Type);
  uint32_t global(const llvm::GlobalValue *Value);
  uint32_t local(const llvm::DILocalVariable *Variable, uint32_t Function, unsigned Flags);
  uint32_t unnamed(uint32_t Function);
  /// The exceptions of the whole program.
  uint32_t exception();

private:
  void fill(size_t Number, const llvm::DIType *Type);
  void fillComposite(BlameType &To, const llvm::DICompositeType *Type);
  uint32_t arrayOf(const llvm::DICompositeType *Type, unsigned Dimension);
  std::string nameOf(const llvm::DIType *Type, unsigned Depth = 0);
  std::string nameOfClass(const llvm::DICompositeType *Type, unsigned Depth);
  std::string scopeOf(const llvm::DIScope *Around);
  void describeFunction(BlameObject &Object, const std::string &Linkage);
  void describe(BlameObject &Object, const llvm::DIVariable *Variable);

  BlameUnit &Unit;
  bool Cplusplus;
  uint32_t Exception = 0;
  llvm::DenseMap<const llvm::DIType *, uint32_t> Types;
  llvm::DenseMap<const llvm::GlobalValue *, uint32_t> Globals;
  llvm::DenseMap<const llvm::DILocalVariable *, uint32_t> Locals;
};

} // namespace sis

#endif
