/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin.h - the plugins that --sis-plugin= names. */
#ifndef SISC_PLUGINS_H
#define SISC_PLUGINS_H

#include "common/base.h"
#include "plan/sis_plan.h"

/* Calls each plugin of `names` ("FILE" or "FILE,ARGUMENTS") for a translation unit. The first call
 * loads and starts the plugins. libsis-instrument must be loaded before. 0 or -1. */
int sis_plugins_tu(const struct words *names, struct sis_plan *plan, struct err *err);

#endif
