// SPDX-License-Identifier: BSD-3-Clause
// virtual_calls.cc - see virtual_calls.h. Runs in the thread that calls sis_ast_open. Its one idea:
// clang tells at each virtual call of which class its table is (llvm.public.type.test), and at each
// table which classes may use it (!type).
#include "clang/blame/virtual_calls.h"

#include "llvm/Analysis/TypeMetadataUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace sis {

VirtualTables::VirtualTables(const Module &All) {
  for (const GlobalVariable &Table : All.globals()) {
    SmallVector<MDNode *, 2> Types;
    Table.getMetadata(LLVMContext::MD_type, Types);
    for (const MDNode *Type : Types) {
      const auto *Offset = mdconst::extract<ConstantInt>(Type->getOperand(0));
      if (Table.hasInitializer())
        Places[Type->getOperand(1).get()].push_back({&Table, Offset->getZExtValue()});
    }
  }
}

/// The class of a table of virtual functions; null if the value is none.
static const Metadata *classOf(const Value *Table) {
  for (const User *U : Table->users())
    if (const auto *I = dyn_cast<IntrinsicInst>(U);
        I && (I->getIntrinsicID() == Intrinsic::public_type_test ||
              I->getIntrinsicID() == Intrinsic::type_test))
      return cast<MetadataAsValue>(I->getArgOperand(1))->getMetadata();
  return nullptr;
}

std::vector<const llvm::Function *> VirtualTables::overriders(const CallBase &Call) const {
  std::vector<const llvm::Function *> Found;
  const auto *Entry = dyn_cast<LoadInst>(Call.getCalledOperand());
  if (!Entry)
    return Found;
  const DataLayout &DL = Call.getModule()->getDataLayout();
  APInt Offset(DL.getPointerSizeInBits(), 0);
  const Value *Table =
      Entry->getPointerOperand()->stripAndAccumulateConstantOffsets(DL, Offset, true);
  auto All = Places.find(classOf(Table));
  if (All == Places.end())
    return Found;
  for (const Place &P : All->second) {
    Constant *At = getPointerAtOffset(const_cast<Constant *>(P.Table->getInitializer()),
                                      P.Offset + Offset.getZExtValue(),
                                      *const_cast<Module *>(Call.getModule()));
    const auto *F = At ? dyn_cast<llvm::Function>(At->stripPointerCasts()) : nullptr;
    if (F && !F->getName().starts_with("__cxa_") && !is_contained(Found, F))
      Found.push_back(F);
  }
  return Found;
}

} // namespace sis
