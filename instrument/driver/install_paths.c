/* SPDX-License-Identifier: BSD-3-Clause */
/* install_paths.c - finds the installation that this sisc belongs to. Called by ast_loader.c,
 * cmdline.c, compile.c, link.c.
 * The idea: all paths are relative to the executable, so a tree can be moved or copied. */
#include "driver/install_paths.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *sis_install_prefix(struct err *err)
{
	static char path[PATH_MAX];
	if (path[0])
		return path;
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
	if (length < 0) {
		err_errno(err, "find sisc's installation through", "/proc/self/exe");
		return NULL;
	}
	path[length] = '\0';
	for (int parts = 0; parts < 2; parts++) { /* removes /sisc, then /bin */
		char *slash = strrchr(path, '/');
		if (slash)
			*slash = '\0';
	}
	return path;
}

char *sis_install_find(const char *prefix, const char *name)
{
	char *path = mem_print("%s/%s", prefix, name);
	if (access(path, R_OK) == 0)
		return path;
	free(path);
	return NULL;
}

const char *sis_install_headers(void)
{
	static char *headers;
	struct err none = { 0 };
	const char *prefix = headers ? NULL : sis_install_prefix(&none);
	if (prefix)
		headers = sis_install_find(prefix, "lib/sis/include");
	return headers;
}
