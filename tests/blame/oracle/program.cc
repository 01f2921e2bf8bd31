// SPDX-License-Identifier: BSD-3-Clause
// program.cc - see program.h.
#include "program.h"

using namespace llvm;

namespace oracle {

static Model parse(const char *text)
{
	Model model;
	for (const char *p = text; *p;) {
		std::string word;
		while (*p && *p != ' ')
			word += *p++;
		while (*p == ' ')
			p++;
		if (word == "heap")
			model.heap = true;
		else if (word == "c")
			model.copies = true;
		else {
			Range range = { word[0] == 'w', unsigned(word[1] - '0'), word[2], 0, 0 };
			if (range.length == 'n' || range.length == 'm')
				range.first = word[3] - '0';
			if (range.length == 'm')
				range.second = word[4] - '0';
			if (range.length >= '0' && range.length <= '9') {
				range.first = range.length - '0';
				range.length = 'k';
			}
			model.ranges.push_back(range);
		}
	}
	return model;
}

const Model *findModel(StringRef name)
{
	static const std::map<std::string, Model> models = {
#define MODEL(name, text) { #name, parse(text) },
#include "models.def"
#undef MODEL
	};
	auto found = models.find(name.str());
	return found == models.end() ? nullptr : &found->second;
}

static Kind kindOfIntrinsic(const IntrinsicInst &call)
{
	switch (call.getIntrinsicID()) {
	case Intrinsic::memcpy:
	case Intrinsic::memcpy_inline:
	case Intrinsic::memmove: return Kind::Move;
	case Intrinsic::memset: return Kind::Fill;
	case Intrinsic::vastart: return Kind::VaStart;
	case Intrinsic::vacopy: return Kind::VaCopy;
	case Intrinsic::dbg_declare:
	case Intrinsic::dbg_value:
	case Intrinsic::dbg_label:
	case Intrinsic::lifetime_start:
	case Intrinsic::lifetime_end:
	case Intrinsic::vaend:
	case Intrinsic::stackrestore:
	case Intrinsic::prefetch:
	case Intrinsic::trap:
	case Intrinsic::assume: return Kind::Nothing;
	case Intrinsic::stacksave: return Kind::Pure;
	default: return call.mayWriteToMemory() ? Kind::Unsupported : Kind::Pure;
	}
}

Kind kindOf(const CallBase &call)
{
	if (auto *intrinsic = dyn_cast<IntrinsicInst>(&call))
		return kindOfIntrinsic(*intrinsic);
	if (auto *text = dyn_cast<InlineAsm>(call.getCalledOperand())) // an empty one is a barrier
		return text->getAsmString().empty() && call.getType()->isVoidTy()
			? Kind::Nothing : Kind::Unsupported;
	return Kind::Call;
}

// Empty if the oracle can follow the instruction.
static std::string reasonAgainst(const Instruction &instruction)
{
	if (isa<VAArgInst, IndirectBrInst, CallBrInst, InvokeInst>(instruction))
		return instruction.getOpcodeName();
	auto *call = dyn_cast<CallBase>(&instruction);
	if (!call)
		return "";
	Kind kind = kindOf(*call);
	if (kind == Kind::Unsupported)
		return call->isInlineAsm() ? "inline assembly" : "an intrinsic function";
	const Function *callee = dyn_cast<Function>(call->getCalledOperand()->stripPointerCasts());
	if (kind == Kind::Call && callee && callee->isDeclaration() &&
	    !findModel(callee->getName()))
		return "library function " + callee->getName().str();
	return "";
}

Numbers::Numbers(Module &module)
{
	for (GlobalVariable &global : module.globals())
		if (!global.isDeclaration() && !global.isThreadLocal() &&
		    !global.getName().starts_with("llvm."))
			symbols.push_back(&global);
	for (Function &function : module)
		if (!function.isDeclaration())
			symbols.push_back(&function);
	for (GlobalObject *object : symbols)
		symbol.insert({ object, uint32_t(symbol.size()) });
	for (Function &function : module) {
		uint32_t n = 0;
		for (BasicBlock &b : function) {
			block[&b] = n++;
			for (Instruction &instruction : b) {
				if (unsupported.empty())
					unsupported = reasonAgainst(instruction);
				auto *c = dyn_cast<CallBase>(&instruction);
				if (c && kindOf(*c) == Kind::Call) {
					call[c] = uint32_t(calls.size());
					calls.push_back(c);
				}
			}
		}
	}
}

} // namespace oracle
