/* SPDX-License-Identifier: BSD-3-Clause */
// extents.h - questions about the extents of regions.
#ifndef SIS_FRONTEND_EXTENTS_H
#define SIS_FRONTEND_EXTENTS_H

#include <cstdint>
#include <utility>

struct sis_ast;

namespace sis {

struct Region;

/// The text inside a region. For a pair of directives: from the first directive to the second,
/// without the second.
std::pair<unsigned, unsigned> extentOf(const sis_ast &Ast, const Region &R);

/// Numbers of a function's regions: of the first, and one more than of the last.
std::pair<uint32_t, uint32_t> regionsOf(const sis_ast &Ast, uint32_t Function);

/// Whether one region begins inside the other and ends outside it.
bool overlap(const sis_ast &Ast, const Region &One, const Region &Other);

} // namespace sis

#endif
