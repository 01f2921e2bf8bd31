/* SPDX-License-Identifier: BSD-3-Clause */
/* preload.h - the environment in which the runtime measures a command and its children. */
#ifndef SIS_ANALYSIS_PRELOAD_H
#define SIS_ANALYSIS_PRELOAD_H

#include "base/err.h"

struct preload {
	char *directory; /* of the experiment: an absolute path */
	char *run_id;
};

/* Makes the directory of the experiment. `name`: its name; NULL: the default name for this program.
 * `command`: the words of the command, NULL at the end. */
int preload_make_directory(struct preload *preload, const char *name, const char *const *command,
			   struct err *err);
/* Sets LD_PRELOAD and SIS_* in the environment of this process. */
int preload_set_environment(const struct preload *preload, struct err *err);
void preload_remove_directory(const struct preload *preload); /* if nothing was executed */
void preload_release(struct preload *preload);

#endif
