/* SPDX-License-Identifier: BSD-3-Clause */
// inline_library.h - makes the code of libraries that is in headers a part of the user's functions.
#ifndef SIS_FRONTEND_INLINE_LIBRARY_H
#define SIS_FRONTEND_INLINE_LIBRARY_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

namespace sis {

/// Inlines the functions of libraries in those of the user, so that an element of a std::vector is
/// memory behind the vector. The inlined code has the positions of the user's calls, as the samples
/// in it have. Recursive functions stay, and so do calls in a function that has become too large.
/// Ways to code that only cleans up after an exception are removed from all functions.
void inlineLibrary(llvm::Module &All,
                   llvm::function_ref<bool(const llvm::Function &)> IsOfLibrary);

} // namespace sis

#endif
