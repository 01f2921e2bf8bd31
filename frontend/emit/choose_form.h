/* SPDX-License-Identifier: BSD-3-Clause */
// choose_form.h - chooses how the probes of each region are written, given the regions that have
// probes.
#ifndef SIS_FRONTEND_CHOOSE_FORM_H
#define SIS_FRONTEND_CHOOSE_FORM_H

#include "tu/tu.h"

namespace sis {

/// Whether the region has probes.
inline bool isEmitted(const Region &R) { return R.Probe >= 0 && !R.Public.obstacle; }

/// Chooses the forms of all regions; called once before the probes are written.
void chooseForms(sis_ast &Ast);

inline bool isPlain(const Region &R) { return R.Plain != Form::None && !R.AsFlag; }
inline Form formOf(const Region &R) { return isPlain(R) ? R.Plain : R.How; }
inline const Point &beginOf(const Region &R) { return isPlain(R) ? R.PlainBegin : R.Begin; }
inline const Point &endOf(const Region &R) { return isPlain(R) ? R.PlainEnd : R.End; }

} // namespace sis

#endif
