/* SPDX-License-Identifier: BSD-3-Clause */
/* source_checksum.h - the checksum of a source file, with which sis-analyze checks that a file is
 * still the one that sisc compiled: sis_fnv of its bytes, 16 hexadecimal digits in
 * descriptions.
 *
 * It also keeps sis-analyze from printing a file that was never a source. An experiment may come
 * from another user and name any file of its reader, such as /etc/shadow. That file is printed only
 * if the experiment has its checksum, which its author would have to know or to guess: one chance
 * in 2^64 for each file that a description names.
 *
 * LIMIT: FNV-1a is not a cryptographic hash. A second text with the checksum of a known one can be
 * made, and is then shown as the text that was compiled. The output also shows whether a checksum
 * was right. So it confirms a guess of a whole file to everybody who sees it, as with any hash. */
#ifndef SIS_SCHEMA_SOURCE_CHECKSUM_H
#define SIS_SCHEMA_SOURCE_CHECKSUM_H

#include "fnv.h"

/* No source is larger: larger files get no checksum and are never shown. */
#define SIS_SOURCE_MOST_BYTES ((int64_t)64 << 20)

#endif
