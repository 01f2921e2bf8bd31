/* SPDX-License-Identifier: BSD-3-Clause */
/* page_files.c - see page_files.h. Owns the texts; one thread. A page is passed on, so it gets no
 * text of a file that an experiment only names: source_open compares checksums. */
#include "view/page_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"

struct loader { struct page_files *files; bool embed; size_t most; };

/* In the order of their paths. */
static const char sql[] =
	"SELECT f.path, f.directory, f.checksum "
	"FROM experiment e JOIN source_file f ON f.version = e.version "
	"WHERE e.id = ?1 AND f.path <> '' AND EXISTS "
	"(SELECT 1 FROM code_region r WHERE r.source_file = f.id AND r.line_start > 0) "
	"ORDER BY f.path";

static size_t text_bytes(const struct source *source)
{
	size_t bytes = 0;
	for (size_t i = 0; i < source->line.n; i++)
		bytes += strlen(source->line.at[i]) + 1;
	return bytes;
}

static void add_lines(struct page_files *files)
{
	const struct page_file *file = &files->file.at[files->file.n - 1];
	for (size_t i = 0; i < file->text.line.n; i++)
		*vec_push(&files->line) = (struct page_line){ (uint32_t)(files->file.n - 1),
							      file->text.line.at[i] };
}

static void embed(const struct loader *l, struct page_file *file, const char *directory,
		  const char *checksum)
{
	char *path = path_absolute(directory, file->path);
	source_open(&file->text, path ? path : file->path, checksum);
	free(path);
	file->state = source_state_reason(file->text.state);
	if (file->text.state != SOURCE_UNCHANGED)
		return;
	size_t bytes = text_bytes(&file->text);
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
	struct page_file *file = vec_push(&l->files->file);
	(void)err;
	*file = (struct page_file){ .path = mem_string(row[0].text),
				    .state = "not embedded, because --source was not given" };
	if (l->embed)
		embed(l, file, row[1].text, row[2].text);
	add_lines(l->files);
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
