/* SPDX-License-Identifier: BSD-3-Clause */
/* option_values.c - see option_values.h. Owns nothing; one thread. For an unknown value, the error
 * suggests similar ones. */
#include "commands/option_values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"

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

/* Reads a number, or `*` as -1, and moves *text behind it. Returns false if the text is neither. */
static bool read_number(const char **text, int64_t *number)
{
	size_t length = **text == '*' ? 1 : strspn(*text, "0123456789");
	if (!length || length > 9)
		return false;
	*number = **text == '*' ? -1 : strtol(*text, NULL, 10);
	*text += length;
	return true;
}

/* Reads one pattern, and moves *text to the comma after it, or to the end. */
static bool read_pattern(const char **text, struct pu_pattern *p)
{
	p->thread = -1;
	if (!read_number(text, &p->process))
		return false;
	if (**text == '.') {
		++*text;
		if (!read_number(text, &p->thread))
			return false;
	}
	return **text == ',' || !**text;
}

int select_pus(const struct cli *cli, const char *command, pu_patterns *patterns, struct err *err)
{
	const char *list;
	for (size_t k = 0; (list = cli_nth(cli, "--pu", k)); k++)
		for (const char *at = list;; at++) {
			if (!read_pattern(&at, vec_push(patterns)))
				return err_usage(err, "%s: '%s' names no processing units; write "
						 "PROCESS, PROCESS.THREAD or *.THREAD, for example "
						 "0,1.1", command, list);
			if (!*at)
				break;
		}
	return 0;
}

/* The length of the first name in a list. A comma within PAPI(event) does not end a name. */
static size_t name_length(const char *list)
{
	size_t n = 0;
	for (int depth = 0; list[n] && (depth > 0 || list[n] != ','); n++)
		depth += (list[n] == '(') - (list[n] == ')');
	return n;
}

int select_metrics(const struct cli *cli, const char *command, struct measures *m, struct err *err)
{
	int rc = 0;
	const char *list;
	for (size_t k = 0; rc == 0 && (list = cli_nth(cli, "--metric", k)); k++)
		for (size_t n;; list += n + 1) {
			n = name_length(list);
			char *name = mem_print("%.*s", (int)n, list);
			struct err unused = { .text = "" };
			if (measure_variable(m, name, &unused) < 0) {
				const char *near = sis_metric_suggest(name, n);
				rc = err_usage(err, "%s: unknown metric '%s'%s%s; `sis-analyze "
					       "counters` and `sisc --sis-list` list them", command,
					       name, near ? "; did you mean " : "",
					       near ? near : "");
			}
			free(name);
			if (rc || !list[n])
				break;
		}
	return rc;
}

int select_percent(const struct cli *cli, const char *command, const char *option, double *part,
		   struct err *err)
{
	const char *text = cli_get(cli, option);
	char *end;
	if (!text)
		return 0;
	double value = strtod(text, &end);
	if (end == text || (*end && strcmp(end, "%") != 0) || !(value >= 0 && value < 1e6))
		return err_usage(err, "%s: %s '%s' is no percentage; write for example %s 5%%",
				 command, option, text, option);
	*part = value / 100;
	return 0;
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

/* Reads seconds as nanoseconds; `otherwise` if the option is not given. */
static int select_seconds(const struct cli *cli, const char *command, const char *option,
			  int64_t otherwise, int64_t *ns, struct err *err)
{
	const char *text = cli_get(cli, option);
	char *end;
	*ns = otherwise;
	if (!text)
		return 0;
	double seconds = strtod(text, &end);
	*ns = clamp_round(seconds * 1e9);
	if (end != text && !*end && seconds >= 0 && seconds < 1e9)
		return 0;
	return err_usage(err, "%s: bad %s '%s'; write seconds since the run began, for example "
			 "1.5", command, option, text);
}

int select_interval(const struct cli *cli, const char *command, bool *given, int64_t *from_ns,
		    int64_t *to_ns, struct err *err)
{
	*given = cli_get(cli, "--from") || cli_get(cli, "--to");
	int rc = select_seconds(cli, command, "--from", 0, from_ns, err);
	rc = rc ? rc : select_seconds(cli, command, "--to", -1, to_ns, err);
	if (rc == 0 && *to_ns >= 0 && *to_ns <= *from_ns)
		return err_usage(err, "%s: --to is not after --from; write the earlier time with "
				 "--from", command);
	return rc;
}

int select_pause(const struct cli *cli, const char *command, int64_t *ns, struct err *err)
{
	const char *text = cli_get(cli, "--interval");
	char *end;
	double seconds = text ? strtod(text, &end) : 1;
	if (text && (end == text || *end || !isfinite(seconds) || seconds < 0.1 || seconds > 3600))
		return err_usage(err, "%s: --interval '%s' is no number of seconds from 0.1 to "
				 "3600", command, text);
	*ns = (int64_t)(seconds * 1e9);
	return 0;
}
