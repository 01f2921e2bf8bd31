/* SPDX-License-Identifier: BSD-3-Clause */
// builder.h - makes the BlameUnit of a translation unit from Clang's syntax tree and from LLVM's
// code. One parse gives both. The code is never compiled: the user's compiler makes the program.
#ifndef SIS_FRONTEND_BUILDER_H
#define SIS_FRONTEND_BUILDER_H

#include "clang/parse/rejected.h"
#include "clang/text/flat_text.h"

#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/IR/LLVMContext.h"

#include <memory>

namespace sis {

class BlameBuilder {
public:
  /// Requests code with positions, and without optimization.
  static void configure(clang::CodeGenOptions &Options);

  explicit BlameBuilder(clang::CompilerInstance &CI) : CI(CI) {}

  /// Fills Unit, after the whole file is parsed and laid out. Functions that clang rejects are left
  /// out. Returns "", or the reason why Unit cannot be filled.
  std::string build(const RejectedFunctions &Rejected, const FlatText &Flat,
                    const std::vector<Directive> &Directives, BlameUnit &Unit);

private:
  void makeCode(const RejectedFunctions &Rejected);

  clang::CompilerInstance &CI;
  llvm::LLVMContext Code;
  std::unique_ptr<clang::CodeGenerator> Generator;
};

} // namespace sis

#endif
