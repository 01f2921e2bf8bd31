/* SPDX-License-Identifier: BSD-3-Clause */
/* page_files.c - loads source files for the page (page_files.h). Owns the texts. Called by one
 * thread. Users give pages to other people. So the page must not get the text of a file only
 * because a damaged or foreign experiment names it: source_open compares checksums. */
#include "page/view/page_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"

struct loader { struct page_files *files; bool embed; size_t most; };

/* The files that have regions, ordered by path. */
static const char sql[] =
	"SELECT f.path, f.directory, f.checksum "
	"FROM experiment e JOIN source_file f ON f.version = e.version "
	"WHERE e.id = ?1 AND f.path <> '' AND EXISTS "
	"(SELECT 1 FROM code_region r WHERE r.source_file = f.id AND r.line_start > 0) "
	"ORDER BY f.path";

static void embed(const struct loader *l, struct page_file *file, const char *directory,
		  const char *checksum)
{
	char *path = path_absolute(directory, file->path);
	source_open(&file->text, path ? path : file->path, checksum);
	free(path);
	file->state = source_state_reason(file->text.state);
	if (file->text.state != SOURCE_UNCHANGED)
		return;
	size_t bytes = 0;
	for (size_t i = 0; i < file->text.line.n; i++)
		bytes += strlen(file->text.line.at[i]) + 1;
	if (bytes > l->most - l->files->bytes) {
		source_release(&file->text);
		file->state = "left out, because the page would be larger than --limit";
		return;
	}
	l->files->bytes += bytes;
	file->state = "embedded";
}

static int take_file(void *arg, const struct cell *row, struct err *err)
{
	const struct loader *l = arg;
	uint32_t number = (uint32_t)l->files->file.n;
	struct page_file *file = vec_push(&l->files->file);
	(void)err;
	*file = (struct page_file){ .path = mem_string(row[0].text),
				    .state = "not embedded, because --source was not given" };
	if (l->embed)
		embed(l, file, row[1].text, row[2].text);
	for (size_t i = 0; i < file->text.line.n; i++)
		*vec_push(&l->files->line) = (struct page_line){ number, file->text.line.at[i] };
	return 0;
}

int page_files_load(struct page_files *files, struct repo *repo, int64_t experiment, bool embed,
		    size_t most, struct err *err)
{
	struct loader l = { files, embed, most };
	*files = (struct page_files){ 0 };
	return repo_each(repo, take_file, &l, err, sql, "i", experiment);
}

void page_files_release(struct page_files *files)
{
	for (size_t i = 0; i < files->file.n; i++) {
		free(files->file.at[i].path);
		source_release(&files->file.at[i].text);
	}
	vec_free(&files->file);
	vec_free(&files->line);
}
