// SPDX-License-Identifier: BSD-3-Clause
// prepare.cc - see prepare.h. Runs in the thread that calls sis_ast_open. Its one idea: a value
// that is stored to a variable passes through llvm.ssa.copy, which stays when the store goes.
#include "clang/blame/prepare.h"

#include "clang/blame/symbols.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/BinaryFormat/Dwarf.h"
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

namespace {
struct Declaration {
  const DILocalVariable *Variable;
  const DIExpression *Where;
};
} // namespace

/// Whether the user declared the variable. Names that clang makes begin with a dot, as .omp.iv, or
/// with underscores, as __range1.
static bool isOfUser(const DILocalVariable *Variable, const DIExpression *Where) {
  StringRef Name = Variable->getName();
  if (Variable->isArtificial() && Name.starts_with("__"))
    return false;
  return !Where->startsWithDeref() && !Name.empty() && Name[0] != '.' && Name != "__context" &&
         !Name.starts_with("__vla_expr");
}

/// The variable of an object that structured bindings name the parts of. The object has no name, so
/// it gets that of all bindings, `[low, high]`, and each binding is a member.
static const DILocalVariable *joinBindings(ArrayRef<Declaration> Bindings) {
  const DILocalVariable *First = Bindings[0].Variable;
  LLVMContext &Context = First->getContext();
  SmallVector<Metadata *> Members;
  std::string Name;
  uint64_t Size = 0;
  for (const Declaration &B : Bindings) {
    int64_t Offset = 0;
    if (!B.Where->extractIfOffset(Offset) || Offset < 0)
      return First;
    const DIType *Of = B.Variable->getType();
    if (Of && isReference(Of))
      Of = cast<DIDerivedType>(Of)->getBaseType();
    uint64_t Bits = Of ? Of->getSizeInBits() : 0;
    Name += (Name.empty() ? "[" : ", ") + B.Variable->getName().str();
    Size = std::max(Size, 8 * Offset + Bits);
    Members.push_back(DIDerivedType::get(
        Context, dwarf::DW_TAG_member, B.Variable->getName(), First->getFile(), First->getLine(),
        nullptr, const_cast<DIType *>(Of), Bits, 0, 8 * Offset, std::nullopt, std::nullopt,
        DINode::FlagZero));
  }
  auto *Type = DICompositeType::get(Context, dwarf::DW_TAG_structure_type, "", First->getFile(),
                                    First->getLine(), nullptr, nullptr, Size, 0, 0,
                                    DINode::FlagZero, MDNode::get(Context, Members), 0, nullptr);
  return DILocalVariable::get(Context, First->getScope(), Name + "]", First->getFile(),
                              First->getLine(), Type, 0, DINode::FlagZero, 0, nullptr);
}

/// Finds objects without a name to which references are bound, as by `auto [low, high]` of a
/// std::pair. Each of these references has the address of a part.
static void findBoundObjects(llvm::Function &F, PreparedFunction &Out) {
  MapVector<const Value *, SmallVector<Declaration>> Bound;
  for (Instruction &I : instructions(F)) {
    auto *S = dyn_cast<StoreInst>(&I);
    const DILocalVariable *Name = S ? variableAt(S->getPointerOperand()) : nullptr;
    if (!Name || !Name->getType() || !isReference(Name->getType()))
      continue;
    const DataLayout &DL = F.getDataLayout();
    APInt Offset(DL.getPointerSizeInBits(), 0);
    Value *Object = S->getValueOperand()->stripAndAccumulateConstantOffsets(DL, Offset, true);
    if (!isa<AllocaInst>(Object) || variableAt(Object))
      continue;
    SmallVector<uint64_t> Words = {dwarf::DW_OP_plus_uconst, Offset.getZExtValue()};
    Bound[Object].push_back({Name, DIExpression::get(F.getContext(), Words)});
  }
  for (const auto &[Object, Names] : Bound)
    if (Names.size() > 1)
      Out.Variables[Object] = joinBindings(Names);
}

const DILocalVariable *variableAt(Value *Address) {
  SmallVector<Declaration> Found;
  auto Add = [&](const auto *D) {
    bool Known =
        any_of(Found, [&](const Declaration &F) { return F.Variable == D->getVariable(); });
    if (!Known && isOfUser(D->getVariable(), D->getExpression()))
      Found.push_back({D->getVariable(), D->getExpression()});
  };
  for (DbgDeclareInst *D : findDbgDeclares(Address))
    Add(D);
  for (DbgVariableRecord *D : findDVRDeclares(Address))
    Add(D);
  if (Found.empty())
    return nullptr;
  return Found.size() == 1 ? Found[0].Variable : joinBindings(Found);
}

const AllocaInst *returnSlot(llvm::Function &F) {
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
  findBoundObjects(F, Out);
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
