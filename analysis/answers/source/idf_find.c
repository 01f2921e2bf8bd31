/* SPDX-License-Identifier: BSD-3-Clause */
/* idf_find.c - finds descriptions and gives them to idf_read.c. One thread. The section of a
 * program is preferred, because it describes exactly the objects that were linked. If the section
 * has no descriptions, the description file beside the program is read. If a library was linked
 * twice, its texts are found twice; equal texts are one translation unit. */
#include "answers/source/idf_find.h"

#include <errno.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "experiment/model/experiment.h"
#include "repository/import/run_directory.h"
#include "experiment/read/elf_sections.h"

#define SECTION "sis_idf"

struct finder {
	struct idf *idf;
	const char *where;  /* path of the file, for messages */
	struct map seen;    /* keys (checksum, length) of the texts that were read */
	struct err *err;
};

static int take_description(struct finder *f, const char *json, size_t length)
{
	bool fresh;
	map_put(&f->seen, sis_checksum(json, length), length, 0, &fresh);
	return fresh ? idf_read_program(&f->idf->tu, json, length, f->where, f->err) : 0;
}

/* -- ELF --------------------------------------------------------------------------------------- */

/* A section is a list of texts, each followed by one NUL or more. */
static int take_section(void *finder, const char *bytes, size_t size)
{
	struct finder *f = finder;
	int rc = 0;
	for (size_t at = 0; rc == 0 && at < size;) {
		size_t n = strnlen(bytes + at, size - at);
		if (n)
			rc = take_description(f, bytes + at, n);
		at += n + 1;
	}
	return rc;
}

static int take_sections(struct finder *f, Elf *elf)
{
	return elf_sections_named(elf, SECTION, f->where, take_section, f, f->err);
}

static int take_elf(struct finder *f, Elf *elf, int file)
{
	int rc = 0;
	Elf *member;
	if (elf_kind(elf) == ELF_K_ELF)
		return take_sections(f, elf);
	for (Elf_Cmd command = ELF_C_READ; rc == 0 && (member = elf_begin(file, command, elf));
	     elf_end(member)) {
		if (elf_kind(member) == ELF_K_ELF)
			rc = take_sections(f, member);
		command = elf_next(member);
	}
	return rc;
}

/* -- files ------------------------------------------------------------------------------------- */

static int take_text_file(struct finder *f, int file, size_t size)
{
	char *text = mem_alloc(size + 1, 1);
	ssize_t n = 0;
	for (size_t at = 0; at < size && (n = pread(file, text + at, size - at, at)) > 0;)
		at += n;
	int rc = n < 0 ?
		err_fail(f->err, "cannot read '%s': %s; check the file and its permissions",
			 f->where, strerror(errno)) :
		take_description(f, text, strlen(text));
	free(text);
	return rc;
}

static int take_file(struct finder *f, int file, const struct stat *st)
{
	char magic = 0;
	if (pread(file, &magic, 1, 0) == 1 && magic == '{')
		return take_text_file(f, file, st->st_size);
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(file, ELF_C_READ, NULL);
	bool known = elf && (elf_kind(elf) == ELF_K_ELF || elf_kind(elf) == ELF_K_AR);
	int rc = known ?
		take_elf(f, elf, file) :
		err_fail(f->err, "'%s' is neither a program, an object, an archive nor a "
			 "description; name the program that sisc linked, or its .idf file",
			 f->where);
	elf_end(elf);
	return rc;
}

static int take_named(struct finder *f, const char *path)
{
	struct stat st;
	int file = file_open(path, &st, f->err);
	f->where = path;
	if (file < 0)
		return file;
	int rc = take_file(f, file, &st);
	close(file);
	return rc;
}

int idf_find_in_file(struct idf *idf, const char *path, struct err *err)
{
	struct finder f = { .idf = idf, .err = err };
	char *beside = mem_print("%s.idf", path);
	*idf = (struct idf){ 0 };
	int rc = take_named(&f, path);
	if (rc == 0 && !idf->tu.n && !f.seen.n) {
		rc = access(beside, F_OK) == 0 ?
			take_named(&f, beside) :
			err_fail(err, "'%s' holds no description; build it with sisc (objects for "
				 "link-time optimization have theirs when they are linked)", path);
	}
	free(beside);
	map_free(&f.seen);
	return rc;
}

int idf_find_in_experiment(struct idf *idf, const char *directory, struct err *err)
{
	struct experiment x;
	struct finder f = { .idf = idf, .where = directory, .err = err };
	*idf = (struct idf){ 0 };
	int rc = experiment_read(&x, directory, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < x.model.process.n; i++)
		for (size_t k = 0; rc == 0 && k < x.model.process.at[i].profile.tu.n; k++) {
			const struct profile_tu *tu = &x.model.process.at[i].profile.tu.at[k];
			rc = take_description(&f, tu->json, strnlen(tu->json, tu->length));
		}
	map_free(&f.seen);
	experiment_release(&x);
	return rc;
}

void idf_find_release(struct idf *idf)
{
	for (size_t i = 0; i < idf->tu.n; i++)
		idf_release(&idf->tu.at[i]);
	vec_free(&idf->tu);
}
