/* SPDX-License-Identifier: BSD-3-Clause */
// functions.h - the functions that a translation unit defines, and their names.
#ifndef SIS_FRONTEND_FUNCTIONS_H
#define SIS_FRONTEND_FUNCTIONS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace sis {

/// All definitions with a body that the source has, in the order of the source: functions, methods,
/// lambdas, and the patterns of templates; a function stands before those inside it. Not the
/// instantiations of templates, which have no text of their own, and not the functions in operands
/// that are not executed (decltype, sizeof, static_assert).
std::vector<const clang::FunctionDecl *> definedFunctions(const clang::ASTContext &Context);

/// The name of the function in object files, if it is mangled; "" for C, templates and lambdas.
std::string mangledName(const clang::FunctionDecl *F);

/// Whether the operands of the expression are never executed. Those of sizeof may be.
bool isUnevaluated(const clang::Stmt *S);

/// The block that is executed: the body, or the block of `try` if the body is `try` with handlers.
const clang::CompoundStmt *bodyBlock(const clang::FunctionDecl *F);

/// Whether F is the body of a lambda.
bool isLambda(const clang::FunctionDecl *F);

/// The function in which a lambda or the class of a method is defined; NULL if there is none.
const clang::FunctionDecl *functionAround(const clang::FunctionDecl *F);

/// The name if it is an identifier; "" for operators, constructors and the like.
llvm::StringRef identifierOf(const clang::NamedDecl *D);

/// The name as a programmer writes it: `solve`, `grid::Field<T>::update`, `Vector::operator+`. If
/// the name is overloaded, the types of the parameters follow: `norm(const Vector &)`. A lambda is
/// named by its line: `lambda@42 in solve`.
std::string writtenName(const clang::FunctionDecl *F);

} // namespace sis

#endif
