/* SPDX-License-Identifier: BSD-3-Clause */
/* unify_defs.c - what ranks have in common: descriptions of translation units, and paths of the
 * call graph. The thread that is in MPI_Finalize, or ends the process.
 *
 * Ranks that run the same program have the same units and mostly the same paths, but each numbers
 * them in its own order. So a path is identified by its parent and a region, and a unit by its
 * description. To merge is to look each of them up, and to add what is missing. What was there
 * keeps its number.
 */
#include <stdlib.h>
#include <string.h>

#include "merged_file/unify.h"

enum { NODES_FIRST = 256, NODES_MOST = 16 << 20 };

void sis__unify_defs_init(struct sis_unify_defs *defs)
{
	*defs = (struct sis_unify_defs){ .node_room = NODES_FIRST, .hash_room = 2 * NODES_FIRST };
	defs->node = malloc(NODES_FIRST * sizeof *defs->node);
	defs->hash = calloc(defs->hash_room, sizeof *defs->hash);
	defs->failed = !defs->node || !defs->hash;
	if (!defs->failed)
		defs->node[defs->nodes++] = (struct sis_unify_node){ 0, 2 * RT_RUN };
}

void sis__unify_defs_release(struct sis_unify_defs *defs)
{
	free(defs->unit);
	free(defs->node);
	free(defs->line);
	free(defs->hash);
	*defs = (struct sis_unify_defs){ 0 };
}

/* -- paths ------------------------------------------------------------------------------------- */

static uint32_t *hash_place(const struct sis_unify_defs *defs, uint32_t parent, uint32_t region)
{
	for (uint64_t h = sis_hash_mix((uint64_t)parent << 32 | region);; h++) {
		uint32_t *place = &defs->hash[h & (defs->hash_room - 1)];
		if (!*place ||
		    (defs->node[*place].parent == parent && defs->node[*place].region == region))
			return place;
	}
}

static bool grow_nodes(struct sis_unify_defs *defs)
{
	uint32_t room = 2 * defs->node_room;
	struct sis_unify_node *node = room <= NODES_MOST ? realloc(defs->node, room * sizeof *node)
							 : NULL;
	if (!node)
		return false;
	defs->node = node;
	uint32_t *hash = calloc(2 * (size_t)room, sizeof *hash);
	if (!hash)
		return false;
	free(defs->hash);
	defs->hash = hash;
	defs->hash_room = 2 * room;
	defs->node_room = room;
	for (uint32_t i = 1; i < defs->nodes; i++)
		*hash_place(defs, node[i].parent, node[i].region) = i;
	return true;
}

uint32_t sis__unify_defs_node(struct sis_unify_defs *defs, uint32_t parent, uint32_t region)
{
	if (defs->failed)
		return SIS_UNIFY_NONE;
	uint32_t *place = hash_place(defs, parent, region);
	if (*place)
		return *place;
	if (defs->nodes == defs->node_room) {
		if (!grow_nodes(defs)) {
			defs->failed = true;
			return SIS_UNIFY_NONE;
		}
		place = hash_place(defs, parent, region);
	}
	defs->node[defs->nodes] = (struct sis_unify_node){ parent, region };
	return *place = defs->nodes++;
}

/* -- units ------------------------------------------------------------------------------------- */

uint32_t sis__unify_defs_unit(struct sis_unify_defs *defs, const unsigned char *json,
			      uint64_t length, uint32_t count, bool add)
{
	uint64_t checksum = sis_checksum(json, length);
	for (uint32_t i = 0; i < defs->units; i++)
		if (defs->unit[i].checksum == checksum && defs->unit[i].count == count &&
		    defs->unit[i].length == length && memcmp(defs->unit[i].json, json, length) == 0)
			return i;
	if (!add)
		return SIS_UNIFY_NONE;
	struct sis_unify_unit *unit = realloc(defs->unit, (defs->units + 1) * sizeof *unit);
	if (!unit) {
		defs->failed = true;
		return SIS_UNIFY_NONE;
	}
	const struct sis_unify_unit *last = defs->units ? &unit[defs->units - 1] : NULL;
	defs->unit = unit;
	unit[defs->units] = (struct sis_unify_unit){ json, length, checksum,
						     last ? last->first + last->count : 0, count };
	return defs->units++;
}

static const struct sis_profile_unit *unit_of(const struct sis_chunk *chunk)
{
	const struct sis_profile_unit *unit = (const void *)(chunk + 1);
	bool whole = chunk->used >= sizeof *unit && unit->length <= chunk->used - sizeof *unit;
	return whole ? unit : NULL;
}

