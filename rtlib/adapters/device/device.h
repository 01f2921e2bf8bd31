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

/* For an interposed dlsym, which asks for each name: `real` is what the program would get. If the
 * name is that of a function of CUDA's driver or of HIP (device_entry.def), returns the runtime's
 * entry, which calls `real`; else `real`. If the runtime itself asks, returns `real`. */
SIS_EXPORT void *sis__device_entry(const char *name, void *real);

#pragma GCC visibility pop
#endif
