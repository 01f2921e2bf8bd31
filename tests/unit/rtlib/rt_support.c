/* SPDX-License-Identifier: BSD-3-Clause */
/* rt_support.c - see rt_support.h. */
#include "rt_support.h"

#include <check.h>
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct sis_region sis__regions[RT_REGIONS];
static const char idf[] = "{\"source\":\"rt\"}";
struct sis_unit sis__unit = { SIS_PROBE_ABI, RT_REGIONS, idf, sizeof idf - 1, NULL, sis__regions };

/* -- regions ----------------------------------------------------------------------------------- */

void rt_unit_what(int region, const char *what)
{
	sis__regions[region].what = what;
}

void rt_unit(void)
{
	for (int i = 0; i < RT_REGIONS; i++) {
		sis__regions[i].id = SIS_ID_UNREGISTERED((unsigned)i);
		if (!sis__regions[i].what)
			sis__regions[i].what = "CR_F - -";
	}
	sis_unit_register(&sis__unit);
}

uint32_t rt_id(int region)
{
	return SIS_FIRST_UNIT_ID + (uint32_t)region;
}

/* -- runs -------------------------------------------------------------------------------------- */

static void load(struct rt_profile *profile, const char *path)
{
	struct stat status;
	FILE *file = fopen(path, "rb");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fstat(fileno(file), &status), 0);
	profile->length = (uint64_t)status.st_size;
	profile->bytes = malloc(profile->length);
	ck_assert_uint_eq(fread(profile->bytes, 1, profile->length, file), profile->length);
	fclose(file);
	profile->header = (struct sis_profile_header *)profile->bytes;
}

static int parents_first(const void *a, const void *b)
{
	const struct rt_profile *x = a, *y = b;
	return (x->header->parent_pid != 0) - (y->header->parent_pid != 0);
}

static void load_all(struct rt_run *run)
{
	DIR *dir = opendir(run->directory);
	run->profiles = 0;
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		char path[600];
		snprintf(path, sizeof path, "%s/%s", run->directory, entry->d_name);
		if (strncmp(entry->d_name, "proc-", 5) == 0 && run->profiles < RT_MOST)
			load(&run->profile[run->profiles++], path);
	}
	if (dir)
		closedir(dir);
	qsort(run->profile, (size_t)run->profiles, sizeof run->profile[0], parents_first);
}

void rt_run(struct rt_run *run, void (*body)(void))
{
	ck_assert_ptr_nonnull(mkdtemp(unit_template(run->directory)));
	fflush(NULL);
	pid_t pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		sis__config.output = run->directory;
		sis__config.quiet = true;
		body();
		exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &run->status, 0), pid);
	load_all(run);
}

void rt_free(struct rt_run *run)
{
	char command[600];
	for (int i = 0; i < run->profiles; i++)
		free(run->profile[i].bytes);
	snprintf(command, sizeof command, "rm -rf '%s' '%s'-*", run->directory, run->directory);
	ck_assert_int_eq(system(command), 0);
}

/* -- reading ----------------------------------------------------------------------------------- */

void *rt_at(const struct rt_profile *profile, const void *address)
{
	uint64_t offset = (uint64_t)(uintptr_t)address - profile->header->base;
	return offset < profile->header->size ? profile->bytes + offset : NULL;
}

struct sis_chunk *rt_chunk(const struct rt_profile *profile, struct sis_chunk *after)
{
	char *next = after ? (char *)after + after->size : profile->bytes + SIS_PAGE;
	return next < profile->bytes + profile->header->size ? (struct sis_chunk *)next : NULL;
}

struct sis_profile_thread *rt_thread(const struct rt_profile *profile, uint32_t slot)
{
	for (struct sis_chunk *chunk = rt_chunk(profile, NULL); chunk;
	     chunk = rt_chunk(profile, chunk))
		if (chunk->kind == SIS_CHUNK_THREAD && chunk->slot == slot)
			return (struct sis_profile_thread *)(chunk + 1);
	return NULL;
}

static struct sis_node *child_of(const struct rt_profile *profile, struct sis_node *parent,
				 uint32_t id)
{
	struct sis_node *node = rt_at(profile, parent->last_child);
	for (uint32_t i = 0; i < parent->children; i++, node = rt_at(profile, node->next))
		if (sis_node_region(node) == id)
			return node;
	return NULL;
}

struct sis_node *rt_node(const struct rt_profile *profile, uint32_t slot, ...)
{
	va_list path;
	struct sis_profile_thread *thread = rt_thread(profile, slot);
	struct sis_node *node = thread ? rt_at(profile, thread->root) : NULL;
	va_start(path, slot);
	for (int region; node && (region = va_arg(path, int)) >= 0;)
		node = child_of(profile, node, rt_id(region));
	va_end(path);
	return node;
}

uint32_t rt_children(const struct rt_profile *profile, const struct sis_node *parent)
{
	uint32_t count = 0;
	struct sis_node *node = rt_at(profile, parent->last_child);
	for (uint32_t i = 0; i < parent->children; i++, node = rt_at(profile, node->next))
		count += node->region != RT_PROBE;
	return count;
}

bool rt_has_text(const struct rt_profile *profile, const char *beginning)
{
	for (struct sis_chunk *chunk = rt_chunk(profile, NULL); chunk;
	     chunk = rt_chunk(profile, chunk)) {
		const char *line = (char *)(chunk + 1), *end = line + chunk->used;
		for (; chunk->kind == SIS_CHUNK_TEXT && line < end; line += strlen(line) + 1)
			if (strncmp(line, beginning, strlen(beginning)) == 0)
				return true;
	}
	return false;
}

static void check_ring(const struct rt_profile *profile, struct sis_node *parent)
{
	struct sis_node *first = rt_at(profile, parent->last_child), *node = first;
	ck_assert_int_eq(parent->children > 0, first != NULL);
	for (uint32_t i = 0; i < parent->children; i++) {
		ck_assert_ptr_nonnull(node);
		ck_assert_ptr_eq(rt_at(profile, node->parent), parent);
		node = rt_at(profile, node->next);
	}
	ck_assert_ptr_eq(node, first);
}

void rt_check_whole(const struct rt_profile *profile)
{
	struct sis_profile_header *header = profile->header;
	uint64_t bytes = SIS_PAGE;
	ck_assert_mem_eq(header->magic, SIS_PROFILE_MAGIC, 8);
	ck_assert_uint_le(header->size, profile->length);
	for (struct sis_chunk *chunk = rt_chunk(profile, NULL); chunk;
	     chunk = rt_chunk(profile, chunk)) {
		struct sis_node *node = (struct sis_node *)(chunk + 1);
		ck_assert_uint_eq(chunk->magic, SIS_CHUNK_MAGIC);
		ck_assert_uint_le(chunk->used, chunk->size - sizeof *chunk);
		if (header->state == SIS_STATE_ENDED)
			ck_assert_uint_eq(chunk->checksum, sis_checksum(chunk + 1, chunk->used));
		for (uint64_t i = 0;
		     chunk->kind == SIS_CHUNK_NODES && i < chunk->used / sizeof *node; i++)
			check_ring(profile, &node[i]);
		bytes += chunk->size;
	}
	ck_assert_uint_eq(bytes, header->size);
}

struct rt_profile *rt_run_whole(struct rt_run *run, void (*body)(void))
{
	rt_run(run, body);
	ck_assert_int_eq(run->status, 0);
	rt_check_whole(&run->profile[0]);
	return &run->profile[0];
}
