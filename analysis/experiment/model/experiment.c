/* SPDX-License-Identifier: BSD-3-Clause */
/* experiment.c - finds and adds summaries, and releases the model. Called by one thread. */
#include "experiment/model/experiment.h"

#include <stdlib.h>

#include "experiment/model/regions.h"

static struct index_key summary_key(const void *list, uint32_t item)
{
	const struct summary *s = &((const struct experiment_model *)list)->summary.at[item];
	return (struct index_key){ s->node, s->pu };
}

uint32_t model_summary(const struct experiment_model *m, uint32_t node, uint32_t pu)
{
	return index_get(&m->summary_by_key, summary_key, m, node, pu);
}

uint32_t model_add_summary(struct experiment_model *m, uint32_t node, uint32_t pu)
{
	uint32_t i = index_put(&m->summary_by_key, summary_key, m, node, pu, m->summary.n);
	if (i == m->summary.n)
		*vec_push(&m->summary.fill) = (struct summary){
			.node = node, .pu = pu, .min_ns = INT64_MAX, .max_ns = -1,
		};
	return i;
}

void model_release(struct experiment_model *m)
{
	vec_free(&m->sampled.fill);
	vec_free(&m->called.fill);
	for (size_t i = 0; i < m->process.n; i++) {
		struct process *p = &m->process.fill.at[i];
		profile_release(&p->profile);
		free((void *)p->global), free((void *)p->order);
		free((void *)p->incl_ns), free((void *)p->excl_ns);
		free((void *)p->incl_variance), free((void *)p->excl_variance);
		free(p->between_ns);
	}
	for (size_t i = 0; i < m->region.n; i++)
		region_release(&m->region.fill.at[i]);
	for (size_t i = 0; i < m->metric.n; i++)
		free(m->metric.fill.at[i]);
	for (size_t i = 0; i < m->tu.n; i++) {
		struct tu *tu = &m->tu.fill.at[i];
		free(tu->source), free(tu->directory), free(tu->compiler);
		free(tu->flags), free(tu->sisc), free(tu->checksum);
	}
	for (size_t i = 0; i < m->file.n; i++)
		free(m->file.at[i].path), free(m->file.at[i].checksum);
	for (size_t i = 0; i < m->switched.n; i++)
		free(m->switched.at[i].cause), free(m->switched.at[i].place),
			free(m->switched.at[i].action);
	free(m->base);
	vec_free(&m->switched);
	vec_free(&m->process), vec_free(&m->region), vec_free(&m->node), vec_free(&m->pu);
	vec_free(&m->turned_down);
	vec_free(&m->summary), vec_free(&m->value), vec_free(&m->user_value);
	vec_free(&m->metric), vec_free(&m->tu), vec_free(&m->file);
	strmap_free(&m->region_by_identity), strmap_free(&m->metric_by_name);
	strmap_free(&m->file_by_path);
	map_free(&m->user_value_by_key), map_free(&m->node_by_region);
	map_free(&m->region_by_text), index_free(&m->summary_by_key);
}
