/* SPDX-License-Identifier: BSD-3-Clause */
/* idf_read.c - reads descriptions. Any thread may call it. This is the only file that uses
 * json-c. */
#include "experiment/read/idf_read.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

static struct json_object *member(struct json_object *object, const char *key, enum json_type type)
{
	struct json_object *value = NULL;
	if (!object || !json_object_object_get_ex(object, key, &value) ||
	    !json_object_is_type(value, type))
		return NULL;
	return value;
}

static char *text_member(struct json_object *object, const char *key)
{
	return mem_string(json_object_get_string(member(object, key, json_type_string)));
}

static uint32_t number_member(struct json_object *object, const char *key)
{
	int64_t n = json_object_get_int64(member(object, key, json_type_int));
	return n > 0 && n <= UINT32_MAX ? n : 0;
}

static char *metric_list(struct json_object *object)
{
	struct json_object *list = member(object, "metrics", json_type_array);
	struct buf buf = { 0 };
	for (size_t i = 0; list && i < json_object_array_length(list); i++)
		buf_print(&buf, "%s%s", i ? "," : "",
			  json_object_get_string(json_object_array_get_idx(list, i)));
	return buf_take(&buf);
}

/* The names of the variables in reductions. The name of `a[0:n]` and of `(*a)` is `a`. */
static char *reduction_names(struct json_object *aux)
{
	static const char letters[] =
		"_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	struct json_object *list = member(aux, "reductions", json_type_array);
	struct buf buf = { 0 };
	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		struct json_object *item = json_object_array_get_idx(list, i);
		const char *text = json_object_is_type(item, json_type_string) ?
			json_object_get_string(item) : "";
		text += strcspn(text, letters);
		size_t length = strspn(text, letters);
		if (length)
			buf_print(&buf, "%s%.*s", buf.length ? " " : "", (int)length, text);
	}
	return buf.length ? buf_take(&buf) : NULL;
}

static void read_region(struct region *region, struct json_object *object, struct json_object *root)
{
	struct json_object *aux = member(object, "aux", json_type_object);
	struct json_object *parent = member(aux, "parent", json_type_int);
	struct json_object *callee = member(aux, "callee", json_type_string);
	struct json_object *tokens = member(object, "tokens", json_type_string);
	bool has_tokens = tokens && json_object_get_string_len(tokens);
	struct json_object *symbol = member(object, "symbol", json_type_string);
	struct json_object *name = member(object, "type", json_type_string);
	enum sis_region_type type = !name ? CR_NONE :
		sis_region_by_name(json_object_get_string(name), json_object_get_string_len(name));
	*region = (struct region){
		.key = text_member(object, "key"),
		.name = text_member(object, "name"),
		.file = text_member(object, "file"),
		.function = text_member(object, "unit"),
		.line_start = number_member(object, "line_start"),
		.line_end = number_member(object, "line_end"),
		.column_start = number_member(object, "column_start"),
		.column_end = number_member(object, "column_end"),
		.metrics = metric_list(object),
		.tokens = has_tokens ? text_member(object, "tokens") : NULL,
		.type = type == CR_NONE ? CR_A : type, /* NONE: another version's type */
		.routine = callee ? sis_routine_by_name(json_object_get_string(callee)) : NULL,
		.callee = callee ? text_member(aux, "callee") : NULL,
		.reductions = reduction_names(aux),
		.symbol = symbol ? text_member(object, "symbol") : NULL,
		.parent = parent ? json_object_get_int(parent) : -1,
		.entries = number_member(aux, "entries"),
		.exits = number_member(aux, "exits"),
		.outer_loop = json_object_get_boolean(member(aux, "outer_loop", json_type_boolean)),
		.inner_loop = json_object_get_boolean(member(aux, "inner_loop", json_type_boolean)),
		.language = text_member(root, "language"),
		.conditional =
			json_object_get_boolean(member(aux, "conditional", json_type_boolean)),
		.by_hand = json_object_get_boolean(member(aux, "by_hand", json_type_boolean)),
	};
	region->build = has_tokens ? text_member(root, "build") : NULL;
}

/* The id of a region is its index. If an id is missing, out of range or not unique, the description
 * is damaged. */
static int read_regions(struct idf_tu *tu, struct json_object *root, struct json_object *list,
			const char *where, struct err *err)
{
	size_t count = json_object_array_length(list);
	for (size_t i = 0; i < count; i++)
		vec_push(&tu->region);
	for (size_t i = 0; i < count; i++) {
		struct json_object *object = json_object_array_get_idx(list, i);
		struct json_object *id = member(object, "id", json_type_int);
		int64_t n = id ? json_object_get_int64(id) : -1;
		if (n < 0 || n >= (int64_t)count || tu->region.at[n].key)
			return err_fail(err, "%s: description of translation unit '%s': region %zu "
					"has no proper id; build the program again with this "
					"version of sisc", where, tu->source, i);
		read_region(&tu->region.at[n], object, root);
	}
	return 0;
}

