/* SPDX-License-Identifier: BSD-3-Clause */
/* installed.c - see installed.h. An installation can be moved, so the kernel is asked where this
 * program is. Any thread may call this file. */
#include "base/installed.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void installed_lib(char *path, size_t size)
{
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	self[length < 0 ? 0 : length] = '\0';
	for (int up = 0; up < 2 && strrchr(self, '/'); up++)
		*strrchr(self, '/') = '\0';
	snprintf(path, size, "%s/lib", self);
}
