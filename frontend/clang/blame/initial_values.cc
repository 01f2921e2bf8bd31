// SPDX-License-Identifier: BSD-3-Clause
// initial_values.cc - see initial_values.h. Runs in the thread that calls sis_ast_open. Its one
// idea: an initial value is a store before the program begins.
#include "clang/blame/initial_values.h"

#include "blame.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace sis {

namespace {

class InitialReader {
public:
  InitialReader(const Module &All, ModuleFacts &Facts, BlameFunction &Out)
      : DL(All.getDataLayout()), Facts(Facts), Out(Out) {}
  void read(const GlobalVariable &G, const Constant *Value, uint64_t Offset);

private:
  uint32_t value(sis_blame_op Op) {
    Out.ValueBytes.number(Op);
    Out.ValueBytes.number(0); // the entry
    Out.ValueBytes.difference(0);
    return ++Out.Values;
  }
  uint32_t address(const GlobalValue &G, uint64_t Offset);

  const DataLayout &DL;
  ModuleFacts &Facts;
  BlameFunction &Out;
};

} // namespace

uint32_t InitialReader::address(const GlobalValue &G, uint64_t Offset) {
  uint32_t Object = Facts.Names.global(&G), Base = value(SIS_BLAME_ADDRESS);
  Out.ValueBytes.number(Object);
  if (!Offset)
    return Base;
  uint32_t Field = value(SIS_BLAME_FIELD);
  Out.ValueBytes.number(Base);
  Out.ValueBytes.difference(int64_t(Offset));
  return Field;
}

void InitialReader::read(const GlobalVariable &G, const Constant *Value, uint64_t Offset) {
  if (isa<ConstantData>(Value))
    return;
  if (const auto *A = dyn_cast<ConstantAggregate>(Value)) {
    Type *T = A->getType();
    auto *Structure = dyn_cast<StructType>(T);
    uint64_t Step = Structure ? 0 : DL.getTypeAllocSize(A->getOperand(0)->getType());
    for (unsigned I = 0; I < A->getNumOperands(); ++I) {
      uint64_t At = Structure ? DL.getStructLayout(Structure)->getElementOffset(I).getFixedValue()
                              : I * Step;
      read(G, A->getOperand(I), Offset + At);
    }
    return;
  }
  APInt Inside(DL.getPointerSizeInBits(), 0);
  const Constant *Base = Value;
  if (Value->getType()->isPointerTy())
    Base = cast<Constant>(Value->stripAndAccumulateConstantOffsets(DL, Inside, true));
  const auto *Target = dyn_cast<GlobalValue>(Base);
  if (!Target)
    return;
  uint32_t From = address(*Target, Inside.getZExtValue()), To = address(G, Offset);
  value(SIS_BLAME_STORE);
  Out.ValueBytes.number(To);
  Out.ValueBytes.number(From);
  Out.ValueBytes.number(DL.getPointerSize());
}

void readInitialValues(const Module &All, ModuleFacts &Facts) {
  BlameFunction Out;
  Out.Linkage = Out.Name = Facts.Unit.string("");
  Out.Flags = SIS_BLAME_FUNCTION_STATIC;
  Out.Statements = {{SIS_BLAME_ENTRY, 0, 0, 0, 0}, {SIS_BLAME_EXIT, 0, 0, 0, 0}};
  Out.Blocks = 1;
  Out.BlockBytes.number(0); // no successors
  Out.BlockBytes.number(0); // no controllers
  InitialReader R(All, Facts, Out);
  for (const GlobalVariable &G : All.globals())
    if (G.hasInitializer() && !G.getName().starts_with("llvm."))
      R.read(G, G.getInitializer(), 0);
  if (Out.Values)
    Facts.Unit.Functions.push_back(std::move(Out));
}

} // namespace sis