bool sis__unify_ids_open(struct sis_unify_ids *ids, const struct sis_image *image,
			 struct sis_unify_defs *defs, bool add)
{
	const struct sis_chunk *chunk = NULL;
	uint32_t count = 0;
	*ids = (struct sis_unify_ids){ 0 };
	while ((chunk = sis__image_next(image, chunk, SIS_CHUNK_UNIT)))
		count++;
	ids->range = calloc(count + 1, sizeof *ids->range);
	if (!ids->range)
		return false;
	while (ids->ranges < count && (chunk = sis__image_next(image, chunk, SIS_CHUNK_UNIT))) {
		const struct sis_profile_unit *unit = unit_of(chunk);
		ids->range[ids->ranges].unit = SIS_UNIFY_NONE;
		if (unit) {
			ids->range[ids->ranges].first = unit->first_id;
			ids->range[ids->ranges].count = unit->count;
			ids->range[ids->ranges].unit = sis__unify_defs_unit(
				defs, (const unsigned char *)(unit + 1), unit->length, unit->count,
				add);
		}
		ids->ranges++;
	}
	return true;
}

/* A binary search: units get increasing ids in the order in which they are registered. */
uint32_t sis__unify_region(const struct sis_unify_ids *ids, const struct sis_unify_defs *defs,
			   uint32_t id)
{
	uint32_t low = 0, high = ids->ranges;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (ids->range[middle].first <= id)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return 2 * id;
	uint32_t k = id - ids->range[low - 1].first, unit = ids->range[low - 1].unit;
	bool known = k < ids->range[low - 1].count && unit != SIS_UNIFY_NONE;
	return known ? 2 * (uint32_t)(defs->unit[unit].first + k) + 1 : SIS_UNIFY_NONE;
}

void sis__unify_defs_add(struct sis_unify_defs *defs, const struct sis_image *image)
{
	struct sis_unify_ids ids;
	/* by node + 1; 0 is the root's path, also of nodes without one */
	uint32_t *path = calloc(image->nodes + 1, sizeof *path);
	if (!path || !sis__unify_ids_open(&ids, image, defs, true)) {
		defs->failed = true;
		free(path);
		return;
	}
	for (uint32_t c = 0; c < image->chunks; c++)
		for (uint64_t k = 0; k < image->chunk[c].count && !defs->failed; k++) {
			const struct sis_node *node = &image->chunk[c].node[k];
			uint64_t here = image->chunk[c].first + k + 1,
				 parent = sis__image_node(image, node->parent);
			uint32_t region = sis__unify_region(&ids, defs, sis_node_region(node));
			if (parent == 0 || parent >= here || region == SIS_UNIFY_NONE)
				continue;
			path[here] = sis__unify_defs_node(defs, path[parent], region);
		}
	free(ids.range);
	free(path);
}

/* -- bytes ------------------------------------------------------------------------------------- */

void sis__unify_defs_write(const struct sis_unify_defs *defs, struct sis_bytes *out)
{
	sis__bytes_number(out, defs->units);
	for (uint32_t i = 0; i < defs->units; i++) {
		sis__bytes_number(out, defs->unit[i].count);
		sis__bytes_number(out, defs->unit[i].length);
		sis__bytes_put(out, defs->unit[i].json, defs->unit[i].length);
	}
	sis__bytes_number(out, defs->nodes - 1);
	for (uint32_t i = 1; i < defs->nodes; i++) {
		sis__bytes_number(out, i - defs->node[i].parent);
		sis__bytes_number(out, defs->node[i].region);
	}
	out->failed |= defs->failed;
}

static void write_lines(const struct sis_chunk *chunk, struct sis_bytes *out, uint64_t *count)
{
	const char *at = (const char *)(chunk + 1), *end = at + chunk->used;
	for (const char *nul; at < end && (nul = memchr(at, 0, (size_t)(end - at))); at = nul + 1) {
		++*count;
		sis__bytes_number(out, (uint64_t)(nul - at));
		sis__bytes_put(out, at, (uint64_t)(nul - at));
	}
}

void sis__unify_defs_write_rest(const struct sis_image *image, struct sis_bytes *out)
{
	struct sis_bytes lines = { 0 };
	uint64_t count = 0;
	const struct sis_chunk *chunk = NULL;
	while ((chunk = sis__image_next(image, chunk, SIS_CHUNK_TEXT)))
		write_lines(chunk, &lines, &count);
	sis__bytes_number(out, sizeof *image->header);
	sis__bytes_put(out, image->header, sizeof *image->header);
	sis__bytes_number(out, count);
	sis__bytes_put(out, lines.at, lines.used);
	out->failed |= lines.failed;
	sis__bytes_release(&lines);
}

