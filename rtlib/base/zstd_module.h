/* SPDX-License-Identifier: BSD-3-Clause */
/* zstd_module.h - what libsis-zstd.so offers trace_file.c. */
#ifndef SIS_ZSTD_MODULE_H
#define SIS_ZSTD_MODULE_H

#include <stdint.h>

/* Compresses `length` bytes. Returns the size, 0: it did not fit, or failed. One caller at a
 * time. */
__attribute__((visibility("default"))) uint64_t
sis_zstd_compress(void *to, uint64_t room, const void *from, uint64_t length);

#endif
