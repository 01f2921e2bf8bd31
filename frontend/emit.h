// emit.h - the instrumented source of a unit.
#ifndef SIS_FRONTEND_EMIT_H
#define SIS_FRONTEND_EMIT_H

#include "unit.h"

namespace sis {

/// False on conflicting edits, with the reason in Result.
bool emitUnit(const sis_ast &Ast, const char *Prologue, std::string &Result);

} // namespace sis

#endif
