/* SPDX-License-Identifier: BSD-3-Clause */
/* balance.h - notes leaves and enters that do not match. Builds with DEBUG=1 name the regions at
 * the end. */
#ifndef SIS_RT_BALANCE_H
#define SIS_RT_BALANCE_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

enum sis_imbalance { SIS_LEFT_CLOSED, SIS_NOT_LEFT };
#ifdef SIS_DEBUG
void sis__imbalance(uint32_t id, enum sis_imbalance what); /* notes the imbalance */
void sis__imbalances_print(void);                          /* called at the end of the run */
#else
static inline void sis__imbalance(uint32_t id, enum sis_imbalance what) { (void)id, (void)what; }
static inline void sis__imbalances_print(void) { }
#endif

#pragma GCC visibility pop
#endif
