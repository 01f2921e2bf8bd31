// emit_crossings.h - the text of what has several ways in and out.
#ifndef SIS_FRONTEND_EMIT_CROSSINGS_H
#define SIS_FRONTEND_EMIT_CROSSINGS_H

#include "emit/edits.h"
#include "unit/range_index.h"
#include "unit/unit.h"

namespace sis {

/// A variable with doors: its declaration, and the expressions that say "inside" and "outside".
struct CrossingText {
  std::string Declare, Enter, Leave;
};

/// The variable and all its doors but begin and end. Of two variables, the one with the smaller number is
/// entered first and left last.
void emitCrossings(Edits &All, const sis_ast &Ast, const RangeIndex &Ends, uint32_t Function, const Crossings &Ways,
               uint32_t Number, const CrossingText &Text);

/// Of all regions, by their number: where they end.
RangeIndex regionEnds(const sis_ast &Ast);

/// How deep a region's own edits lie, for Edits; what lies just inside it is one more.
inline uint32_t depthOf(uint32_t Region) { return 2 * Region; }

} // namespace sis

#endif
