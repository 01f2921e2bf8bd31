/* SPDX-License-Identifier: BSD-3-Clause */
// emit_crossings.h - the inserted text of regions with several entries or exits.
#ifndef SIS_FRONTEND_EMIT_CROSSINGS_H
#define SIS_FRONTEND_EMIT_CROSSINGS_H

#include "emit/edits.h"
#include "tu/range_index.h"
#include "tu/tu.h"

namespace sis {

/// The declaration of the variable, and the expressions that enter and leave the region.
struct CrossingText {
  std::string Declare, Enter, Leave;
};

/// Adds the declaration of the variable, and text at all crossings, but not at the region's begin
/// and end. At one offset, the region with the smaller number is entered first and left last.
void emitCrossings(Edits &All, const sis_ast &Ast, const RangeIndex &Ends, uint32_t Function,
                   const Crossings &Where, uint32_t Number, const CrossingText &Text);

/// An index of the ends of all regions; the keys are the numbers of the regions.
RangeIndex regionEnds(const sis_ast &Ast);

/// The Depth in Edits of a region's own edits. The Depth of text just inside the region is one
/// greater.
inline uint32_t depthOf(uint32_t Region) { return 2 * Region; }

} // namespace sis

#endif
