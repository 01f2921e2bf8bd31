/* SPDX-License-Identifier: BSD-3-Clause */
/* regions.c - maps region ids of a process to regions of the experiment. Called by one thread.
 *
 * The runtime gives each region an id. Regions that are built into the runtime are named in a text
 * of the profile. All others are regions of translation units, which have descriptions. All ranks
 * of a run have the same descriptions, so each different text is parsed once.
 *
 * A region of the source may be in several translation units (a function of a header), and they may
 * use different names for its file. It is still one region. But two files with the same name in
 * different directories are two files. So the identity of a region is the absolute path of its
 * file, its position in the file, and its key. When all translation units are known, the names of
 * files in regions and keys become relative to the directory that contains all working directories
 * of the build. */
#include "experiment/model/regions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"

/* The part of a key after its file's name. */
static const char *key_in_file(const struct region *region)
{
	size_t n = strlen(region->file);
	return n && strncmp(region->key, region->file, n) == 0 && region->key[n] == ':' ?
		region->key + n + 1 :
		region->key;
}

/* Adds a region, or finds it by its identity. Takes over the strings of *region. */
static uint32_t add_region(struct experiment_model *m, struct region *region)
{
	bool fresh;
	char *identity = !region->path ?
		mem_string(region->key) :
		mem_print("%s|%u.%u-%u.%u|%s", region->path, region->line_start,
			  region->column_start, region->line_end, region->column_end,
			  key_in_file(region));
	uint32_t i = strmap_put(&m->region_by_identity, identity, m->region.n, &fresh);
	if (fresh)
		*vec_push(&m->region.fill) = *region;
	else
		region_release(region);
	free(identity);
	return i;
}

static uint32_t add_builtin(struct experiment_model *m, char *key, const char *name,
			    enum sis_region_type type)
{
	struct region region = {
		.key = key,
		.name = mem_string(name),
		.type = type,
		.file = mem_string(""),
		.function = mem_string(""),
		.metrics = mem_string(""),
		.routine = sis_routine_by_name(name),
	};
	return add_region(m, &region);
}

uint32_t regions_builtin(struct experiment_model *m, const char *name, warning_list *warnings)
{
	enum sis_region_type type = sis_region_by_name(name, strlen(name));
	const struct sis_routine_info *routine = sis_routine_by_name(name);
	if (type)
		return add_builtin(m, mem_print("type:%s", name), sis_region_table[type].label,
				   type);
	if (routine)
		return add_builtin(m, mem_print("routine:%s", name), name, routine->type);
	warnings_add(warnings,
		     "the runtime's region %s is of another version of SIS; its time counts "
		     "as work",
		     name);
	return add_builtin(m, mem_print("unknown:%s", name), name, CR_A);
}

uint32_t regions_find(struct experiment_model *m, const struct process *process, struct map *by_id,
		      uint32_t id, warning_list *warnings)
{
	char name[64];
	uint32_t i = map_get(by_id, id, 0);
	if (i != MAP_NONE)
		return i;
	if (id >= SAMPLED_ID && id - SAMPLED_ID < m->sampled.n)
		return m->sampled.at[id - SAMPLED_ID];
	const struct profile_call *call = profile_call(&process->profile, id);
	if (call && call->place < m->called.n)
		return m->called.at[call->place];
	if (profile_builtin(&process->profile, id, name, sizeof name)) {
		i = regions_builtin(m, name, warnings);
	} else {
		snprintf(name, sizeof name, "region %u", id);
		i = add_builtin(m, mem_print("unknown:%u", id), name, CR_A);
		warnings_add(warnings,
			     "region %u is in no unit's description; its time counts as work", id);
	}
	return map_put(by_id, id, 0, i, NULL);
}

void regions_add_sampled(struct experiment_model *m, const struct sampled *sampled)
{
	for (size_t i = 0; i < sampled->function.n; i++) {
		const struct sampled_function *f = &sampled->function.at[i];
		const char *slash = strrchr(f->module, '/');
		char *path = f->file ? path_absolute(f->directory ?: "", f->file) : NULL;
		struct region region = {
			.name = mem_string(f->name),
			.type = CR_SAMPLED,
			.file = mem_string(path ?: f->file ?: slash ? slash + 1 : f->module),
			.function = mem_string(f->name),
			.path = path,
			.line_start = path ? f->line : 0,
			.line_end = path ? f->line : 0,
			.metrics = mem_string(""),
		};
		region.key = mem_print("%s:%s:%s:%s:1", region.file, f->name,
				       sis_region_table[CR_SAMPLED].name, f->name);
		*vec_push(&m->sampled.fill) = add_region(m, &region);
	}
}

/* The number of a call among those of the same routine in its function, in the order of lines. */
static unsigned number_of_call(const struct sampled *sampled, const struct sampled_call *call)
{
	unsigned number = 1;
	for (size_t i = 0; i < sampled->call.n; i++) {
		const struct sampled_call *other = &sampled->call.at[i];
		number += other->function == call->function && other->line < call->line &&
			strcmp(other->builtin, call->builtin) == 0;
	}
	return number;
}