/* -- reading: a rank of the same program wrote the bytes; only their completeness is checked --- */

struct input { const unsigned char *at, *end; bool bad; };

static uint64_t get_number(struct input *in)
{
	uint64_t number;
	unsigned n = sis_number_get(in->at, (uint64_t)(in->end - in->at), &number);
	in->bad |= n == 0;
	in->at += n;
	return n ? number : 0;
}

static const unsigned char *get_bytes(struct input *in, uint64_t length)
{
	const unsigned char *at = in->at;
	in->bad |= length > (uint64_t)(in->end - in->at);
	in->at += in->bad ? 0 : length;
	return in->bad ? NULL : at;
}

struct unit_map { uint64_t first, here; }; /* a unit's first region in the bytes, and in `defs` */

static struct unit_map *merge_units(struct sis_unify_defs *defs, struct input *in, uint64_t *units)
{
	*units = get_number(in);
	uint64_t first = 0, room = (uint64_t)(in->end - in->at);
	struct unit_map *map = *units <= room ? calloc(*units + 1, sizeof *map) : NULL;
	for (uint64_t i = 0; map && i < *units && !in->bad; i++) {
		uint64_t count = get_number(in), length = get_number(in);
		const unsigned char *json = get_bytes(in, length);
		uint32_t unit = json ? sis__unify_defs_unit(defs, json, length, (uint32_t)count,
							    true)
				     : SIS_UNIFY_NONE;
		map[i] = (struct unit_map){ first,
					    unit != SIS_UNIFY_NONE ? defs->unit[unit].first : 0 };
		first += count;
	}
	in->bad |= !map;
	return map;
}

static uint32_t region_here(const struct unit_map *map, uint64_t units, uint64_t region)
{
	uint64_t k = region >> 1, low = 0, high = units;
	if (!(region & 1) || units == 0)
		return (uint32_t)region;
	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;
		if (map[middle].first <= k)
			low = middle;
		else
			high = middle;
	}
	return 2 * (uint32_t)(map[low].here + k - map[low].first) + 1;
}

static void merge_nodes(struct sis_unify_defs *defs, struct input *in, const struct unit_map *map,
			uint64_t units)
{
	uint64_t count = get_number(in);
	uint32_t *here = count <= NODES_MOST ? calloc(count + 1, sizeof *here) : NULL;
	in->bad |= !here;
	for (uint64_t i = 1; i <= count && !in->bad; i++) {
		uint64_t back = get_number(in), region = get_number(in);
		if (back == 0 || back > i)
			in->bad = true;
		else
			here[i] = sis__unify_defs_node(defs, here[i - back],
						       region_here(map, units, region));
		in->bad |= defs->failed;
	}
	free(here);
}

static bool merge(struct sis_unify_defs *defs, struct input *in)
{
	uint64_t units;
	struct unit_map *map = merge_units(defs, in, &units);
	if (!in->bad)
		merge_nodes(defs, in, map, units);
	free(map);
	return !in->bad && !defs->failed;
}

bool sis__unify_defs_merge(struct sis_unify_defs *defs, const unsigned char *bytes, uint64_t length)
{
	struct input in = { bytes, bytes + length, false };
	return merge(defs, &in) && in.at == in.end;
}

bool sis__unify_defs_read(struct sis_unify_defs *defs, const unsigned char *bytes, uint64_t length)
{
	struct input in = { bytes, bytes + length, false };
	if (!merge(defs, &in))
		return false;
	defs->shared = defs->nodes;
	uint64_t size = get_number(&in);
	const unsigned char *header = get_bytes(&in, size);
	if (!header || size != sizeof defs->reference)
		return false;
	memcpy(&defs->reference, header, sizeof defs->reference);
	uint64_t lines = get_number(&in);
	defs->line = lines <= (uint64_t)(in.end - in.at) ? calloc(lines + 1, sizeof *defs->line)
							 : NULL;
	in.bad |= !defs->line;
	for (; defs->lines < lines && !in.bad; defs->lines++) {
		struct sis_unify_line *line = &defs->line[defs->lines];
		line->length = get_number(&in);
		line->text = get_bytes(&in, line->length);
		line->checksum = line->text ? sis_checksum(line->text, line->length) : 0;
	}
	return !in.bad && in.at == in.end;
}
