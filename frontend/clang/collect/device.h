/* SPDX-License-Identifier: BSD-3-Clause */
// device.h - the functions that OpenMP may run on a device.
#ifndef SIS_FRONTEND_DEVICE_H
#define SIS_FRONTEND_DEVICE_H

#include "clang/parse/recorder.h"
#include "clang/parse/rejected.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

#include "llvm/ADT/DenseSet.h"

namespace sis {

/// The canonical declarations of functions that are declared for devices, or that are used by code
/// that may run on one. The compiler generates device code for both.
using DeviceFunctions = llvm::DenseSet<const clang::FunctionDecl *>;
DeviceFunctions deviceFunctions(clang::ASTContext &Context, const RejectedFunctions &Rejected,
                                const Record &Seen);

} // namespace sis

#endif
