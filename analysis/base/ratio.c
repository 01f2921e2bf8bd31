/* SPDX-License-Identifier: BSD-3-Clause */
/* ratio.c - writes ratios for people (ratio.h). It has no state; any thread may call it. */
#include "base/ratio.h"

#include <math.h>
#include <stdio.h>

/* A value that is printed as zero must not become -0. */
static double without_sign(double value, double smallest)
{
	return fabs(value) < smallest ? 0 : value;
}

const char *ratio_share(char *text, double value)
{
	snprintf(text, RATIO_ROOM, "%.1f %%", without_sign(100 * value, 0.05));
	return text;
}

const char *ratio_factor(char *text, double value)
{
	snprintf(text, RATIO_ROOM, "%.2f", without_sign(value, 0.005));
	return text;
}
