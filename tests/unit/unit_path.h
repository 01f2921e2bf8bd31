/* SPDX-License-Identifier: BSD-3-Clause */
/* unit_path.h - where tests write: below TMPDIR, as /tmp may be full, or another user's. */
#ifndef SIS_TESTS_UNIT_PATH_H
#define SIS_TESTS_UNIT_PATH_H

#include <stdio.h>
#include <stdlib.h>

enum { UNIT_PATH = 256 }; /* bytes of a name, with its 0 */

/* Makes and returns the template of a name, for mkstemp() and mkdtemp(). */
static inline char *unit_template(char name[UNIT_PATH])
{
	const char *folder = getenv("TMPDIR");
	snprintf(name, UNIT_PATH, "%s/sis-unit-XXXXXX", folder && *folder ? folder : "/tmp");
	return name;
}

#endif
