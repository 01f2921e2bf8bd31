// SPDX-License-Identifier: BSD-3-Clause
// values.cc - see values.h. Runs in the thread that calls sis_ast_open. Its one idea: each
// instruction becomes a draft whose operands are LLVM's values; when all drafts have their numbers,
// they are written.
#include "clang/blame/values.h"

#include "clang/blame/prepare.h"
#include "blame.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace sis {

namespace {

struct Operand {
  enum { OfValue, OfDraft, Number, Signed, Column } Kind;
  const Value *V = nullptr;
  int64_t N = 0;
  unsigned Line = 0; // for Column: the line of the call; N is its column
};

struct Draft {
  sis_blame_op Op;
  uint32_t Statement;
  uint32_t Block;
  std::vector<Operand> Operands;
};

class Reader {
public:
  Reader(llvm::Function &F, const StatementTable *Table, ModuleFacts &Module)
      : F(F), Table(Table), Module(Module), Self(Module.Functions.lookup(&F)),
        DL(F.getDataLayout()), Prepared(prepare(F)) {}
  void run();

private:
  static Operand of(const Value *V) { return {Operand::OfValue, V}; }
  static Operand ofDraft(size_t Number) { return {Operand::OfDraft, nullptr, int64_t(Number)}; }
  static Operand number(uint64_t N) { return {Operand::Number, nullptr, int64_t(N)}; }
  static Operand difference(int64_t N) { return {Operand::Signed, nullptr, N}; }

  size_t draft(sis_blame_op Op, std::vector<Operand> Operands, const Value *Result = nullptr);
  void list(std::vector<Operand> &To, ArrayRef<const Value *> Values);
  void compute(const Instruction &I);
  void heads();
  void need(const Value *V);
  void needExpression(const ConstantExpr *E);
  void statementOf(const Instruction &I);
  void read(const Instruction &I);
  void readAddress(const GetElementPtrInst &I);
  std::vector<Operand> argumentsOf(const CallBase &I);
  Operand calleeOf(const CallBase &I);
  bool readException(const CallBase &I, const llvm::Function &Callee);
  void readAssembly(const CallBase &I);
  void readCall(const CallBase &I);
  bool readIntrinsic(const IntrinsicInst &I);
  bool readOpenMP(const CallBase &I, const llvm::Function &Callee);
  void readAtomic(const Instruction &I);
  void readAlloca(const AllocaInst &I);
  void readTerminator(const Instruction &I);
  uint32_t objectOf(const DILocalVariable *Variable);
  uint64_t sizeOf(Type *T) const {
    return T->isSized() ? DL.getTypeStoreSize(T).getKnownMinValue() : 0;
  }
  uint32_t resolve(const Value *V) const;
  void writeValues(BlameFunction &Out) const;
  void writeBlocks(BlameFunction &Out) const;

  llvm::Function &F;
  const StatementTable *Table;
  ModuleFacts &Module;
  uint32_t Self; // reference of the function
  const DataLayout &DL;
  PreparedFunction Prepared;
  std::vector<Draft> Drafts;
  DenseMap<const Value *, uint32_t> Numbers;     // references
  DenseMap<const Value *, const Value *> SameAs; // for each conversion, the converted value
  DenseMap<const BasicBlock *, uint32_t> Blocks;
  DenseMap<const BasicBlock *, uint32_t> Branches; // references of their BRANCH
  uint32_t Block = 0, Statement = 0;
};

} // namespace

size_t Reader::draft(sis_blame_op Op, std::vector<Operand> Operands, const Value *Result) {
  Drafts.push_back({Op, Statement, Block, std::move(Operands)});
  if (Result)
    Numbers[Result] = Drafts.size();
  return Drafts.size() - 1;
}

void Reader::list(std::vector<Operand> &To, ArrayRef<const Value *> Values) {
  To.push_back(number(Values.size()));
  for (const Value *V : Values)
    To.push_back(of(V));
}

uint32_t Reader::objectOf(const DILocalVariable *Variable) {
  unsigned Flags = 0;
  const auto *Type = dyn_cast_or_null<DIDerivedType>(Variable->getType());
  bool Shared = Type && Type->getTag() == dwarf::DW_TAG_reference_type;
  if (Table && Table->Outlined && !Shared &&
      Variable->getLine() < F.getSubprogram()->getLine())
    Flags = SIS_BLAME_OBJECT_PRIVATE; // declared outside of the construct
  return Module.Names.local(Variable, Self, Flags);
}

