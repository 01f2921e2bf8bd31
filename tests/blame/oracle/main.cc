// SPDX-License-Identifier: BSD-3-Clause
// main.cc - the oracle: which work of a run was needed for which variables of main and globals, by
// dynamic slicing. README says how it works and how it is used.
//
//      oracle instrument PROG.bc OUT.bc
//      oracle replay PROG.bc TRACE [--explicit]
//
// Exit status: 3 if the program has something that the oracle does not follow.
#include "program.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <cstring>

using namespace llvm;

int main(int argc, char **argv)
{
	if (argc < 4) {
		errs() << "usage: oracle instrument PROG.bc OUT.bc | replay PROG.bc TRACE"
			  " [--explicit]\n";
		return 2;
	}
	LLVMContext context;
	SMDiagnostic problem;
	std::unique_ptr<Module> module = parseIRFile(argv[2], problem, context);
	if (!module) {
		problem.print("oracle", errs());
		return 1;
	}
	if (!strcmp(argv[1], "instrument"))
		return instrument(*module, argv[3]);
	return replay(*module, argv[3], argc > 4 && !strcmp(argv[4], "--explicit"));
}
