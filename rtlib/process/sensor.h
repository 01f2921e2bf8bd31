/* SPDX-License-Identifier: BSD-3-Clause */
/* sensor.h - samples the load of the host during the run. */
#ifndef SIS_RT_SENSOR_H
#define SIS_RT_SENSOR_H

#pragma GCC visibility push(hidden)

void sis__sensors_start(void);       /* when there is a file */
void sis__sensors_end(void);         /* the last sample */
void sis__sensors_stop(void);        /* no more samples except the last */
void sis__sensors_new_process(void); /* in a forked child, which samples nothing */

#pragma GCC visibility pop
#endif
