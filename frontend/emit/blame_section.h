/* SPDX-License-Identifier: BSD-3-Clause */
// blame_section.h - writes a unit's blob for section `sis_blame` as text of C.
#ifndef SIS_FRONTEND_BLAME_SECTION_H
#define SIS_FRONTEND_BLAME_SECTION_H

#include "emit/edits.h"
#include "tu/tu.h"

namespace sis {

/// Declarations that put the blob of Ast into the section. Emitted says where the pieces of the
/// flat text are in Text, which the compiler reads.
std::string blameSection(const sis_ast &Ast, const std::string &Text,
                         const std::vector<CopiedPiece> &Emitted);

} // namespace sis

#endif
