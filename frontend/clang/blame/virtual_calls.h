/* SPDX-License-Identifier: BSD-3-Clause */
// virtual_calls.h - the functions that virtual calls may run.
#ifndef SIS_FRONTEND_VIRTUAL_CALLS_H
#define SIS_FRONTEND_VIRTUAL_CALLS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include <vector>

namespace sis {

/// The tables of virtual functions of a module.
class VirtualTables {
public:
  explicit VirtualTables(const llvm::Module &All);

  /// The overriders of the called function in this module, each once; none if the call is not
  /// virtual.
  std::vector<const llvm::Function *> overriders(const llvm::CallBase &Call) const;

private:
  struct Place {
    const llvm::GlobalVariable *Table;
    uint64_t Offset;
  };
  /// For each class, where the tables of it and of its derived classes begin.
  llvm::DenseMap<const llvm::Metadata *, std::vector<Place>> Places;
};

} // namespace sis

#endif
