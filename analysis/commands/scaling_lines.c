/* SPDX-License-Identifier: BSD-3-Clause */
/* scaling_lines.c - see scaling_lines.h. Owns nothing; one thread. An array of values has the value
 * of a metric in each run of a set; NaN: the run has no value. */
#include "commands/scaling_lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/sort.h"

#define WITHOUT_PROBES "WTIME_WITHOUT_PROBES"

static void ratio_cell(struct table *table, double above, double below)
{
	table_real_or_null(table, below > 0 && above >= 0 ? above / below : NAN);
}

/* The value with which runs are compared: the mean, or the smallest, of all repetitions of run
 * `like`. */
static double base_value(const struct scaling_set *set, const double *value, size_t like)
{
	double sum = 0, least = value[like];
	size_t n = 0;
	for (size_t i = 0; i < set->n; i++) {
		if (isnan(value[i]) || !runs_repeat(&set->run[i], &set->run[like]))
			continue;
		sum += value[i];
		least = value[i] < least ? value[i] : least;
		n++;
	}
	return set->kind == BASE_BEST ? least : sum / (double)n;
}

/* Compares how well runs a and b fit as the predecessor of run `of`. The larger p fits better, then
 * the same build and command, then a parallel run. */
static int by_fit(const struct run *a, const struct run *b, const struct run *of)
{
	bool same_a = a->version == of->version && strcmp(a->command, of->command) == 0,
	     same_b = b->version == of->version && strcmp(b->command, of->command) == 0;
	return ORDER(a->p, b->p) ?: same_a - same_b ?: b->sequential - a->sequential;
}

/* The best-fitting run on the next smaller number of PUs than run i has; returns i if there is
 * none. */
static size_t predecessor(const struct scaling_set *set, const double *value, size_t i)
{
	size_t found = i;
	for (size_t k = 0; k < set->n; k++)
		if (!isnan(value[k]) && set->run[k].p < set->run[i].p &&
		    (found == i || by_fit(&set->run[k], &set->run[found], &set->run[i]) > 0))
			found = k;
	return found;
}

static double base_units(const struct run *base)
{
	return base->sequential ? 1 : (double)base->p;
}

/* Adds time, speedup and efficiency of a run without probes; nulls if these are not known for the
 * run or its base. */
static void add_without(struct table *table, const struct scaling_set *set, const double *value,
			size_t base, size_t i)
{
	bool known = value && !isnan(value[i]);
	if (known)
		table_seconds(table, clamp_round(value[i] * 1e9));
	else
		table_null(table);
	known = known && !isnan(value[base]);
	double t_base = known ? base_value(set, value, base) : NAN;
	ratio_cell(table, t_base, known ? value[i] : NAN);
	ratio_cell(table, t_base * base_units(&set->run[base]),
		   known ? value[i] * (double)set->run[i].p : NAN);
}

/* Adds a line for each run of the set that has the region. value: its value in each run, NaN: none;
 * without: the same without probes, NULL: not known. */
static void add_lines(struct table *table, const struct scaling_set *set, const char *region,
		      const char *key, const double *value, const double *without)
{
	size_t base = 0;
	while (base < set->n && isnan(value[base]))
		base++;
	for (size_t i = base; i < set->n; i++) {
		if (isnan(value[i]))
			continue;
		const struct run *run = &set->run[i];
		double t = value[i], t_base = base_value(set, value, base),
		       p_base = base_units(&set->run[base]);
		size_t before = predecessor(set, value, i);
		table_text(table, run->set), table_text(table, region),
			table_text(table, run->name);
		table_integer(table, run->p);
		if (set->is_time)
			table_seconds(table, clamp_round(t * 1e9));
		else
			table_null(table);
		ratio_cell(table, t_base, t);
		table_real_or_null(table, t_base > 0 ? (t_base - t) / t_base : NAN);
		ratio_cell(table, t_base * p_base, t * (double)run->p);
		if (before == i)
			table_null(table);
		else
			ratio_cell(table,
				   base_value(set, value, before) *
					   (double)set->run[before].p,
				   t * (double)run->p);
		table_text(table, key), table_text(table, set->metric);
		table_real(table, t);
		add_without(table, set, without, base, i);
	}
}

/* The value, in each run, of all regions with a name or, if no region has it, of a call path; NaN:
 * there is neither. The caller frees *value. */
