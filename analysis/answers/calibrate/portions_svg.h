/* SPDX-License-Identifier: BSD-3-Clause */
/* portions_svg.h - draws a picture of the portions, with a bar for each setting. */
#ifndef SIS_ANALYSIS_PORTIONS_SVG_H
#define SIS_ANALYSIS_PORTIONS_SVG_H

#include <stdio.h>

#include "answers/calibrate/portions.h"

/* Draws bars of the portions I, C inside, C outside, C trace and W, for a call that enters one
 * region. The <title> of each part has its median. */
void portions_svg(const struct calibration *c, const portion_list *list, FILE *out);

#endif
