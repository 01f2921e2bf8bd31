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

/// The numbers of a function's regions, as a half-open range.
std::pair<uint32_t, uint32_t> regionsOf(const sis_ast &Ast, uint32_t Function);

/// Whether one region begins inside the other and ends outside it.
bool overlap(const sis_ast &Ast, const Region &One, const Region &Other);

} // namespace sis

#endif
