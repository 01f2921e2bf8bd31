/* SPDX-License-Identifier: BSD-3-Clause */
// expand_folds.h - how the folds of the flat text are written.
#ifndef SIS_FRONTEND_EXPAND_FOLDS_H
#define SIS_FRONTEND_EXPAND_FOLDS_H

#include "emit/edits.h"
#include "tu/tu.h"

namespace sis {

/// A replacement that alone is no reason to write out the folds around it.
struct Blank {
  unsigned First, Last;
  std::string Text;
};
/// Adds the edits that write each fold: as in the source, or as text if an edit lies strictly
/// inside.
void writeFolds(sis_ast &Ast, Edits &All, const std::vector<Blank> &Blanks);

/// A line `#line`.
std::string lineDirective(const LineMark &Mark);

} // namespace sis

#endif
