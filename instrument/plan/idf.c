/* SPDX-License-Identifier: BSD-3-Clause */
/* idf.c - writes the instrumentation description and the prologue. In libsis-instrument; plan.c
 * calls it.
 * The idea: the description is a string constant in a section of its own, so it is in every file
 * that the object file is linked into. The prologue declares only names that begin with sis_, and
 * includes only sis/probe.h. */
#include "plan/idf.h"
#include "common/prefix_map.h"
#include "plan/call_text.h"
#include "plan/choices.h"
#include "plan/function_text.h"
#include "plan/source_sum.h"
#include "tables.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* -- JSON -------------------------------------------------------------------------------------- */

static void add_field(struct buf *out, const char *name, const char *value)
{
	buf_print(out, "\"%s\":", name);
	sis_json_add_string(out, value);
	buf_add(out, ",");
}

/* The name of a file in descriptions. One file has one name, whether it is included as u.h or as
 * ./u.h. */
static char *described_path(const struct prefix_map *map, const char *path)
{
	char *mapped = sis_prefix_map_apply(&map->debug, path), *plain = sis_plain_path(mapped);
	free(mapped);
	return plain;
}

static void add_path(struct buf *out, const char *name, const struct prefix_map *map,
		     const char *path)
{
	char *described = described_path(map, path);
	add_field(out, name, described);
	free(described);
}

static void add_metrics(struct buf *out, const struct metric_set *set)
{
	char *names = sis_metric_set_names(set);
	const char *comma = "";
	buf_add(out, "\"metrics\":[");
	for (char *save, *name = strtok_r(names, ",", &save); name;
	     name = strtok_r(NULL, ",", &save)) {
		buf_add(out, comma);
		sis_json_add_string(out, name);
		comma = ",";
	}
	buf_add(out, "],");
	free(names);
}

/* The probe number of the innermost measured region around the region; -1 if there is none. */
static long measured_parent(const struct sis_ast_region *region, const struct sis_plan *plan)
{
	while (region->parent != SIS_AST_NONE) {
		if (plan->choice[region->parent].measured)
			return plan->choice[region->parent].probe;
		region = sis_ast_region(plan->ast, region->parent);
	}
	return -1;
}

/* A name without the line that it contains: `for@8` and `lambda@8 in main`. */
static char *without_line(const char *name)
{
	size_t before = strcspn(name, "@");
	const char *line = name + before + (name[before] == '@');
	return mem_print("%.*s%s", (int)before, name, line + strspn(line, "0123456789"));
}

static void add_region(struct buf *out, const struct prefix_map *map,
		       const struct sis_ast_region *region, const struct choice *choice,
		       const char *tokens, long parent, struct call_text *source,
		       const char *directory)
{
	buf_print(out, "%s\n{\"id\":%u,", choice->probe ? "," : "", choice->probe);
	add_field(out, "name", region->name);
	add_field(out, "type", sis_region_table[region->type].name);
	add_path(out, "file", map, region->begin.file);
	add_field(out, "unit", region->function);
	buf_print(
		out, "\"line_start\":%u,\"column_start\":%u,\"line_end\":%u,\"column_end\":%u,",
		region->begin.line, region->begin.column, region->end.line, region->end.column);
	add_metrics(out, &choice->metrics);
	/* The key is FILE:FUNCTION:TYPE:BARE-NAME:ORDINAL, without a line. So edits elsewhere in
	 * the file do not change it. */
	char *file = described_path(map, region->begin.file);
	char *function = without_line(region->function), *name = without_line(region->name);
	char *key = mem_print("%s:%s:%s:%s:%u", file, function,
			       sis_region_table[region->type].name, name, region->ordinal);
	add_field(out, "key", key);
	free(function);
	free(name);
	free(file);
	free(key);
	if (tokens[0])
		add_field(out, "tokens", tokens);
	if (region->symbol) {
		add_field(out, "symbol", region->symbol);
		add_field(out, "signature", region->signature);
	}
	buf_print(out, "\"aux\":{\"parent\":%ld,\"entries\":%u,\"exits\":%u", parent,
		      region->entries, region->exits);
	if (region->callee[0]) {
		buf_add(out, ",\"callee\":");
		sis_json_add_string(out, region->callee);
	}
	if (region->outer_loop || region->inner_loop)
		buf_print(out, ",\"outer_loop\":%s,\"inner_loop\":%s",
			      region->outer_loop ? "true" : "false",
			      region->inner_loop ? "true" : "false");
	if (choice->conditions)
		buf_add(out, ",\"conditional\":true");
	sis_call_text_add(source, out, directory, region);
	buf_add(out, "}}");
}

