/* SPDX-License-Identifier: BSD-3-Clause */
/* runtime_helper.c - see runtime_helper.h. */
#include "commands/runtime_helper.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/installed.h"

/* Finds the helper in lib/sis, beside the folder of this program. */
int runtime_helper_find(char *path, size_t size, struct err *err)
{
	char lib[PATH_MAX];
	installed_lib(lib, sizeof lib);
	snprintf(path, size, "%s/sis/sis-counters", lib);
	return access(path, X_OK) == 0 ?
		0 :
		err_fail(err, "cannot find '%s'; install sis-analyze with the runtime", path);
}
