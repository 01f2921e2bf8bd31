/* SPDX-License-Identifier: BSD-3-Clause */
/* recorded_time.h - the time that the profile of this thread has recorded so far. */
#ifndef SIS_CALIBRATED_RECORDED_TIME_H
#define SIS_CALIBRATED_RECORDED_TIME_H

/* The sum of the ticks of all activations of the region that the calling function left last; 0 if
 * the program is not measured. */
unsigned long long recorded_ticks(void);

#endif
