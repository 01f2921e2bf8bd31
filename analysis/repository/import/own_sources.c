// SPDX-License-Identifier: BSD-3-Clause
/* own_sources.c - see own_sources.h. Called by one thread.
 *
 * sisc records the checksum of each source. For other programs, a source that has not changed since
 * its program or library was built is the one that was compiled. */
#include "repository/import/own_sources.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "source_checksum.h"

static bool is_newer(const struct stat *one, const struct stat *other)
{
	return one->st_mtim.tv_sec != other->st_mtim.tv_sec ?
		one->st_mtim.tv_sec > other->st_mtim.tv_sec :
		one->st_mtim.tv_nsec > other->st_mtim.tv_nsec;
}

/* The checksum of a source; NULL: it is not known, or not that of the text that was compiled. */
static char *checksum_of(const char *path, const char *module)
{
	char block[65536];
	struct stat source, built;
	struct err unread = { "" };
	uint64_t sum = SIS_FNV_START;
	int file = stat(module, &built) == 0 ? file_open(path, &source, &unread) : -1;
	ssize_t n = file < 0 || is_newer(&source, &built) ||
		source.st_size > SIS_SOURCE_MOST_BYTES ? -1 : 1;
	while (n > 0 && (n = read(file, block, sizeof block)) > 0)
		sum = sis_fnv(sum, block, (size_t)n);
	if (file >= 0)
		close(file);
	return n == 0 ? mem_print("%016" PRIx64, sum) : NULL;
}

static void add(struct experiment_model *m, const char *path, const char *module)
{
	bool is_new;
	char *checksum = path && strmap_get(&m->file_by_path, path) == MAP_NONE ?
		checksum_of(path, module) : NULL;
	if (!checksum)
		return;
	strmap_put(&m->file_by_path, path, m->file.n, &is_new);
	*vec_push(&m->file.fill) = (struct source_file){ mem_string(path), checksum };
}

void own_sources_add(struct experiment *x)
{
	struct experiment_model *m = &x->model;
	const struct sampled *sampled = &x->run.sampled;
	for (size_t i = 0; i < m->sampled.n; i++)
		add(m, m->region.at[m->sampled.at[i]].path, sampled->function.at[i].module);
	for (size_t i = 0; i < m->called.n; i++)
		add(m, m->region.at[m->called.at[i]].path,
		    sampled->function.at[sampled->call.at[i].function].module);
}
