/* SPDX-License-Identifier: BSD-3-Clause */
/* seal.h - seals the profile: closes open activations, and computes the checksums of chunks. */
#ifndef SIS_SEAL_H
#define SIS_SEAL_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

bool sis__store_detach(void); /* from now on stores do not reach the file */
/* Seals the profile. False: its file could not be reached. */
bool sis__store_finish(const struct sis_time_mark *end);

#pragma GCC visibility pop
#endif