// -- constants and storage ------------------------------------------------------------------------

void Reader::needExpression(const ConstantExpr *E) {
  for (const Value *Part : E->operands())
    need(Part);
  APInt Offset(DL.getIndexTypeSizeInBits(E->getType()->isPointerTy()
                                             ? E->getType()
                                             : PointerType::getUnqual(F.getContext())),
               0);
  const auto *Address = dyn_cast<GEPOperator>(E);
  if (Address && Address->accumulateConstantOffset(DL, Offset)) {
    draft(SIS_BLAME_FIELD, {of(Address->getPointerOperand()), difference(Offset.getSExtValue())},
          E);
    return;
  }
  std::vector<Operand> Operands;
  list(Operands, SmallVector<const Value *>(E->operands()));
  draft(SIS_BLAME_COMPUTE, std::move(Operands), E);
}

/// Makes the drafts of a constant that is an address or contains one.
void Reader::need(const Value *V) {
  const auto *C = dyn_cast<Constant>(V);
  if (!C || isa<ConstantData>(C) || Numbers.count(V))
    return;
  if (const auto *G = dyn_cast<GlobalValue>(C)) {
    draft(SIS_BLAME_ADDRESS, {number(Module.Names.global(G))}, V);
  } else if (const auto *E = dyn_cast<ConstantExpr>(C)) {
    needExpression(E);
  } else if (const auto *A = dyn_cast<ConstantAggregate>(C)) {
    for (const Value *Part : A->operands())
      need(Part);
    std::vector<Operand> Operands;
    list(Operands, SmallVector<const Value *>(A->operands()));
    draft(SIS_BLAME_COMPUTE, std::move(Operands), V);
  }
}

/// Makes the drafts at the function's begin: parameters, storage, constants.
void Reader::heads() {
  for (const Argument &A : F.args())
    draft(SIS_BLAME_PARAMETER, {number(A.getArgNo())}, &A);
  for (const Instruction &I : F.getEntryBlock())
    if (const auto *A = dyn_cast<AllocaInst>(&I); A && A->isStaticAlloca())
      readAlloca(*A);
  for (const BasicBlock &B : F)
    for (const Instruction &I : B)
      for (const Value *V : I.operands())
        if (const auto *Called = dyn_cast<llvm::Function>(V); !Called || !Called->isIntrinsic())
          need(V);
}

void Reader::readAlloca(const AllocaInst &I) {
  if (Numbers.count(&I))
    return;
  const DILocalVariable *Variable = Prepared.Variables.lookup(&I);
  uint32_t Object = Variable ? objectOf(Variable) : Module.Names.unnamed(Self);
  if (I.isStaticAlloca())
    draft(SIS_BLAME_ADDRESS, {number(Object)}, &I);
  else
    draft(SIS_BLAME_ALLOCA, {of(I.getArraySize()), number(Object)}, &I);
}

// -- instructions ---------------------------------------------------------------------------------

/// Sets the statement of the drafts that follow. An instruction without a position belongs to the
/// statement of the instruction before it.
void Reader::statementOf(const Instruction &I) {
  const DebugLoc &At = I.getDebugLoc();
  if (!Table || !At || !At.getLine())
    return;
  uint32_t Found = Table->at(At.getLine(), At.getCol());
  if (Found != StatementTable::NoStatement)
    Statement = Found;
}

void Reader::compute(const Instruction &I) {
  std::vector<Operand> Operands;
  list(Operands, SmallVector<const Value *>(I.operands()));
  draft(SIS_BLAME_COMPUTE, std::move(Operands), &I);
}

