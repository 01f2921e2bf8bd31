// SPDX-License-Identifier: BSD-3-Clause
// inline_library.cc - see inline_library.h. Runs in the thread that calls sis_ast_open. Its one
// idea: without debug information, inlined code gets the position of the call.
#include "clang/blame/inline_library.h"

#include "clang/blame/prepare.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

#include <set>

using namespace llvm;

namespace sis {

namespace {

class Inliner {
public:
  Inliner(Module &All, function_ref<bool(const llvm::Function &)> IsOfLibrary);
  void run();

private:
  void promote(llvm::Function &F);
  void readyForInlining(llvm::Function &F);
  void inlineIn(llvm::Function &F);
  void removeUnused();

  Module &All;
  FunctionAnalysisManager Analyses;
  std::vector<llvm::Function *> Users;
  std::set<const llvm::Function *> Library; // those with a body
};

} // namespace

Inliner::Inliner(Module &All, function_ref<bool(const llvm::Function &)> IsOfLibrary) : All(All) {
  Analyses.registerPass([] { return DominatorTreeAnalysis(); });
  Analyses.registerPass([] { return AssumptionAnalysis(); });
  Analyses.registerPass([] { return TargetIRAnalysis(); });
  Analyses.registerPass([] { return PassInstrumentationAnalysis(); });
  for (llvm::Function &F : All)
    if (!F.isDeclaration() && IsOfLibrary(F))
      Library.insert(&F);
    else if (!F.isDeclaration())
      Users.push_back(&F);
}

/// Whether an exception at the call runs no code of the user: only destructors, or std::terminate.
static bool onlyCleansUp(const InvokeInst &I) {
  const LandingPadInst *Pad = I.getLandingPadInst();
  bool Terminates = any_of(*Pad->getParent(), [](const Instruction &At) {
    const auto *Call = dyn_cast<CallInst>(&At);
    const llvm::Function *Called = Call ? Call->getCalledFunction() : nullptr;
    return Called && Called->getName() == "__clang_call_terminate";
  });
  return Pad->getNumClauses() == 0 || Terminates;
}

static void removeUnwinding(llvm::Function &F, bool All) {
  for (BasicBlock &B : F)
    if (const auto *I = dyn_cast<InvokeInst>(B.getTerminator()); I && (All || onlyCleansUp(*I)))
      removeUnwindEdge(&B);
  removeUnreachableBlocks(F);
}

/// Moves temporary objects from memory to values. The user's variables stay in memory: while the
/// pass runs, their addresses are passed to a function.
void Inliner::promote(llvm::Function &F) {
  LLVMContext &Context = F.getContext();
  FunctionCallee Keep = All.getOrInsertFunction("sis.keep", Type::getVoidTy(Context),
                                                PointerType::getUnqual(Context));
  std::vector<Instruction *> Kept;
  const AllocaInst *Result = Library.count(&F) ? nullptr : returnSlot(F);
  for (Instruction &I : instructions(F))
    if (auto *A = dyn_cast<AllocaInst>(&I); A && (variableAt(A) || A == Result))
      Kept.push_back(A);
  for (Instruction *&I : Kept)
    I = CallInst::Create(Keep, {I}, "", I->getNextNode()->getIterator());
  SROAPass(SROAOptions::PreserveCFG).run(F, Analyses);
  Analyses.clear();
  for (Instruction *I : Kept)
    I->eraseFromParent();
}

/// Prepares a function of a library. Its own handlers release memory and pass the exception on.
void Inliner::readyForInlining(llvm::Function &F) {
  stripDebugInfo(F);
  removeUnwinding(F, true);
  F.removeFnAttr(Attribute::NoInline);
  promote(F);
}

void Inliner::inlineIn(llvm::Function &F) {
  constexpr unsigned Largest = 5000; // instructions; the analysis takes minutes for 30000
  struct Step {
    const llvm::Function *Callee;
    int Before;
  };
  std::vector<Step> Steps; // the inlined calls
  std::vector<std::pair<CallBase *, int>> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      Calls.push_back({Call, -1});
  unsigned Size = F.getInstructionCount();
  bool Any = false;
  while (!Calls.empty() && Size < Largest) {
    auto [Call, Around] = Calls.back();
    Calls.pop_back();
    llvm::Function *Callee = Call->getCalledFunction();
    bool Again = false;
    for (int At = Around; At >= 0 && !Again; At = Steps[At].Before)
      Again = Steps[At].Callee == Callee;
    InlineFunctionInfo Info;
    if (!Callee || !Library.count(Callee) || Callee == &F || Again ||
        !InlineFunction(*Call, Info, false, nullptr, false).isSuccess())
      continue;
    Any = true;
    Size += Callee->getInstructionCount();
    Steps.push_back({Callee, Around});
    for (CallBase *More : Info.InlinedCallSites)
      Calls.push_back({More, int(Steps.size()) - 1});
  }
  if (Any)
    promote(F);
}

void Inliner::removeUnused() {
  for (bool More = true; More;) {
    More = false;
    for (llvm::Function &F : make_early_inc_range(All))
      if (Library.count(&F) && F.isDefTriviallyDead()) {
        Library.erase(&F);
        F.eraseFromParent();
        More = true;
      }
  }
}

void Inliner::run() {
  for (const llvm::Function *F : Library)
    readyForInlining(*const_cast<llvm::Function *>(F));
  for (llvm::Function *F : Users) {
    removeUnwinding(*F, false);
    inlineIn(*F);
  }
  removeUnused();
  for (llvm::Function &F : All)
    if (Library.count(&F)) // recursive, or its address is used
      inlineIn(F);
  removeUnused();
  if (llvm::Function *Keep = All.getFunction("sis.keep"))
    Keep->eraseFromParent();
}

void inlineLibrary(Module &All, function_ref<bool(const llvm::Function &)> IsOfLibrary) {
  Inliner(All, IsOfLibrary).run();
}

} // namespace sis
