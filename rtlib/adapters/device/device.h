/* SPDX-License-Identifier: BSD-3-Clause */
/* device.h - what a thread of the host spends for devices: nodes of the call graph, and the numbers
 * of bytes in them. Called by the thread itself; keeps errno.
 *
 * A device is no processing unit, so its work is not measured. The leaf of all these nodes is
 * OSYNC_DEVICE. The bytes are user values (SIS_VALUE) of the nodes.
 */
#ifndef SIS_DEVICE_H
#define SIS_DEVICE_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

enum sis_direction { SIS_TO_DEVICE, SIS_FROM_DEVICE, SIS_BETWEEN_DEVICES, SIS_DIRECTIONS };

/* The entry for a function of CUDA's driver or of HIP (device_entry.def) that a program gets by its
 * name, as from dlsym. real: what the program would get. Returns the runtime's entry, which calls
 * `real`; or `real` itself, if the function is not in the table. */
SIS_EXPORT void *sis__device_entry(const char *name, void *real);

#pragma GCC visibility pop
#endif
