/* SPDX-License-Identifier: BSD-3-Clause */
/* arguments.h - calls in the arguments of measured calls. select.c uses this file after all other
 * decisions about regions. */
#ifndef SISC_ARGUMENTS_H
#define SISC_ARGUMENTS_H

#include "common/filter.h"
#include "plan/choices.h"

/* Measures each call in the arguments of a measured call of a library, unless a filter excludes the
 * inner call, or the inner call has an obstacle. */
void sis__plan_measure_arguments(struct sis_plan *plan, struct filter *filter);

#endif
