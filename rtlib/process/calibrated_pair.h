/* SPDX-License-Identifier: BSD-3-Clause */
/* calibrated_pair.h - loops of pairs of probes, whose time calibrate.c measures. */
#ifndef SIS_CALIBRATED_PAIR_H
#define SIS_CALIBRATED_PAIR_H

#pragma GCC visibility push(hidden)

#define SIS_CALIBRATED_ID 1u /* the region's id; sis__self has a thread with such a node */

/* Returns the ticks of so many pairs around nothing. */
unsigned long long sis__time_pairs(unsigned pairs);
/* Returns the ticks of so many successive bodies, with or without a pair around each. Each step of
 * a body takes some 2 ns and uses the result of the step before. */
unsigned long long sis__time_bodies(unsigned bodies, unsigned steps, int with_pairs);

#pragma GCC visibility pop
#endif
