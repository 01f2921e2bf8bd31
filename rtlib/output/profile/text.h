/* SPDX-License-Identifier: BSD-3-Clause */
/* text.h - lines of text in the profile, and warnings. Not called by probes. */
#ifndef SIS_RT_TEXT_H
#define SIS_RT_TEXT_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* Writes a line of text into the profile (SIS_CHUNK_TEXT). */
SIS_EXPORT void sis__text(const char *kind, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Does the same, but writes each text only once. */
void sis__text_once(const char *kind, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Prints one line to stderr ("sis: warning: ...") unless SIS_LOG=quiet, and writes it as a
 * `warning` text. Each warning is given once. */
SIS_EXPORT void sis__warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Warns that measured data is missing because a file could not be written. `error` is the errno.
 * The experiment then counts as incomplete. */
#define sis__warn_unkept(error, ...) \
	(sis__text_once("unkept", "%s", strerror(error)), sis__warn(__VA_ARGS__))

#pragma GCC visibility pop
#endif