/* Adds the files in which measured regions lie, each once, without the source itself: headers, and
 * files that #line names. */
static void add_files(struct buf *out, const struct prefix_map *map, const struct sis_plan *plan)
{
	struct words seen = { 0 };
	const struct sis_ast_unit *tu = sis_ast_unit(plan->ast);
	char *source = described_path(map, tu->file);
	sis_words_add(&seen, source);
	for (size_t i = 0; i < plan->regions; i++) {
		const char *file = sis_ast_region(plan->ast, i)->begin.file;
		if (!plan->choice[i].measured)
			continue;
		char *described = described_path(map, file);
		bool known = false;
		for (size_t k = 0; k < seen.count && !known; k++)
			known = strcmp(seen.at[k], described) == 0;
		if (!known) {
			char *sum = sis_source_sum(tu->directory, file);
			buf_add(out, seen.count == 1 ? "\"files\":[{" : ",{");
			add_field(out, "file", described);
			buf_add(out, "\"checksum\":");
			sis_json_add_string(out, sum);
			buf_add(out, "}");
			sis_words_add(&seen, described);
			free(sum);
		}
		free(described);
	}
	buf_add(out, seen.count > 1 ? "]," : "");
	sis_words_release(&seen);
	free(source);
}

static void add_regions(struct buf *out, const struct prefix_map *map, const struct sis_plan *plan)
{
	struct function_texts texts;
	struct call_text source = { 0 };
	size_t function = SIZE_MAX;
	char *tokens = NULL; /* of `function`, whose regions follow each other */
	sis_function_texts_init(&texts, plan);
	for (size_t i = 0; i < plan->regions; i++) {
		const struct sis_ast_region *region = sis_ast_region(plan->ast, i);
		if (!plan->choice[i].measured)
			continue;
		if (sis_ast_function_of(plan->ast, i) != function) {
			free(tokens);
			function = sis_ast_function_of(plan->ast, i);
			tokens = sis_function_text(&texts, function);
		}
		add_region(out, map, region, &plan->choice[i], tokens,
			   measured_parent(region, plan), &source,
			   sis_ast_unit(plan->ast)->directory);
	}
	sis_call_text_release(&source);
	free(tokens);
	sis_function_texts_release(&texts);
}

/* Adds the smallest budget that directives of the source set. The budget must be the first member,
 * because the runtime looks for it there. */
static void add_budget(struct buf *out, const struct sis_plan *plan)
{
	double least = -1;
	for (size_t i = 0; i < plan->directives; i++) {
		const struct sis_ast_directive *directive = sis_ast_directive(plan->ast, i);
		if (directive->kind != SIS_AST_BUDGET)
			continue;
		double percent = strtod(directive->condition, NULL);
		least = least < 0 || percent < least ? percent : least;
	}
	if (least >= 0)
		buf_print(out, SIS_IDF_BUDGET "%.3g,", least);
}