void regions_add_called(struct experiment_model *m, const struct sampled *sampled)
{
	for (size_t i = 0; i < sampled->call.n; i++) {
		const struct sampled_call *c = &sampled->call.at[i];
		const struct sampled_function *f = &sampled->function.at[c->function];
		const struct sis_routine_info *routine = sis_routine_by_name(c->builtin);
		enum sis_region_type type = routine ? routine->type :
			sis_region_by_name(c->builtin, strlen(c->builtin));
		char *path = c->file ? path_absolute(c->directory ?: "", c->file) : NULL;
		struct region region = {
			.name = mem_string(routine ? c->builtin : sis_region_table[type].label),
			.type = type,
			.file = mem_string(path ?: c->file ?: path_base(f->module)),
			.function = mem_string(f->name),
			.path = path,
			.line_start = path ? c->line : 0,
			.line_end = path ? c->line : 0,
			.metrics = mem_string(""),
			.routine = routine,
		};
		region.key = mem_print("%s:%s:%s:%s:%u", region.file, f->name,
				       sis_region_table[type].name, region.name,
				       number_of_call(sampled, c));
		*vec_push(&m->called.fill) = add_region(m, &region);
	}
}

/* If two translation units recorded different checksums of a file, the first one counts. */
static void add_source_files(struct experiment_model *m, const struct idf_tu *tu)
{
	for (size_t i = 0; i < tu->file.n; i++) {
		bool fresh = false;
		char *path = path_absolute(tu->directory, tu->file.at[i].file);
		if (path)
			strmap_put(&m->file_by_path, path, m->file.n, &fresh);
		if (fresh)
			*vec_push(&m->file.fill) =
				(struct source_file){ path, mem_string(tu->file.at[i].checksum) };
		else
			free(path);
	}
}

/* Parses a description, and adds its regions. `text`: the checksum of the description. */
static int add_tu(struct experiment_model *m, const struct process *process,
		  const struct profile_tu *tu, uint64_t text, struct map *by_id, struct err *err)
{
	struct idf_tu idf;
	if (idf_read(&idf, tu->json, tu->length, process->profile.path, err))
		return ERR_FAILED;
	bool by_hand = idf.region.n && idf.region.at[0].by_hand;
	for (uint32_t k = 0; k < idf.region.n; k++) {
		idf.region.at[k].path = path_absolute(idf.directory, idf.region.at[k].file);
		uint32_t region = add_region(m, &idf.region.at[k]);
		map_put(&m->region_by_text, text, k, region, NULL);
		map_put(by_id, (uint64_t)tu->first_id + k, 0, region, NULL);
	}
	idf.region.n = 0; /* now owned by the experiment */
	add_source_files(m, &idf);
	if (!by_hand) {
		*vec_push(&m->tu.fill) = (struct tu){ idf.source, idf.directory, idf.compiler,
						      idf.flags, idf.sisc, idf.checksum };
		idf.source = idf.directory = idf.compiler = idf.flags = idf.sisc =
			idf.checksum = NULL;
	}
	idf_release(&idf);
	return 0;
}

int regions_add(struct experiment_model *m, const struct process *process, struct map *by_id,
		struct err *err)
{
	const struct profile *p = &process->profile;
	for (size_t i = 0; i < p->tu.n; i++) {
		const struct profile_tu *u = &p->tu.at[i];
		uint64_t text = sis_checksum(u->json, u->length);
		uint32_t k = 0;
		for (uint32_t r; (r = map_get(&m->region_by_text, text, k)) != MAP_NONE; k++)
			map_put(by_id, (uint64_t)u->first_id + k, 0, r, NULL);
		if (k == 0 && add_tu(m, process, u, text, by_id, err))
			return ERR_FAILED;
	}
	return 0;
}

/* -- names of files relative to one directory -------------------------------------------------- */

/* The new key of a region. Two regions of a header may have the same key, because macros of the
 * including files may change the header. Then the position is appended to the key of the region
 * that comes later. */
static char *free_key(const struct region *region, const char *file, struct strmap *taken)
{
	bool fresh;
	char *key = mem_print("%s:%s", file, key_in_file(region));
	strmap_put(taken, key, 0, &fresh);
	if (fresh)
		return key;
	char *longer = mem_print("%s@%u.%u-%u.%u", key, region->line_start, region->column_start,
				 region->line_end, region->column_end);
	free(key);
	return longer;
}

/* Makes m->base a directory that contains `name`, too, if that is absolute. */
static void widen_base(struct experiment_model *m, const char *name)
{
	char *directory = name ? path_absolute("", name) : NULL, *before = m->base;
	if (!directory)
		return;
	m->base = before ? path_common(before, directory) : mem_string(directory);
	free(before);
	free(directory);
}

void regions_name_files(struct experiment_model *m, const struct sampled *sampled)
{
	struct strmap taken = { 0 };
	for (size_t i = 0; i < m->tu.n; i++)
		widen_base(m, m->tu.at[i].directory);
	for (size_t i = 0; m->tu.n == 0 && i < sampled->function.n; i++)
		if (sampled->function.at[i].in_program)
			widen_base(m, sampled->function.at[i].directory);
	for (size_t i = 0; m->base && i < m->region.n; i++) {
		struct region *region = &m->region.fill.at[i];
		if (!region->path)
			continue;
		char *file = path_relative(m->base, region->path),
		     *key = free_key(region, file, &taken);
		free(region->file);
		free(region->key);
		region->file = file;
		region->key = key;
	}
	strmap_free(&taken);
}

enum sis_overhead region_leaf(const struct region *region)
{
	if (region->redistributes)
		return OCTRL_REDIST;
	return region->routine ? region->routine->leaf : sis_region_table[region->type].leaf;
}
