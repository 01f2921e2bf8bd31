/* SPDX-License-Identifier: BSD-3-Clause */
/* idf.h - the instrumentation description of a translation unit, and the prologue, with which the
 * description gets into the object file. */
#ifndef SISC_IDF_H
#define SISC_IDF_H

#include "common/base.h"
#include "common/json.h"
#include "plan/sis_plan.h"

/* Appends the description, one JSON object (schema/idf.schema.json). */
void sis_idf_add_tu(struct buf *out, const struct sis_plan_facts *facts,
		      const struct sis_plan *plan);

/* Appends the text that precedes the user's source: it includes sis/probe.h, whose path is
 * `include`, and has the description and a table of the regions. */
void sis_idf_add_prologue(struct buf *out, const char *include, const char *json,
			  const struct sis_plan *plan);

#endif
