/* SPDX-License-Identifier: BSD-3-Clause */
/* starter.h - programs that only start other programs. */
#ifndef SIS_RT_STARTER_H
#define SIS_RT_STARTER_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

bool sis__is_starter(void); /* this process executes such a program */

#pragma GCC visibility pop
#endif
