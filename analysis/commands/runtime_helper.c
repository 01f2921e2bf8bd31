/* SPDX-License-Identifier: BSD-3-Clause */
/* runtime_helper.c - see runtime_helper.h. */
#include "commands/runtime_helper.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Finds the helper in lib/sis, beside the folder of this program. */
int runtime_helper_find(char *path, size_t size, struct err *err)
{
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	self[length < 0 ? 0 : length] = '\0';
	for (int up = 0; up < 2 && strrchr(self, '/'); up++)
		*strrchr(self, '/') = '\0';
	snprintf(path, size, "%s/lib/sis/sis-counters", self);
	return access(path, X_OK) == 0 ?
		0 :
		err_fail(err, "cannot find '%s'; install sis-analyze with the runtime", path);
}
