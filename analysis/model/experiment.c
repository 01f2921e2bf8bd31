/* SPDX-License-Identifier: BSD-3-Clause */
/* experiment.c - the container: warnings, summaries, bookings, and the end of all it owns. One
 * thread. */
#include "model/experiment.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/regions.h"
#include "read/unified_read.h"

const char *const warning_kind_names[WARNING_KINDS] = {
	[WARNING_RUN] = "run",   [WARNING_SAMPLED] = "sampled", [WARNING_COUNTS] = "counts",
	[WARNING_LOST] = "lost", [WARNING_COST] = "cost",       [WARNING_UNMEASURED] = "unmeasured",
};

/* Takes the text over. */
static void add_warning(struct experiment *x, enum warning_kind kind, char *text)
{
	for (size_t i = 0; i < x->warning.n; i++)
		if (strcmp(x->warning.at[i].text, text) == 0) {
			free(text);
			return;
		}
	*vec_push(&x->warning) = (struct warning){ kind, text };
}

void experiment_warn(struct experiment *x, const char *format, ...)
{
	char *text = NULL;
	va_list args;
	va_start(args, format);
	if (vasprintf(&text, format, args) >= 0)
		add_warning(x, WARNING_RUN, text);
	va_end(args);
}

void experiment_warn_of(struct experiment *x, enum warning_kind kind, const char *format, ...)
{
	char *text = NULL;
	va_list args;
	va_start(args, format);
	if (vasprintf(&text, format, args) >= 0)
		add_warning(x, kind, text);
	va_end(args);
}

static struct index_key summary_key(const void *list, uint32_t item)
{
	const struct summary *s = &((const struct experiment *)list)->summary.at[item];
	return (struct index_key){ s->node, s->pu };
}

uint32_t experiment_summary(const struct experiment *x, uint32_t node, uint32_t pu)
{
	return index_get(&x->summary_by_key, summary_key, x, node, pu);
}

uint32_t experiment_add_summary(struct experiment *x, uint32_t node, uint32_t pu)
{
	uint32_t i = index_put(&x->summary_by_key, summary_key, x, node, pu, x->summary.n);
	if (i == x->summary.n)
		*vec_push(&x->summary) = (struct summary){ .node = node, .pu = pu,
			.min_ns = INT64_MAX, .max_ns = -1 };
	return i;
}

static uint64_t booking_leaf_key(uint32_t pu, enum sis_overhead leaf)
{
	return (uint64_t)pu * SIS_OVERHEADS + leaf;
}

static struct index_key booking_key(const void *list, uint32_t item)
{
	const struct booking *b = &((const struct experiment *)list)->booking.at[item];
	return (struct index_key){ b->node, booking_leaf_key(b->pu, b->leaf) };
}

void experiment_book(struct experiment *x, uint32_t node, uint32_t pu, enum sis_overhead leaf,
		     int64_t ns)
{
	if (ns == 0 || leaf == O_NONE)
		return;
	uint32_t i = index_put(&x->booking_by_key, booking_key, x, node, booking_leaf_key(pu, leaf),
			       x->booking.n);
	if (i == x->booking.n)
		*vec_push(&x->booking) = (struct booking){ .node = node, .pu = pu, .leaf = leaf };
	x->booking.at[i].ns += ns;
	x->pu.at[pu].leaves_ns += ns;
}

void process_wait(struct process *process, uint32_t node, enum sis_overhead leaf, int64_t ns)
{
	if (ns <= 0 || node == NONE)
		return;
	if (!process->waits)
		process->waits = mem_alloc(process->profile.node.n, sizeof *process->waits);
	struct waits *w = &process->waits[node];
	int i = 0;
	while (i < WAIT_LEAVES - 1 && w->leaf[i] != O_NONE && w->leaf[i] != leaf)
		i++;
	if (w->leaf[i] == O_NONE)
		w->leaf[i] = leaf;
	w->ns[i] += ns;
}

static void release_process(struct process *p)
{
	profile_release(&p->profile);
	free(p->global);
	free(p->order);
	free(p->incl_ns);
	free(p->excl_ns);
	free(p->waits);
	vec_free(&p->calls);
}

void experiment_release(struct experiment *x)
{
	for (size_t i = 0; i < x->process.n; i++)
		release_process(&x->process.at[i]);
	if (x->unified)
		unified_close(x->unified);
	free(x->unified);
	for (size_t i = 0; i < x->region.n; i++)
		region_release(&x->region.at[i]);
	for (size_t i = 0; i < x->metric.n; i++)
		free(x->metric.at[i]);
	for (size_t i = 0; i < x->warning.n; i++)
		free(x->warning.at[i].text);
	for (size_t i = 0; i < x->unit.n; i++) {
		struct source_unit *u = &x->unit.at[i];
		free(u->source), free(u->directory), free(u->compiler);
		free(u->flags), free(u->sisc), free(u->checksum);
	}
	for (size_t i = 0; i < x->file.n; i++)
		free(x->file.at[i].path), free(x->file.at[i].checksum);
	vec_free(&x->file), strmap_free(&x->file_by_path);
	vec_free(&x->process), vec_free(&x->region), vec_free(&x->node), vec_free(&x->pu);
	vec_free(&x->summary), vec_free(&x->value), vec_free(&x->user_value), vec_free(&x->booking),
		vec_free(&x->unit);
	vec_free(&x->metric), vec_free(&x->warning), vec_free(&x->sync_event),
		vec_free(&x->blocked), vec_free(&x->critical);
	for (size_t i = 0; i < x->communicator.n; i++)
		free(x->communicator.at[i].name);
	vec_free(&x->communicator), vec_free(&x->traffic), map_free(&x->traffic_by_key);
	vec_free(&x->sync_point), vec_free(&x->wait_state), vec_free(&x->idle_wait),
		vec_free(&x->matched_call);
	vec_free(&x->delay_cost), vec_free(&x->reported_wait), map_free(&x->delay_cost_by_key);
	strmap_free(&x->region_by_identity), strmap_free(&x->metric_by_name);
	map_free(&x->user_value_by_key);
	map_free(&x->node_by_region), index_free(&x->summary_by_key),
		index_free(&x->booking_by_key), map_free(&x->region_by_text);
	free(x->directory), free(x->run_id), free(x->program), free(x->base);
	*x = (struct experiment){ 0 };
}