static int read_tu(struct idf_tu *tu, struct json_object *root, const char *where,
		   struct err *err)
{
	struct json_object *list = member(root, "regions", json_type_array),
			   *files = member(root, "files", json_type_array);
	*tu = (struct idf_tu){ 0 };
	if (!list)
		return err_fail(err, "%s: the description of a translation unit has no regions; "
				"build the program again with this version of sisc", where);
	tu->source = text_member(root, "source");
	tu->directory = text_member(root, "directory");
	tu->compiler = text_member(root, "compiler");
	tu->flags = text_member(root, "flags");
	tu->sisc = text_member(root, "sisc");
	tu->checksum = text_member(root, "checksum");
	for (size_t i = 0; files && i < json_object_array_length(files); i++) {
		struct json_object *file = json_object_array_get_idx(files, i);
		*vec_push(&tu->file) = (struct idf_file){ text_member(file, "file"),
							  text_member(file, "checksum") };
	}
	int rc = read_regions(tu, root, list, where, err);
	if (rc)
		idf_release(tu);
	return rc;
}

/* Parses a text as a JSON object, which the caller releases. NULL if the text is no JSON object. */
static struct json_object *parse(const char *json, size_t length, const char *where,
				 struct err *err)
{
	if (length > INT32_MAX) {
		err_fail(err, "%s: the description of a translation unit has %zu bytes, which is "
			 "too long; split the translation unit, or instrument less of it", where,
			 length);
		return NULL;
	}
	struct json_tokener *tokener = json_tokener_new();
	while (length && json[length - 1] == 0)
		length--;
	struct json_object *root = json_tokener_parse_ex(tokener, json, length);
	enum json_tokener_error problem = json_tokener_get_error(tokener);
	json_tokener_free(tokener);
	if (json_object_is_type(root, json_type_object))
		return root;
	const char *reason = json_tokener_error_desc(problem);
	if (problem == json_tokener_success)
		reason = "no object";
	else if (problem == json_tokener_continue)
		reason = "it ends too early";
	err_fail(err, "%s: the description of a translation unit is unreadable: %s; build the "
		 "program again with this version of sisc", where, reason);
	json_object_put(root);
	return NULL;
}

int idf_read(struct idf_tu *tu, const char *json, size_t length, const char *where,
	     struct err *err)
{
	*tu = (struct idf_tu){ 0 };
	struct json_object *root = parse(json, length, where, err);
	int rc = root ? read_tu(tu, root, where, err) : ERR_FAILED;
	json_object_put(root);
	return rc;
}

int idf_read_program(idf_tus *tus, const char *json, size_t length, const char *where,
		     struct err *err)
{
	struct json_object *root = parse(json, length, where, err),
			   *list = member(root, "units", json_type_array);
	int64_t version = json_object_get_int64(member(root, "sis_idf", json_type_int));
	int rc = root ? 0 : ERR_FAILED;
	if (rc == 0 && list && version != 1)
		rc = err_fail(err, "%s: a description of version %lld, and only 1 is known "
			      "here; use the sis-analyze of the sisc that wrote it", where,
			      (long long)version);
	for (size_t i = 0; rc == 0 && i < (list ? json_object_array_length(list) : 1); i++) {
		struct idf_tu tu;
		rc = read_tu(&tu, list ? json_object_array_get_idx(list, i) : root, where, err);
		if (rc == 0)
			*vec_push(tus) = tu;
	}
	json_object_put(root);
	return rc;
}

void region_release(struct region *region)
{
	free(region->key);
	free(region->name);
	free(region->file);
	free(region->function);
	free(region->metrics);
	free(region->tokens), free(region->build), free(region->language);
	free(region->path);
	free(region->callee);
	free(region->reductions);
	free(region->symbol);
}

void idf_release(struct idf_tu *tu)
{
	for (size_t i = 0; i < tu->region.n; i++)
		region_release(&tu->region.at[i]);
	vec_free(&tu->region);
	for (size_t i = 0; i < tu->file.n; i++)
		free(tu->file.at[i].file), free(tu->file.at[i].checksum);
	vec_free(&tu->file);
	free(tu->source);
	free(tu->directory);
	free(tu->compiler);
	free(tu->flags);
	free(tu->sisc);
	free(tu->checksum);
	*tu = (struct idf_tu){ 0 };
}
