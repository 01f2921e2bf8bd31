/* SPDX-License-Identifier: BSD-3-Clause */
/* output_file.c - opens and closes the file that an option names. stdout stays open: main.c closes
 * it. */
#include "commands/output_file.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

int output_open(FILE **out, const char *path, const char *option, struct err *err)
{
	*out = path ? fopen(path, "w") : stdout;
	return *out ? 0 : err_fail(err, "cannot write '%s': %s; choose another place with %s", path,
				   strerror(errno), option);
}

int output_close(FILE *out, const char *path, const char *option, struct err *err)
{
	if (!path)
		return 0;
	bool bad = ferror(out);
	bad |= fclose(out) != 0;
	return bad ? err_fail(err, "cannot write '%s': %s; make room, or choose another place "
			      "with %s", path, strerror(errno), option)
		   : 0;
}
