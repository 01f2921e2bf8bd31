/* SPDX-License-Identifier: BSD-3-Clause */
/* text.h - lines of text in the profile, and warnings. Not from probes. */
#ifndef SIS_RT_TEXT_H
#define SIS_RT_TEXT_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* A line of SIS_CHUNK_TEXT. */
SIS_EXPORT void sis__text(const char *kind, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The same, once for each text. */
void sis__text_once(const char *kind, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* One line to stderr ("sis: warning: ...") unless SIS_LOG=quiet, and a `warning` text; each
 * once. */
SIS_EXPORT void sis__warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, if something measured is missing because a file could not be written, with this errno:
 * the experiment is not complete then. */
#define sis__warn_unkept(error, ...) \
	(sis__text_once("unkept", "%s", strerror(error)), sis__warn(__VA_ARGS__))

#pragma GCC visibility pop
#endif