/// Makes the drafts of an address: a FIELD with the constant offset of members, and an INDEX for
/// each index. A constant index has no operand. An index 0 has no draft, because the first element
/// has the address of the array. The first member has a FIELD with the offset 0.
void Reader::readAddress(const GetElementPtrInst &I) {
  Operand Base = of(I.getPointerOperand());
  int64_t Offset = 0;
  bool Member = false;
  auto flush = [&] {
    if (Member)
      Base = ofDraft(draft(SIS_BLAME_FIELD, {Base, difference(Offset)}));
    Member = false;
    Offset = 0;
  };
  for (auto At = gep_type_begin(I), End = gep_type_end(I); At != End; ++At) {
    const auto *Constant = dyn_cast<ConstantInt>(At.getOperand());
    if (StructType *Structure = At.getStructTypeOrNull()) {
      Offset += DL.getStructLayout(Structure)->getElementOffset(Constant->getZExtValue());
      Member = true;
      continue;
    }
    if (Constant && Constant->isZero())
      continue;
    flush();
    uint64_t Stride = At.getSequentialElementStride(DL).getKnownMinValue();
    Base = ofDraft(draft(SIS_BLAME_INDEX,
                         {Base, Constant ? number(0) : of(At.getOperand()), number(Stride)}));
  }
  flush();
  if (Base.Kind == Operand::OfDraft)
    Numbers[&I] = Base.N + 1;
  else
    SameAs[&I] = I.getPointerOperand();
}

void Reader::readAtomic(const Instruction &I) {
  const Value *Address, *New;
  std::vector<Operand> Read;
  if (const auto *A = dyn_cast<AtomicRMWInst>(&I)) {
    Address = A->getPointerOperand();
    New = A->getValOperand();
  } else {
    Address = cast<AtomicCmpXchgInst>(I).getPointerOperand();
    New = cast<AtomicCmpXchgInst>(I).getNewValOperand();
  }
  Operand Size = number(sizeOf(New->getType()));
  size_t Old = draft(SIS_BLAME_LOAD, {of(Address), Size});
  std::vector<Operand> Both = {number(2), ofDraft(Old), of(New)};
  size_t Sum = draft(SIS_BLAME_COMPUTE, Both);
  draft(SIS_BLAME_STORE, {of(Address), ofDraft(Sum), Size});
  if (const auto *C = dyn_cast<AtomicCmpXchgInst>(&I))
    Old = draft(SIS_BLAME_COMPUTE, {number(2), ofDraft(Old), of(C->getCompareOperand())});
  Numbers[&I] = Old + 1;
}

/// Makes the drafts of an intrinsic. Returns false if the intrinsic must be read like any other
/// call.
bool Reader::readIntrinsic(const IntrinsicInst &I) {
  auto Copy = Prepared.Copies.find(&I);
  if (Copy != Prepared.Copies.end()) {
    const Value *Copied = I.getArgOperand(0);
    if (Copy->second) {
      draft(SIS_BLAME_DEFINE, {number(objectOf(Copy->second)), of(Copied)}, &I);
    } else {
      draft(SIS_BLAME_RETURN, {of(Copied)});
      SameAs[&I] = Copied;
    }
  } else if (const auto *M = dyn_cast<MemTransferInst>(&I)) {
    const auto *Size = dyn_cast<ConstantInt>(M->getLength());
    draft(SIS_BLAME_MOVE, {of(M->getRawDest()), of(M->getRawSource()),
                           number(Size ? Size->getZExtValue() : 0)});
  } else if (const auto *M = dyn_cast<MemSetInst>(&I)) {
    const auto *Size = dyn_cast<ConstantInt>(M->getLength());
    draft(SIS_BLAME_FILL,
          {of(M->getRawDest()), of(M->getValue()), number(Size ? Size->getZExtValue() : 0)});
  } else if (I.getIntrinsicID() == Intrinsic::vacopy) {
    draft(SIS_BLAME_MOVE, {of(I.getArgOperand(0)), of(I.getArgOperand(1)), number(0)});
  } else if (I.getIntrinsicID() == Intrinsic::public_type_test ||
             I.getIntrinsicID() == Intrinsic::type_test) {
    draft(SIS_BLAME_LITERAL, {}, &I);
  } else if (I.isLifetimeStartOrEnd() || I.getIntrinsicID() == Intrinsic::vaend ||
             isa<DbgInfoIntrinsic>(I) || I.isAssumeLikeIntrinsic() ||
             I.getIntrinsicID() == Intrinsic::trap ||
             I.getIntrinsicID() == Intrinsic::stacksave ||
             I.getIntrinsicID() == Intrinsic::stackrestore) {
    return true;
  } else if (I.doesNotAccessMemory()) {
    std::vector<Operand> Operands;
    list(Operands, SmallVector<const Value *>(I.args()));
    draft(SIS_BLAME_COMPUTE, std::move(Operands), &I);
  } else {
    return false;
  }
  return true;
}

