/* SPDX-License-Identifier: BSD-3-Clause */
/* source_checksum.h - the checksum of a source file: sis_fnv of its bytes, 16 hexadecimal digits in
 * descriptions. sis-analyze uses it to check that a file has not changed since sisc compiled it.
 *
 * The checksum also keeps sis-analyze from printing a file that was never a source. An experiment
 * may come from another user, and may name any file of its reader, such as /etc/shadow. Such a file
 * is printed only if the experiment has its checksum. So the author of the experiment would have to
 * know or guess the checksum. A guess has one chance in 2^64 for each file that a description
 * names.
 *
 * LIMIT: FNV-1a is not a cryptographic hash. A text with the same checksum as a known text can be
 * made, and is then shown as the text that was compiled. The output also shows whether a checksum
 * was right. So somebody who guesses the contents of a whole file can check the guess, as with any
 * hash. */
#ifndef SIS_SCHEMA_SOURCE_CHECKSUM_H
#define SIS_SCHEMA_SOURCE_CHECKSUM_H

#include "fnv.h"

/* Larger files get no checksum and are never shown, because no source is larger. */
#define SIS_SOURCE_MOST_BYTES ((int64_t)64 << 20)

#endif
