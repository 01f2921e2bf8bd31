/* SPDX-License-Identifier: BSD-3-Clause */
// emit.h - the instrumented source of a unit.
#ifndef SIS_FRONTEND_EMIT_H
#define SIS_FRONTEND_EMIT_H

#include "tu/tu.h"

namespace sis {

/// False on conflicting edits, with the reason in Result. Notes which files the text holds
/// (Ast.Inlined).
bool emitTu(sis_ast &Ast, const char *Prologue, std::string &Result);

} // namespace sis

#endif