/// Makes the drafts of a call of the OpenMP runtime with which clang starts an outlined body.
/// Returns false for other calls.
bool Reader::readOpenMP(const CallBase &I, const llvm::Function &Callee) {
  StringRef Name = Callee.getName();
  auto fork = [&](const Value *Body, std::vector<Operand> Arguments) {
    const auto *Outlined = dyn_cast<llvm::Function>(Body->stripPointerCasts());
    uint32_t Reference = Outlined ? Module.Functions.lookup(Outlined) : 0;
    if (!Reference)
      return false;
    std::vector<Operand> Operands = {number(Reference), number(Arguments.size())};
    Operands.insert(Operands.end(), Arguments.begin(), Arguments.end());
    draft(SIS_BLAME_FORK, std::move(Operands), &I);
    return true;
  };
  if ((Name == "__kmpc_fork_call" || Name == "__kmpc_fork_teams") && I.arg_size() >= 3) {
    std::vector<Operand> Arguments = {number(0), number(0)}; // the thread's numbers
    for (unsigned N = 3; N < I.arg_size(); ++N)
      Arguments.push_back(of(I.getArgOperand(N)));
    return fork(I.getArgOperand(2), std::move(Arguments));
  }
  if (Name == "__kmpc_omp_task_alloc" && I.arg_size() >= 6) {
    // The descriptor of the task. Its first pointer leads to the addresses of shared variables.
    uint64_t Pointer = DL.getPointerSize();
    size_t Task = draft(SIS_BLAME_ALLOCA, {number(0), number(Module.Names.unnamed(Self))}, &I);
    size_t Shared = draft(SIS_BLAME_ALLOCA, {number(0), number(Module.Names.unnamed(Self))});
    draft(SIS_BLAME_STORE, {ofDraft(Task), ofDraft(Shared), number(Pointer)});
    return true;
  }
  bool Starts = Name == "__kmpc_omp_task" || Name == "__kmpc_omp_task_with_deps" ||
                Name == "__kmpc_taskloop" || Name == "__kmpc_omp_task_begin_if0";
  if (!Starts || I.arg_size() < 3)
    return false;
  const auto *Alloc = dyn_cast<CallBase>(I.getArgOperand(2)->stripPointerCasts());
  return Alloc && Alloc->arg_size() >= 6 &&
         fork(Alloc->getArgOperand(5), {number(0), of(I.getArgOperand(2))});
}

/// The arguments of a call. A struct may be passed by its address. If such a struct is a variable
/// argument, it is loaded, because the callee does not see this address. A function type without
/// fixed parameters counts as one without a prototype: all arguments are parameters.
std::vector<Operand> Reader::argumentsOf(const CallBase &I) {
  unsigned Fixed = I.getFunctionType()->getNumParams();
  std::vector<Operand> Operands = {number(I.arg_size())};
  for (unsigned N = 0; N < I.arg_size(); ++N) {
    Operand Argument = of(I.getArgOperand(N));
    if (I.isByValArgument(N) && Fixed > 0 && N >= Fixed)
      Argument = ofDraft(draft(SIS_BLAME_LOAD, {Argument, number(0)}));
    Operands.push_back(Argument);
  }
  return Operands;
}

/// Whether inline assembly may change memory that is no operand. Assembly without instructions only
/// keeps the compiler from moving code.
static bool changesMemory(const InlineAsm &Assembly, const InlineAsm::ConstraintInfoVector &List) {
  return !StringRef(Assembly.getAsmString()).trim().empty() &&
         llvm::any_of(List, [](const InlineAsm::ConstraintInfo &C) {
           return C.Type == InlineAsm::isClobber && llvm::is_contained(C.Codes, "{memory}");
         });
}

