/* SPDX-License-Identifier: BSD-3-Clause */
/* option_values.c - see option_values.h. Owns nothing; one thread. An unknown value is an error of
 * use that suggests similar ones. */
#include "commands/option_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int select_type(const struct cli *cli, const char *command, enum sis_region_type *type,
		struct err *err)
{
	const char *name = cli_get(cli, "--type");
	*type = name ? sis_region_by_name(name, strlen(name)) : CR_NONE;
	if (!name || *type)
		return 0;
	const char *near = sis_region_suggest(name, strlen(name));
	return err_usage(err, "%s: unknown type '%s'%s%s; `sisc --sis-list` lists them", command,
			 name, near ? "; did you mean " : "", near ? near : "");
}

int select_types(const struct cli *cli, const char *command, char **list, struct err *err)
{
	enum sis_region_type group;
	*list = NULL;
	if (select_type(cli, command, &group, err))
		return ERR_USAGE;
	if (!group)
		return 0;
	*list = mem_string(",");
	for (int i = 1; i < SIS_REGION_TYPES; i++)
		if (sis_region_in(i, group)) {
			char *longer = mem_print("%s%s,", *list, sis_region_table[i].name);
			free(*list);
			*list = longer;
		}
	return 0;
}

int select_pu(const struct cli *cli, const char *command, int64_t *process, int64_t *thread,
	      struct err *err)
{
	int p, t, end = 0;
	const char *pu = cli_get(cli, "--pu");
	*process = *thread = -1;
	if (!pu)
		return 0;
	if (sscanf(pu, "%d.%d%n", &p, &t, &end) != 2 || pu[end] || p < 0 || t < 0)
		return err_usage(err, "%s: '%s' is no processing unit; write PROCESS.THREAD, for "
				 "example 0.1", command, pu);
	*process = p;
	*thread = t;
	return 0;
}

int select_metric(const struct cli *cli, const char *command, const char **metric, struct err *err)
{
	const char *name = *metric = cli_get(cli, "--metric");
	if (!name || sis_metric_by_name(name, strlen(name)) || strncasecmp(name, "PAPI(", 5) == 0)
		return 0;
	const char *near = sis_measured_suggest(name, strlen(name));
	return err_usage(err, "%s: unknown metric '%s'%s%s; `sis-analyze counters` lists them",
			 command, name, near ? "; did you mean " : "", near ? near : "");
}

int select_overhead(const char *name, const char *command, enum sis_overhead *overhead,
		    struct err *err)
{
	*overhead = sis_overhead_by_name(name, strlen(name));
	if (*overhead)
		return 0;
	const char *near = sis_overhead_suggest(name, strlen(name));
	return err_usage(err, "%s: unknown overhead '%s'%s%s; `sis-analyze overhead` shows all",
			 command, name, near ? "; did you mean " : "", near ? near : "");
}
