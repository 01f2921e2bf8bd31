/* SPDX-License-Identifier: BSD-3-Clause */
// expand_folds.h - how the folds of the flat text are written.
#ifndef SIS_FRONTEND_EXPAND_FOLDS_H
#define SIS_FRONTEND_EXPAND_FOLDS_H

#include "emit/edits.h"
#include "tu/tu.h"

namespace sis {

/// A replacement that does not by itself cause the folds around it to be written out.
struct Blank {
  unsigned First, Last;
  std::string Text;
};
/// Adds the edits for all folds. A fold is written as in the source or, if an edit lies strictly
/// inside, as its text.
void writeFolds(sis_ast &Ast, Edits &All, const std::vector<Blank> &Blanks);

/// A line `#line`.
std::string lineDirective(const LineMark &Mark);

} // namespace sis

#endif
