/* SPDX-License-Identifier: BSD-3-Clause */
// initial_values.h - the addresses in the initial values of global objects.
#ifndef SIS_FRONTEND_INITIAL_VALUES_H
#define SIS_FRONTEND_INITIAL_VALUES_H

#include "clang/blame/values.h"

namespace sis {

/// Adds a function without a name that stores these addresses, if there are any. Nothing calls this
/// function. Its stores tell the analysis which functions a table of functions has.
void readInitialValues(const llvm::Module &All, ModuleFacts &Module);

} // namespace sis

#endif
