/* SPDX-License-Identifier: BSD-3-Clause */
/* options_check.h - errors in --sis-* options that do not depend on the source. */
#ifndef SISC_OPTIONS_CHECK_H
#define SISC_OPTIONS_CHECK_H

#include "driver/options.h"

/* Returns 0, or -1 if a list or filter file is wrong (reported). */
int sis_check_options(const struct options *options);

#endif
