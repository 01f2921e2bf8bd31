/* SPDX-License-Identifier: BSD-3-Clause */
/* command.h - struct command, and the context that all commands get. */
#ifndef SIS_ANALYSIS_COMMAND_H
#define SIS_ANALYSIS_COMMAND_H

#include "base/cli.h"
#include "base/table.h"
#include "repository/database/repository.h"
#include "repository/store/store.h"

struct context {
	struct cli cli;
	enum format format;
	bool color;         /* stdout is a terminal that has colours */
	const char *db;     /* path of the repository */
	struct repo *repo;  /* set by context_open */
	bool is_own_run;    /* what is imported is the run that `run` has made */
	/* `run` has executed a command: this process ends as the command did, with this status of
	 * wait */
	bool has_status;
	int status;
};

struct command {
	const char *name;
	const char *arguments; /* the arguments in the usage */
	const char *summary;   /* one line, without a full stop */
	const char *help;      /* an explanation that ends with an example */
	const struct cli_option *options; /* options in addition to the common ones; NULL: none */
	size_t most_arguments;
	int (*run)(struct context *c, struct err *err);
};

extern const struct command cmd_import, cmd_list, cmd_show, cmd_report, cmd_regions, cmd_overhead,
	cmd_summary, cmd_imbalance, cmd_compare, cmd_speedup, cmd_ratio, cmd_waits, cmd_messages,
	cmd_sensors, cmd_suggest_filter, cmd_suggest_regions, cmd_idf, cmd_export, cmd_rm, cmd_gc,
	cmd_merge, cmd_sql, cmd_counters, cmd_calibrate, cmd_control, cmd_env, cmd_blame, cmd_view,
	cmd_top, cmd_run, cmd_collect;

int context_open(struct context *c, enum repo_mode mode, struct err *err);
/* Finds the experiment that the first argument names, or without arguments the newest. Opens the
 * repository first. If the argument is a directory, imports it. */
int context_experiment(struct context *c, int64_t *id, struct err *err);
/* Finds the experiment of an id, a name or a directory, without checking its rows. */
int context_find(struct context *c, const char *name, int64_t *id, struct err *err);
/* Finds an experiment like context_find, and checks its rows (stored_check.h). If there is a
 * directory of a run with this name, the directory is used, and not a stored experiment of this
 * name, because another run may have been written there since. */
int context_named(struct context *c, const char *name, int64_t *id, struct err *err);
/* Finds the experiment that argument k names, as context_named does. */
int context_nth(struct context *c, size_t k, int64_t *id, struct err *err);
/* Finds the experiments of --seq and --par1; an id is 0 if the option is not given. */
#define REFERENCE_OPTIONS \
	{ \
		"--seq", "EXP", \
		"the sequential run (default: of --role seq and the same application, best of " \
		"the same arguments)" \
	}, \
	{ \
		"--par1", "EXP", \
			"the parallel version on one processing unit (default: of --role par1, " \
			"chosen likewise)" \
	}
int context_references(struct context *c, int64_t *seq, int64_t *par1, struct err *err);
/* Finds the experiment of a directory, and imports it unless the repository has all of it
 * already. */
int context_import(struct context *c, const char *directory, const struct store_options *options,
		   int64_t *id, struct err *err);

#endif