static int named_values(double **value, struct context *c, const struct scaling_set *set,
			const struct scaling_values *values, const char *metric, const char *name,
			struct err *err)
{
	int rc = 0;
	bool any = false;
	*value = mem_alloc(set->n, sizeof **value);
	for (size_t i = 0; i < set->n; i++) {
		const struct region_times *times = &set->times[i];
		double sum = NAN;
		for (size_t r = 0; r < times->region.n; r++) {
			double of_region = values[i].region[r];
			if (!isnan(of_region) && region_time_is(&times->region.at[r], name))
				sum = isnan(sum) ? of_region : sum + of_region;
		}
		(*value)[i] = sum;
		any |= !isnan(sum);
	}
	for (size_t i = 0; rc == 0 && !any && i < set->n; i++)
		rc = scaling_value_of(&(*value)[i], c->repo, &set->run[i], metric, name, err);
	return rc;
}

static int add_named(struct table *table, struct context *c, const struct scaling_set *set,
		     const char *name, bool *found, struct err *err)
{
	double *value = NULL, *without = NULL;
	int rc = named_values(&value, c, set, set->values, set->metric, name, err);
	if (set->without)
		rc = rc ? rc : named_values(&without, c, set, set->without, WITHOUT_PROBES, name,
					    err);
	for (size_t i = 0; rc == 0 && i < set->n; i++)
		*found |= !isnan(value[i]);
	if (rc == 0)
		add_lines(table, set, name, NULL, value, without);
	free(value), free(without);
	return rc;
}

static void add_program(struct table *table, const struct scaling_set *set)
{
	double *value = mem_alloc(set->n, sizeof *value),
	       *without = set->without ? mem_alloc(set->n, sizeof *without) : NULL;
	for (size_t i = 0; i < set->n; i++) {
		value[i] = set->values[i].program;
		if (without)
			without[i] = set->without[i].program;
	}
	add_lines(table, set, "program", NULL, value, without);
	free(value), free(without);
}

/* The values, in all runs, of each region of the base. The caller frees them. NULL if `values` is
 * NULL. */
static double *values_by_region(const struct scaling_set *set, const struct scaling_values *values)
{
	const struct region_times *base = &set->times[0];
	size_t all = base->region.n * set->n;
	double *value = values ? mem_alloc(all + 1, sizeof *value) : NULL;
	for (size_t i = 0; values && i < all; i++)
		value[i] = NAN;
	for (size_t k = 0; values && k < set->n; k++) {
		size_t *pair = region_times_pair(base, &set->times[k]);
		for (size_t i = 0; i < set->times[k].region.n; i++)
			if (pair[i] != NO_REGION)
				value[pair[i] * set->n + k] = values[k].region[i];
		free(pair);
	}
	return value;
}

/* Adds lines for all regions of the base that are in the source. */
static void add_regions(struct table *table, const struct scaling_set *set)
{
	const struct region_times *base = &set->times[0];
	double *value = values_by_region(set, set->values),
	       *without = values_by_region(set, set->without);
	for (size_t i = 0; i < base->region.n; i++)
		if (base->region.at[i].line)
			add_lines(table, set, base->region.at[i].name, base->region.at[i].key,
				  value + i * set->n, without ? without + i * set->n : NULL);
	free(value), free(without);
}

/* -- sets -------------------------------------------------------------------------------------- */

/* Loads the values of a set. Those of the program are not needed if the user names regions. */
static int load_set(struct scaling_set *set, struct context *c, bool regions, struct err *err)
{
	int rc = 0;
	set->times = mem_alloc(set->n, sizeof *set->times);
	set->values = mem_alloc(set->n, sizeof *set->values);
	if (strcmp(set->metric, "WTIME") == 0)
		set->without = mem_alloc(set->n, sizeof *set->without);
	for (size_t i = 0; rc == 0 && i < set->n; i++) {
		if (regions)
			rc = region_times_load(&set->times[i], c->repo, set->run[i].id, err);
		rc = rc ? rc :
			  scaling_values_load(&set->values[i], c->repo, &set->run[i], set->metric,
					      regions ? &set->times[i] : NULL, err);
		if (rc == 0 && set->without)
			rc = scaling_values_load(&set->without[i], c->repo, &set->run[i],
						 WITHOUT_PROBES, regions ? &set->times[i] : NULL,
						 err);
	}
	return rc;
}

int scaling_lines_add(struct table *table, struct scaling_set *set, struct context *c, bool *found,
		      struct err *err)
{
	const char *name;
	bool regions = cli_get(&c->cli, "--regions"), named = cli_get(&c->cli, "--region");
	int rc = load_set(set, c, regions || named, err);
	if (rc == 0 && !named)
		add_program(table, set);
	if (rc == 0 && regions)
		add_regions(table, set);
	for (size_t k = 0; rc == 0 && (name = cli_nth(&c->cli, "--region", k)); k++)
		rc = add_named(table, c, set, name, &found[k], err);
	for (size_t i = 0; i < set->n; i++) {
		region_times_release(&set->times[i]);
		scaling_values_release(&set->values[i]);
		if (set->without)
			scaling_values_release(&set->without[i]);
	}
	free(set->times), free(set->values), free(set->without);
	return rc;
}