void sis_idf_add_tu(struct buf *out, const struct sis_plan_facts *facts,
		      const struct sis_plan *plan)
{
	const struct sis_ast_unit *tu = sis_ast_unit(plan->ast);
	struct prefix_map map;
	sis_prefix_map_read(&map, facts->flags ? facts->flags : tu->flags);
	buf_add(out, "{");
	add_budget(out, plan);
	char *current = tu->directory[0] ? NULL : getcwd(NULL, 0);
	char *sum = sis_source_sum(tu->directory, tu->file);
	char *build = sis_code_build(sis_ast_compiler(plan->ast), map.flags);
	add_path(out, "source", &map, tu->file);
	add_path(out, "directory", &map, current ? current : tu->directory);
	add_field(out, "language", tu->language);
	add_field(out, "compiler", facts->compiler ? facts->compiler : tu->compiler);
	add_field(out, "flags", map.flags);
	add_field(out, "build", build);
	add_field(out, "sisc", SIS_VERSION);
	add_field(out, "checksum", sum);
	free(current);
	free(sum);
	free(build);
	add_files(out, &map, plan);
	buf_add(out, "\"regions\":[");
	add_regions(out, &map, plan);
	buf_add(out, "]}");
	sis_prefix_map_release(&map);
}

/* -- prologue ---------------------------------------------------------------------------------- */

/* Adds a C string literal, in pieces of one line each. Characters that an editor, a trigraph or
 * another character set could change are octal escapes. */
static void add_literal(struct buf *out, const char *bytes)
{
	enum { PIECE = 100 };
	size_t in_piece = 0;
	buf_add(out, "\"");
	for (const unsigned char *p = (const unsigned char *)bytes; *p; p++) {
		if (*p == '"' || *p == '\\')
			buf_print(out, "\\%c", *p);
		else if (*p < ' ' || *p > '~' || *p == '?')
			buf_print(out, "\\%03o", *p);
		else
			buf_put(out, (const char *)p, 1);
		if (++in_piece == PIECE && p[1]) {
			buf_add(out, "\"\n\"");
			in_piece = 0;
		}
	}
	buf_add(out, "\"");
}

/* Adds the entry of a region in sis__regions. The entry's `what` is "TYPE ROUTINE METRICS". */
static void add_what(struct buf *out, const struct sis_ast_region *region,
		     const struct choice *choice)
{
	char *names = sis_metric_set_names(&choice->metrics);
	char *what = mem_print("%s %s %s", sis_region_table[region->type].name,
				region->callee[0] ? region->callee : "-", names[0] ? names : "-");
	buf_print(out, "{SIS_ID_UNREGISTERED(%u),0,", choice->probe);
	add_literal(out, what);
	buf_add(out, "},\n");
	free(names);
	free(what);
}

/* Whether the probe of any measured region may announce a call site or the body of tasks. */
static bool any_site(const struct sis_plan *plan)
{
	for (size_t i = 0; i < plan->regions; i++) {
		const struct sis_ast_region *region = sis_ast_region(plan->ast, i);
		if (plan->choice[i].measured &&
		    (region->callee[0] || region->type == CR_OMPTASKBODY))
			return true;
	}
	return false;
}

void sis_idf_add_prologue(struct buf *out, const char *include, const char *json,
			  const struct sis_plan *plan)
{
	size_t measured = sis_plan_measured(plan);
	if (!any_site(plan))
		buf_add(out, "#define SIS__NO_SITES 1\n");
	buf_print(out, "#include \"%s\"\n", include);
	buf_print(
		out,
		"#ifndef SIS__VERIFY\n__extension__ static struct sis_region sis__regions[%zu] = "
		"{\n",
		measured);
	for (size_t i = 0; i < plan->regions; i++)
		if (plan->choice[i].measured)
			add_what(out, sis_ast_region(plan->ast, i), &plan->choice[i]);
	buf_add(
		out,
		"};\n__extension__ static const char sis__idf[] "
		"__attribute__((__section__(\"sis_idf\"), __used__)) =\n");
	add_literal(out, json);
	buf_print(out,
		      ";\n__extension__ static struct sis_unit sis__unit = "
		      "{SIS_PROBE_ABI, %zu, sis__idf, sizeof sis__idf - 1, 0, sis__regions};\n",
		      measured);
	buf_add(out, "__attribute__((__constructor__, __no_instrument_function__)) "
			  "static void sis__unit_start(void) { sis__unit_begin(&sis__unit); }\n"
			  "#endif /* end of the prologue */\n");
}
