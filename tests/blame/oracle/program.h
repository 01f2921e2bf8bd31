// SPDX-License-Identifier: BSD-3-Clause
// program.h - the program as instrument.cc and replay.cc both see it: numbers for functions,
// globals, blocks and calls, and the models of library functions.
#ifndef SIS_TEST_BLAME_PROGRAM_H
#define SIS_TEST_BLAME_PROGRAM_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace oracle {

// A range of bytes that a library function reads or writes (models.def).
struct Range {
	bool writes;
	unsigned argument;
	char length; // 's', 'n', 'm', or 'k' for a constant
	unsigned first, second;
};
struct Model {
	bool heap = false, copies = false;
	std::vector<Range> ranges;
};
const Model *findModel(llvm::StringRef name);

enum class Kind { Pure, Move, Fill, VaStart, VaCopy, Nothing, Call, Unsupported };
// What a call instruction is to the oracle.
Kind kindOf(const llvm::CallBase &call);

// Numbers that do not change as long as the module is not changed.
struct Numbers {
	explicit Numbers(llvm::Module &module);
	std::vector<llvm::GlobalObject *> symbols; // that the program defines
	std::vector<llvm::CallBase *> calls;       // of Kind::Call
	llvm::DenseMap<const llvm::GlobalObject *, uint32_t> symbol;
	llvm::DenseMap<const llvm::BasicBlock *, uint32_t> block; // in its function
	llvm::DenseMap<const llvm::CallBase *, uint32_t> call;
	std::string unsupported; // why the program cannot be judged; empty: it can
};

inline bool isWord(const llvm::Type *type)
{
	return type->isPointerTy() || (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
}

} // namespace oracle

int instrument(llvm::Module &module, const char *output);
int replay(llvm::Module &module, const char *trace, bool explicitOnly);

#endif
