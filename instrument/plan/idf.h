/* SPDX-License-Identifier: BSD-3-Clause */
/* idf.h - the instrumentation description of a unit, and the prologue that carries it into the
 * object file. */
#ifndef SISC_IDF_H
#define SISC_IDF_H

#include "common/base.h"
#include "common/json.h"
#include "plan/sis_plan.h"

/* Appends the unit's object (schema/idf.schema.json). */
void sis_idf_add_tu(struct text *out, const struct sis_plan_facts *facts,
		      const struct sis_plan *plan);

/* The text that goes before the user's source: sis/probe.h and the unit's tables. `include`: path
 * of probe.h. */
void sis_idf_add_prologue(struct text *out, const char *include, const char *json,
			  const struct sis_plan *plan);

#endif
