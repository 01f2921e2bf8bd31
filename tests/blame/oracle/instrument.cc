// SPDX-License-Identifier: BSD-3-Clause
// instrument.cc - `oracle instrument`: adds calls of trace.c to a program, so that its trace has
// what replay.cc cannot know: the order of the blocks, and addresses.
#include "program.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

using namespace llvm;
using namespace oracle;

namespace {

class Instrumenter {
public:
	Instrumenter(Module &module, const Numbers &numbers)
	    : module(module), numbers(numbers), word(Type::getInt64Ty(module.getContext())),
	      small(Type::getInt32Ty(module.getContext())),
	      none(Type::getVoidTy(module.getContext())),
	      pointer(PointerType::get(module.getContext(), 0))
	{
		enter = module.getOrInsertFunction("oracle_enter", word, small);
		block = module.getOrInsertFunction("oracle_block", none, small);
		value = module.getOrInsertFunction("oracle_value", none, word);
		string = module.getOrInsertFunction("oracle_string", none, pointer);
		list = module.getOrInsertFunction("oracle_va_list", none, pointer);
		done = module.getOrInsertFunction("oracle_return", none, small, word);
		flush = module.getOrInsertFunction("oracle_flush", none);
		symbol = module.getOrInsertFunction("oracle_symbol", none, small, pointer);
	}

	void run()
	{
		for (GlobalObject *object : numbers.symbols)
			if (auto *function = dyn_cast<Function>(object))
				change(*function);
		addStart();
	}

private:
	Module &module;
	const Numbers &numbers;
	Type *word, *small, *none, *pointer;
	FunctionCallee enter, block, value, string, list, done, flush, symbol;
	Value *activation = nullptr;

	void put(IRBuilder<> &b, Value *v)
	{
		if (v->getType()->isPointerTy())
			v = b.CreatePtrToInt(v, word);
		else if (isWord(v->getType()))
			v = b.CreateZExt(v, word);
		else
			v = ConstantInt::get(word, 0);
		b.CreateCall(value, { v });
	}

	void change(Function &function)
	{
		std::vector<Instruction *> all;
		for (BasicBlock &b : function)
			for (Instruction &instruction : b)
				all.push_back(&instruction);
		for (BasicBlock &b : function) {
			IRBuilder<> builder(&b, b.getFirstInsertionPt());
			builder.SetCurrentDebugLocation(DebugLoc());
			if (&b == &function.getEntryBlock())
				begin(function, builder);
			builder.CreateCall(block,
				{ ConstantInt::get(small, numbers.block.lookup(&b)) });
		}
		for (Instruction *instruction : all)
			change(*instruction);
		// no inlining checks of debug locations: the result is only run
		function.setSubprogram(nullptr);
		for (BasicBlock &b : function)
			for (Instruction &instruction : b) {
				instruction.setDebugLoc(DebugLoc());
				instruction.dropDbgRecords();
			}
	}

	void begin(Function &function, IRBuilder<> &b)
	{
		activation = b.CreateCall(enter,
			{ ConstantInt::get(small, numbers.symbol.lookup(&function)) });
		for (Argument &argument : function.args())
			if (argument.hasByValAttr())
				put(b, &argument);
	}

	void change(Instruction &instruction)
	{
		IRBuilder<> b(&instruction);
		if (auto *load = dyn_cast<LoadInst>(&instruction))
			put(b, load->getPointerOperand());
		else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
			put(b, store->getPointerOperand());
			if (store->getValueOperand()->getType()->isPointerTy())
				put(b, store->getValueOperand());
		} else if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction))
			put(b, atomic->getPointerOperand());
		else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
			put(b, exchange->getPointerOperand());
		else if (auto *alloca = dyn_cast<AllocaInst>(&instruction)) {
			b.SetInsertPoint(alloca->getNextNode());
			put(b, alloca);
			put(b, alloca->getArraySize());
		} else if (auto *call = dyn_cast<CallBase>(&instruction))
			changeCall(*call, b);
	}

	void changeCall(CallBase &call, IRBuilder<> &b)
	{
		switch (kindOf(call)) {
		case Kind::Move:
		case Kind::Fill:
			for (unsigned i = 0; i < 3; i++)
				put(b, call.getArgOperand(i));
			break;
		case Kind::VaCopy:
			put(b, call.getArgOperand(0));
			put(b, call.getArgOperand(1));
			break;
		case Kind::VaStart:
			b.SetInsertPoint(call.getNextNode());
			put(b, call.getArgOperand(0));
			b.CreateCall(list, { call.getArgOperand(0) });
			break;
		case Kind::Call:
			around(call, b);
			break;
		default:
			break;
		}
	}

	void around(CallBase &call, IRBuilder<> &b)
	{
		auto found = numbers.call.find(&call);
		if (found == numbers.call.end())
			return; // one of ours
		for (Value *argument : call.args())
			put(b, argument);
		if (call.doesNotReturn())
			b.CreateCall(flush, {});
		if (auto *plain = dyn_cast<CallInst>(&call))
			plain->setTailCallKind(CallInst::TCK_None);
		b.SetInsertPoint(call.getNextNode());
		b.CreateCall(done, { ConstantInt::get(small, found->second), activation });
		put(b, call.getType()->isVoidTy() ? ConstantInt::get(word, 0) : (Value *)&call);
		const Function *callee =
			dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
		if (!callee || !callee->isDeclaration())
			return;
		for (const Range &range : findModel(callee->getName())->ranges)
			if (range.length == 's')
				b.CreateCall(string, { call.getArgOperand(range.argument) });
	}

	// A constructor that runs first says where functions and globals are.
	void addStart()
	{
		auto *start = Function::Create(FunctionType::get(none, false),
			GlobalValue::InternalLinkage, "oracle_start", module);
		IRBuilder<> b(BasicBlock::Create(module.getContext(), "", start));
		for (uint32_t i = 0; i < numbers.symbols.size(); i++)
			b.CreateCall(symbol, { ConstantInt::get(small, i), numbers.symbols[i] });
		b.CreateRetVoid();
		appendToGlobalCtors(module, start, 0);
	}
};

} // namespace

int instrument(Module &module, const char *output)
{
	Numbers numbers(module);
	if (!numbers.unsupported.empty()) {
		errs() << "oracle: not followed: " << numbers.unsupported << "\n";
		return 3;
	}
	Instrumenter(module, numbers).run();
	std::error_code error;
	raw_fd_ostream stream(output, error, sys::fs::OF_None);
	if (error) {
		errs() << "oracle: error: cannot write '" << output << "': " << error.message()
		       << "\n";
		return 1;
	}
	WriteBitcodeToFile(module, stream);
	return 0;
}
