/* SPDX-License-Identifier: BSD-3-Clause */
// reach.h - the regions that a directive applies to.
//
// A pair of directives reaches the text between the two. A directive without an end reaches its
// function or, if the directive stands outside of functions, its file.
#ifndef SIS_FRONTEND_REACH_H
#define SIS_FRONTEND_REACH_H

#include "tu/range_index.h"

#include <map>
#include <utility>

struct sis_ast;

namespace sis {

struct Region;
struct Directive;

/// Whether the region lies within the directive's reach.
bool regionInDirective(const sis_ast &Ast, const Region &R, const Directive &D);

/// A half-open range of numbers that has all regions within the reach of directive D.
std::pair<uint32_t, uint32_t> regionsWithin(const sis_ast &Ast, const Directive &D);

/// An index of the directives that request regions beyond the region that they name.
class Reach {
public:
  /// Called once, when the functions of all directives are known.
  void fill(const sis_ast &Ast);
  /// The first of these directives, from number From on, that reaches the region; SIS_AST_NONE if
  /// there is none.
  uint32_t next(const sis_ast &Ast, const Region &R, uint32_t From) const;

private:
  RangeIndex Pairs; // number of the directive -> end of its match
  std::map<uint32_t, std::vector<uint32_t>> OfFunction, OfFile; // directives without an end
};

} // namespace sis

#endif
