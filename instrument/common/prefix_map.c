/* SPDX-License-Identifier: BSD-3-Clause */
/* prefix_map.c - removes the directory of a build from paths. Called by idf.c and
 * compile_command.c.
 * The idea: a user who maps the paths of debug information wants the same object in every
 * directory. So the description applies the same maps to its paths, and does not contain these
 * options. */
#include "common/prefix_map.h"

#include <stdlib.h>
#include <string.h>

bool sis_prefix_map_add(struct prefix_map *map, const char *word)
{
	bool file = sis_starts(word, "-ffile-prefix-map="),
	     debug = sis_starts(word, "-fdebug-prefix-map=");
	if (!file && !debug && !sis_starts(word, "-fmacro-prefix-map="))
		return false;
	const char *old_new = strchr(word, '=') + 1;
	if (strchr(old_new, '=') && (file || debug))
		sis_words_add(&map->debug, old_new);
	return true;
}

void sis_prefix_map_read(struct prefix_map *map, const char *flags)
{
	struct buf others = { 0 };
	char *copy = mem_print("%s", flags);
	*map = (struct prefix_map){ 0 };
	buf_add(&others, "");
	for (char *save, *word = strtok_r(copy, " ", &save); word;
	     word = strtok_r(NULL, " ", &save))
		if (!sis_prefix_map_add(map, word))
			buf_print(&others, "%s%s", others.length ? " " : "", word);
	map->flags = others.at;
	free(copy);
}

char *sis_prefix_map_apply(const struct words *maps, const char *path)
{
	for (size_t i = maps->count; i-- > 0;) {
		const char *old_new = maps->at[i], *equals = strrchr(old_new, '=');
		size_t length = equals - old_new;
		if (strncmp(path, old_new, length) == 0)
			return mem_print("%s%s", equals + 1, path + length);
	}
	return mem_print("%s", path);
}

void sis_prefix_map_release(struct prefix_map *map)
{
	sis_words_release(&map->debug);
	free(map->flags);
}
