// finish.h - puts the collected regions into their order, and fills in what depends on it.
#ifndef SIS_FRONTEND_FINISH_H
#define SIS_FRONTEND_FINISH_H

#include "directive.h"

namespace sis {

void finishUnit(sis_ast &Ast, Reporter &Report);

/// The text that is inside a region: of a pair, what stands between the two, with the first.
std::pair<unsigned, unsigned> extentOf(const sis_ast &Ast, const Region &R);

/// The regions of a function: first, and one behind the last.
std::pair<uint32_t, uint32_t> regionsOf(const sis_ast &Ast, uint32_t Function);

/// Whether one begins inside the other and ends outside it.
bool overlap(const sis_ast &Ast, const Region &One, const Region &Other);

} // namespace sis

#endif
