/* SPDX-License-Identifier: BSD-3-Clause */
// number_regions.h - the last step of collecting: puts the regions into their order and numbers
// them.
#ifndef SIS_FRONTEND_NUMBER_REGIONS_H
#define SIS_FRONTEND_NUMBER_REGIONS_H

#include "clang/text/directive.h"

namespace sis {

/// Sorts the regions, finds parents, names and ordinals, and connects directives with their
/// regions.
void numberRegions(sis_ast &Ast, Reporter &Report);

} // namespace sis

#endif
