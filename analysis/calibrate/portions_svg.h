/* SPDX-License-Identifier: BSD-3-Clause */
/* portions_svg.h - a picture of the portions, one bar for each setting. */
#ifndef SIS_ANALYSIS_PORTIONS_SVG_H
#define SIS_ANALYSIS_PORTIONS_SVG_H

#include <stdio.h>

#include "calibrate/portions.h"

/* Bars of I, C inside, C outside, C trace and W of a call that enters one region. Each part has its
 * medians in a <title>. */
void portions_svg(const struct calibration *c, const portion_list *list, FILE *out);

#endif
