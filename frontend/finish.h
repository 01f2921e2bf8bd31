// finish.h - puts the collected regions into their order, and fills in what depends on it.
#ifndef SIS_FRONTEND_FINISH_H
#define SIS_FRONTEND_FINISH_H

#include "directive.h"

namespace sis {

void finishUnit(sis_ast &Ast, Reporter &Report);

/// Whether region Index lies between the directive and its match.
bool regionInDirective(const sis_ast &Ast, const Region &R, const Directive &D);

} // namespace sis

#endif
