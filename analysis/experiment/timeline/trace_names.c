/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_names.c - reads the names of the region and value ids in a trace. Owns the names; called by
 * one thread.
 *
 * Names come from the texts in the trace, because a damaged profile may have no descriptions. Files
 * are named as in the model. */
#include "experiment/timeline/trace_names.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_IDS = 1 << 24 }; /* a larger id is damage */

static void release_region(struct trace_region *region)
{
	free(region->name);
	free(region->file);
	free(region->function);
}

/* Takes over the strings of `region`. */
static void set_region(struct trace_names *names, uint64_t id, struct trace_region region)
{
	if (id >= MOST_IDS || !region.name[0]) {
		release_region(&region);
		return;
	}
	while (names->region.n <= id)
		vec_push(&names->region);
	release_region(&names->region.at[id]);
	names->region.at[id] = region;
}

/* Reads `NAME,NAME,...`, the names of ids from 1 on. The name of a region type is replaced by the
 * type's label. Names of routines are not changed. */
static void read_builtin(struct trace_names *names, const char *text)
{
	for (uint32_t id = 1; *text; id++) {
		size_t length = strcspn(text, ",");
		char *name = mem_print("%.*s", (int)length, text);
		enum sis_region_type type = sis_region_by_name(name, length);
		const struct sis_routine_info *routine = sis_routine_by_name(name);
		struct trace_region region = { .type = routine ? routine->type : type };
		region.name = mem_string(type ? sis_region_table[type].label : name);
		set_region(names, id, region);
		free(name);
		text += length + (text[length] == ',');
	}
}

static void read_tu(struct trace_names *names, const struct experiment *x,
		    const struct trace *trace, const struct trace_text *text)
{
	struct sis_profile_unit tu;
	struct idf_tu idf;
	struct err err = { 0 };
	if (text->length < sizeof tu)
		return;
	memcpy(&tu, text->text, sizeof tu);
	const char *json = text->text + sizeof tu;
	if (tu.length > text->length - sizeof tu || tu.first_id >= MOST_IDS ||
	    idf_read(&idf, json, tu.length, trace->path, &err))
		return;
	uint64_t description = sis_checksum(json, tu.length);
	for (uint32_t k = 0; k < idf.region.n; k++) {
		const struct region *r = &idf.region.at[k];
		uint32_t known = map_get(&x->model.region_by_text, description, k);
		const char *file = known == MAP_NONE ? r->file : x->model.region.at[known].file;
		set_region(names, (uint64_t)tu.first_id + k,
			   (struct trace_region){
				   .name = mem_string(r->name),
				   .type = r->type,
				   .file = mem_string(file),
				   .function = mem_string(r->function),
				   .line = r->line_start,
			   });
	}
	idf_release(&idf);
}

void trace_names_read(struct trace_names *names, const struct experiment *x,
		      const struct trace *trace)
{
	*names = (struct trace_names){ 0 };
	for (size_t i = 0; i < trace->text.n; i++) {
		const struct trace_text *text = &trace->text.at[i];
		if (text->kind == SIS_TRACE_BUILTIN) {
			read_builtin(names, text->text);
		} else if (text->kind == SIS_TRACE_UNIT) {
			read_tu(names, x, trace, text);
		} else if (text->kind == SIS_TRACE_VALUE && text->id < MOST_IDS &&
			   text->text[0]) {
			while (names->value.n <= text->id)
				vec_push(&names->value);
			free(names->value.at[text->id]);
			names->value.at[text->id] = mem_string(text->text);
		}
	}
}

void trace_names_release(struct trace_names *names)
{
	for (size_t i = 0; i < names->region.n; i++)
		release_region(&names->region.at[i]);
	for (size_t i = 0; i < names->value.n; i++)
		free(names->value.at[i]);
	vec_free(&names->region);
	vec_free(&names->value);
}

char *trace_names_region(const struct trace_names *names, uint32_t id)
{
	return id < names->region.n && names->region.at[id].name ?
		mem_string(names->region.at[id].name) :
		mem_print("region %u", id);
}

char *trace_names_value(const struct trace_names *names, uint32_t id)
{
	return id < names->value.n && names->value.at[id] ? mem_string(names->value.at[id]) :
							    mem_print("value %u", id);
}
