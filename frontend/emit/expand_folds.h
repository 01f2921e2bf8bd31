/* SPDX-License-Identifier: BSD-3-Clause */
// expand_folds.h - how the folds of the flat text are written.
#ifndef SIS_FRONTEND_EXPAND_FOLDS_H
#define SIS_FRONTEND_EXPAND_FOLDS_H

#include "emit/edits.h"
#include "tu/tu.h"

namespace sis {

/// Adds the edits that write each fold: as in the source, or as text if an edit lies strictly
/// inside. Blanks are replacements that alone are no reason to write a fold as text.
struct Blank {
  unsigned First, Last;
  std::string Text;
};
void writeFolds(sis_ast &Ast, Edits &All, const std::vector<Blank> &Blanks);

/// `#line`, as a line of its own.
std::string lineDirective(const LineMark &Mark);

} // namespace sis

#endif