/// Inline assembly computes its outputs from its inputs, as the constraints say. For an operand in
/// memory, its address is an argument. Assembly with the clobber "memory" is an ASSEMBLY.
void Reader::readAssembly(const CallBase &I) {
  const auto &Assembly = *cast<InlineAsm>(I.getCalledOperand());
  InlineAsm::ConstraintInfoVector List = Assembly.ParseConstraints();
  std::vector<Operand> Inputs;
  std::vector<unsigned> Outputs; // arguments that are addresses of outputs
  unsigned N = 0;
  for (const InlineAsm::ConstraintInfo &C : List) {
    bool Output = C.Type == InlineAsm::isOutput;
    if (!C.hasArg() || N == I.arg_size())
      continue;
    if (Output)
      Outputs.push_back(N);
    else if (C.isIndirect)
      Inputs.push_back(ofDraft(draft(
          SIS_BLAME_LOAD, {of(I.getArgOperand(N)), number(sizeOf(I.getParamElementType(N)))})));
    else
      Inputs.push_back(of(I.getArgOperand(N)));
    ++N;
  }
  Inputs.insert(Inputs.begin(), number(Inputs.size()));
  size_t Result =
      draft(changesMemory(Assembly, List) ? SIS_BLAME_ASSEMBLY : SIS_BLAME_COMPUTE, Inputs, &I);
  for (unsigned Output : Outputs)
    draft(SIS_BLAME_STORE, {of(I.getArgOperand(Output)), ofDraft(Result),
                            number(sizeOf(I.getParamElementType(Output)))});
}

/// The called function or, of a virtual call, one of the overriders or what the table has.
Operand Reader::calleeOf(const CallBase &I) {
  need(I.getCalledOperand());
  std::vector<Operand> Operands = {number(0), of(I.getCalledOperand())};
  for (const llvm::Function *F : Module.Tables.overriders(I)) {
    need(F);
    Operands.push_back(of(F));
  }
  if (Operands.size() == 2)
    return Operands[1];
  Operands[0] = number(Operands.size() - 1);
  return ofDraft(draft(SIS_BLAME_MEET, std::move(Operands)));
}

/// Makes the drafts of a call that gives the address of the exception that is thrown or caught. All
/// exceptions are one global variable, because a handler does not know which `throw` it serves.
bool Reader::readException(const CallBase &I, const llvm::Function &Callee) {
  StringRef Name = Callee.getName();
  if (Name != "__cxa_allocate_exception" && Name != "__cxa_begin_catch" &&
      Name != "__cxa_get_exception_ptr")
    return false;
  draft(SIS_BLAME_ADDRESS, {number(Module.Names.exception())}, &I);
  return true;
}

void Reader::readCall(const CallBase &I) {
  const auto *Callee = dyn_cast<llvm::Function>(I.getCalledOperand()->stripPointerCasts());
  if (const auto *Known = dyn_cast<IntrinsicInst>(&I); Known && readIntrinsic(*Known))
    return;
  if (Callee && (readOpenMP(I, *Callee) || readException(I, *Callee)))
    return;
  if (I.isInlineAsm()) {
    readAssembly(I);
    return;
  }
  std::vector<Operand> Operands = argumentsOf(I);
  Operands.insert(Operands.begin(), calleeOf(I));
  const DebugLoc &At = I.getDebugLoc();
  Operands.push_back({Operand::Column, nullptr, At ? At.getCol() : 0, At ? At.getLine() : 0});
  draft(SIS_BLAME_CALL, std::move(Operands), &I);
}

void Reader::readTerminator(const Instruction &I) {
  const Value *Condition = nullptr;
  if (const auto *B = dyn_cast<BranchInst>(&I))
    Condition = B->isConditional() ? B->getCondition() : nullptr;
  else if (const auto *S = dyn_cast<SwitchInst>(&I))
    Condition = S->getCondition();
  else if (const auto *J = dyn_cast<IndirectBrInst>(&I))
    Condition = J->getAddress();
  else if (isa<CallBrInst, InvokeInst>(I))
    readCall(cast<CallBase>(I));
  if (isa<ReturnInst>(I))
    draft(SIS_BLAME_RETURN, {I.getNumOperands() ? of(I.getOperand(0)) : number(0)});
  else if (Condition || I.getNumSuccessors() > 1)
    Branches[I.getParent()] =
        draft(SIS_BLAME_BRANCH, {Condition ? of(Condition) : number(0)}) + 1;
}

