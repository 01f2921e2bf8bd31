/* SPDX-License-Identifier: BSD-3-Clause */
/* chrome_names.c - the names of a trace's region and value ids, quoted once for all events. Owns
 * them; one thread. */
#include <stdlib.h>
#include <string.h>

#include "export/chrome.h"

enum { MOST_IDS = 1 << 24 }; /* a larger id is damage */

static char *quoted(const char *name)
{
	char *text = NULL;
	size_t length = 0;
	struct json json;
	FILE *out = open_memstream(&text, &length);
	if (!out)
		return mem_string("\"?\"");
	json_init(&json, out);
	json.depth = 1; /* the value is inside of a larger one, so no line end follows it */
	json_string(&json, name);
	fclose(out);
	return text;
}

static void set(strings *list, uint32_t id, const char *name)
{
	if (id >= MOST_IDS || !name[0])
		return;
	while (list->n <= id)
		vec_push(list);
	free(list->at[id]);
	list->at[id] = quoted(name);
}

/* Reads `NAME,NAME,...`, the names of ids from 1 on: types of regions get their label, routines
 * their name. */
static void read_builtin(struct chrome_names *names, char *text)
{
	uint32_t id = 1;
	for (char *name = strtok(text, ","); name; name = strtok(NULL, ","), id++) {
		enum sis_region_type type = sis_region_by_name(name, strlen(name));
		set(&names->region, id, type ? sis_region_table[type].label : name);
	}
}

static void read_tu(struct chrome_names *names, const struct trace *trace,
		    const struct trace_text *text)
{
	struct sis_profile_unit tu;
	struct idf_tu idf;
	struct err err = { 0 };
	if (text->length < sizeof tu)
		return;
	memcpy(&tu, text->text, sizeof tu);
	if (tu.length > text->length - sizeof tu || tu.first_id >= MOST_IDS ||
	    idf_read(&idf, text->text + sizeof tu, tu.length, trace->path, &err))
		return;
	for (uint32_t k = 0; k < idf.region.n; k++)
		set(&names->region, tu.first_id + k, idf.region.at[k].name);
	idf_release(&idf);
}

void chrome_names_read(struct chrome_names *names, const struct trace *trace)
{
	*names = (struct chrome_names){ 0 };
	for (size_t i = 0; i < trace->text.n; i++) {
		const struct trace_text *text = &trace->text.at[i];
		if (text->kind == SIS_TRACE_BUILTIN)
			read_builtin(names, text->text);
		else if (text->kind == SIS_TRACE_UNIT)
			read_tu(names, trace, text);
		else if (text->kind == SIS_TRACE_VALUE)
			set(&names->value, text->id, text->text);
	}
}

static void release(strings *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->at[i]);
	vec_free(list);
}

void chrome_names_release(struct chrome_names *names)
{
	release(&names->region);
	release(&names->value);
}
