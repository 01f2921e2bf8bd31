/* SPDX-License-Identifier: BSD-3-Clause */
// emit.h - writes the instrumented source.
#ifndef SIS_FRONTEND_EMIT_H
#define SIS_FRONTEND_EMIT_H

#include "tu/tu.h"

namespace sis {

/// Sets Result to the instrumented source, and Ast.Inlined to the files that this source contains
/// as text. Returns false if edits conflict; then Result is the reason.
bool emitTu(sis_ast &Ast, const char *Prologue, std::string &Result);

} // namespace sis

#endif