void Reader::read(const Instruction &I) {
  if (I.isTerminator())
    readTerminator(I);
  else if (isa<CastInst, FreezeInst>(I))
    SameAs[&I] = I.getOperand(0);
  else if (const auto *A = dyn_cast<AllocaInst>(&I))
    readAlloca(*A);
  else if (const auto *L = dyn_cast<LoadInst>(&I))
    draft(SIS_BLAME_LOAD, {of(L->getPointerOperand()), number(sizeOf(L->getType()))}, &I);
  else if (const auto *A = dyn_cast<VAArgInst>(&I))
    draft(SIS_BLAME_LOAD, {of(A->getPointerOperand()), number(sizeOf(A->getType()))}, &I);
  else if (const auto *S = dyn_cast<StoreInst>(&I))
    draft(SIS_BLAME_STORE, {of(S->getPointerOperand()), of(S->getValueOperand()),
                            number(sizeOf(S->getValueOperand()->getType()))});
  else if (const auto *G = dyn_cast<GetElementPtrInst>(&I))
    readAddress(*G);
  else if (const auto *P = dyn_cast<PHINode>(&I)) {
    std::vector<Operand> Operands;
    list(Operands, SmallVector<const Value *>(P->incoming_values()));
    draft(SIS_BLAME_MEET, std::move(Operands), &I);
  } else if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
    readAtomic(I);
  else if (const auto *C = dyn_cast<CallBase>(&I))
    readCall(*C);
  else if (!isa<FenceInst>(I))
    compute(I);
}

// -- output ---------------------------------------------------------------------------------------

uint32_t Reader::resolve(const Value *V) const {
  for (auto At = SameAs.find(V); At != SameAs.end(); At = SameAs.find(V))
    V = At->second;
  return Numbers.lookup(V);
}

void Reader::writeValues(BlameFunction &Out) const {
  uint32_t Before = 0;
  Out.Values = Drafts.size();
  for (const Draft &D : Drafts) {
    Out.ValueBytes.number(D.Op);
    Out.ValueBytes.number(D.Statement);
    Out.ValueBytes.difference(int64_t(D.Block) - Before);
    Before = D.Block;
    for (const Operand &O : D.Operands)
      if (O.Kind == Operand::OfValue)
        Out.ValueBytes.number(resolve(O.V));
      else if (O.Kind == Operand::OfDraft)
        Out.ValueBytes.number(O.N + 1);
      else if (O.Kind == Operand::Signed)
        Out.ValueBytes.difference(O.N);
      else if (O.Kind == Operand::Column)
        Out.Columns.push_back({Out.ValueBytes.bytes().size(), O.Line, unsigned(O.N)});
      else
        Out.ValueBytes.number(O.N);
  }
}

void Reader::writeBlocks(BlameFunction &Out) const {
  Controllers Control = controllersOf(F);
  Out.Blocks = F.size();
  for (const BasicBlock &B : F) {
    Out.BlockBytes.number(succ_size(&B));
    for (const BasicBlock *Next : successors(&B))
      Out.BlockBytes.number(Blocks.lookup(Next));
    const auto &Of = Control[&B];
    Out.BlockBytes.number(Of.size());
    for (const BasicBlock *Controller : Of)
      Out.BlockBytes.number(Branches.lookup(Controller));
  }
}

void Reader::run() {
  for (const BasicBlock &B : F)
    Blocks.try_emplace(&B, Blocks.size());
  heads();
  for (const BasicBlock &B : F) {
    Block = Blocks.lookup(&B);
    Statement = 0;
    for (const Instruction &I : B)
      if (I.getDebugLoc()) { // earlier ones without a position get its statement
        if (Block)
          statementOf(I);
        break;
      }
    for (const Instruction &I : B) {
      statementOf(I);
      read(I);
    }
  }
  BlameFunction &Out = Module.Unit.Functions[Self - 1];
  for (const Argument &A : F.args()) {
    const DILocalVariable *Variable = Prepared.Parameters.lookup(&A);
    Out.Parameters.push_back(Variable ? objectOf(Variable) : 0);
  }
  writeValues(Out);
  writeBlocks(Out);
}

void readValues(llvm::Function &F, const StatementTable *Table, ModuleFacts &Module) {
  Reader(F, Table, Module).run();
}

} // namespace sis
