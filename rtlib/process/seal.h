/* SPDX-License-Identifier: BSD-3-Clause */
/* seal.h - the end of the profile: closes open activations, computes the checksums of chunks. */
#ifndef SIS_SEAL_H
#define SIS_SEAL_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

bool sis__store_detach(void); /* what is written from now on does not reach the file */
bool sis__store_finish(const struct sis_time_mark *end); /* false: the file could not be reached */

#pragma GCC visibility pop
#endif
