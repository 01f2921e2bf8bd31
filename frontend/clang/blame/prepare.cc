// SPDX-License-Identifier: BSD-3-Clause
// prepare.cc - see prepare.h. Runs in the thread that calls sis_ast_open. Its one idea: a value
// that is stored to a variable passes through llvm.ssa.copy, which stays when the store goes.
#include "clang/blame/prepare.h"

#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace sis {

/// The call of the construct's body, if F is a function that clang passes to the OpenMP runtime;
/// else null.
static CallBase *callOfBody(llvm::Function &F) {
  if (!F.getName().contains("omp_outlined") && !F.getName().contains(".omp_task_entry."))
    return nullptr;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (const llvm::Function *Body = Call->getCalledFunction();
          Body && Body->hasLocalLinkage() && !Body->isDeclaration() &&
          (Body->getName().starts_with(".omp_outlined.") ||
           Body->getName().contains(".omp_outlined_debug__")))
        return Call;
  return nullptr;
}

void inlineBodies(Module &All) {
  for (llvm::Function &F : All) {
    CallBase *Call = callOfBody(F);
    llvm::Function *Body = Call ? Call->getCalledFunction() : nullptr;
    InlineFunctionInfo Info;
    if (Body && InlineFunction(*Call, Info).isSuccess() && Body->use_empty())
      Body->deleteBody();
  }
}

/// Whether the user declared the variable. Names that clang makes begin with a dot: .omp.iv.
static bool isOfUser(const DILocalVariable *Variable, const DIExpression *Where) {
  StringRef Name = Variable->getName();
  return !Where->startsWithDeref() && !Name.empty() && Name[0] != '.' && Name != "__context" &&
         !Name.starts_with("__vla_expr");
}

/// The user's variable that is declared to be stored at Address; null if there is none. A variable
/// does not count if the storage has its address instead of its value.
static const DILocalVariable *variableAt(Value *Address) {
  for (DbgDeclareInst *D : findDbgDeclares(Address))
    if (isOfUser(D->getVariable(), D->getExpression()))
      return D->getVariable();
  for (DbgVariableRecord *D : findDVRDeclares(Address))
    if (isOfUser(D->getVariable(), D->getExpression()))
      return D->getVariable();
  return nullptr;
}

/// The storage of the value that the function returns; null if there is none.
static const AllocaInst *returnSlot(llvm::Function &F) {
  for (BasicBlock &B : F)
    if (auto *R = dyn_cast<ReturnInst>(B.getTerminator()))
      if (auto *L = dyn_cast_or_null<LoadInst>(R->getReturnValue()))
        return dyn_cast<AllocaInst>(L->getPointerOperand());
  return nullptr;
}

static void copyStores(AllocaInst *Slot, const DILocalVariable *Variable, PreparedFunction &Out) {
  std::vector<StoreInst *> Stores;
  for (User *U : Slot->users())
    if (auto *S = dyn_cast<StoreInst>(U); S && S->getPointerOperand() == Slot)
      Stores.push_back(S);
  for (StoreInst *S : Stores) {
    Value *Stored = S->getValueOperand();
    if (Variable && isa<Argument>(Stored))
      Out.Parameters.try_emplace(Stored, Variable);
    if (!Variable && isa<Constant>(Stored))
      continue;
    IRBuilder<> Builder(S);
    Instruction *Copy = Builder.CreateIntrinsic(Intrinsic::ssa_copy, {Stored->getType()}, {Stored});
    Copy->setDebugLoc(S->getDebugLoc());
    S->setOperand(0, Copy);
    Out.Copies[Copy] = Variable;
  }
}

PreparedFunction prepare(llvm::Function &F) {
  PreparedFunction Out;
  removeUnreachableBlocks(F);
  const AllocaInst *Result = returnSlot(F);
  std::vector<AllocaInst *> Scalars;
  for (Argument &A : F.args())
    if (const DILocalVariable *V = variableAt(&A))
      Out.Parameters[&A] = V;
  for (BasicBlock &B : F)
    for (Instruction &I : B) {
      auto *Slot = dyn_cast<AllocaInst>(&I);
      if (!Slot)
        continue;
      const DILocalVariable *Variable = variableAt(Slot);
      if (Variable)
        Out.Variables[Slot] = Variable;
      for (User *U : Slot->users())
        if (auto *S = dyn_cast<StoreInst>(U);
            S && Variable && S->getPointerOperand() == Slot && isa<Argument>(S->getValueOperand()))
          Out.Parameters.try_emplace(S->getValueOperand(), Variable);
      if (isAllocaPromotable(Slot))
        Scalars.push_back(Slot);
    }
  for (AllocaInst *Slot : Scalars)
    if (const DILocalVariable *Variable = Out.Variables.lookup(Slot); Variable || Slot == Result)
      copyStores(Slot, Variable, Out);
  if (!Scalars.empty()) {
    for (AllocaInst *Slot : Scalars)
      Out.Variables.erase(Slot); // the storage goes
    DominatorTree Tree(F);
    PromoteMemToReg(Scalars, Tree);
  }
  return Out;
}

Controllers controllersOf(llvm::Function &F) {
  Controllers Out;
  PostDominatorTree Tree(F);
  for (const BasicBlock &Branch : F) {
    if (Branch.getTerminator()->getNumSuccessors() < 2)
      continue;
    const DomTreeNode *Own = Tree.getNode(&Branch);
    const DomTreeNode *Stop = Own ? Own->getIDom() : nullptr;
    for (const BasicBlock *Next : successors(&Branch))
      for (const DomTreeNode *Node = Tree.getNode(Next); Node && Node != Stop;
           Node = Node->getIDom()) {
        if (!Node->getBlock())
          break;
        std::vector<const BasicBlock *> &Of = Out[Node->getBlock()];
        if (Of.empty() || Of.back() != &Branch)
          Of.push_back(&Branch);
      }
  }
  return Out;
}

} // namespace sis
