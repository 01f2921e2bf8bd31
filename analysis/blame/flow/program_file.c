/* SPDX-License-Identifier: BSD-3-Clause */
/* program_file.c - finds the blobs of section `sis_blame` in ELF files. One thread calls it. A blob
 * that cannot be used is left out with a warning, so the other blobs are still used. */
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/file.h"
#include "blame/flow/program_internal.h"
#include "fnv.h"
#include "experiment/read/elf_sections.h"

#define PLAIN_MOST ((uint64_t)1 << 30)

static void warn(struct flow_program *program, const char *where, const char *problem)
{
	*vec_push(&program->warning) =
		mem_print("%s: %s of section " SIS_BLAME_SECTION "; its variables have no blame",
			  where, problem);
}

/* The decompressed payload, which the caller frees; NULL: it is damaged. */
static void *unpack(const struct sis_blame_header *h, const unsigned char *stored)
{
	if (h->plain > PLAIN_MOST || h->plain / 4096 > h->stored ||
	    (!h->packed && h->plain != h->stored))
		return NULL;
	void *plain = mem_alloc((size_t)h->plain + 1, 1);
	if (!h->packed)
		memcpy(plain, stored, (size_t)h->stored);
	else if (ZSTD_decompress(plain, (size_t)h->plain, stored, (size_t)h->stored) != h->plain)
		mem_free(&plain);
	return plain;
}

static int take_blob(struct flow_program *program, const struct sis_blame_header *h,
		     const unsigned char *stored, const char *where)
{
	bool fresh;
	if (h->version != SIS_BLAME_VERSION) {
		warn(program, where, "another version of sisc wrote a part");
		return 0;
	}
	if (sis_fnv(SIS_FNV_START, stored, (size_t)h->stored) != h->checksum) {
		warn(program, where, "a wrong checksum in a part");
		return 0;
	}
	map_put(&program->blobs, h->checksum, h->stored, 0, &fresh);
	if (!fresh)
		return 0;
	void *plain = unpack(h, stored);
	int added = plain && flow__read_unit(program, plain, (size_t)h->plain) == 0;
	if (!added)
		warn(program, where, "a damaged part");
	free(plain);
	return added;
}

int flow_program_add_section(struct flow_program *program, const void *bytes, size_t size,
			     const char *where)
{
	const unsigned char *at = bytes;
	int added = 0;
	for (size_t i = 0; i < size;) {
		struct sis_blame_header h;
		if (at[i] == 0) {
			i++;
			continue;
		}
		if (size - i < sizeof h)
			break;
		memcpy(&h, at + i, sizeof h);
		if (memcmp(h.magic, SIS_BLAME_MAGIC, sizeof h.magic) != 0 || h.size > size - i ||
		    h.size < sizeof h || h.stored > h.size - sizeof h) {
			warn(program, where, "damaged parts");
			break;
		}
		added += take_blob(program, &h, at + i + sizeof h, where);
		i += (size_t)h.size;
	}
	return added;
}

struct adding { struct flow_program *program; const char *path; int added; };

static int take_section(void *adding, const char *bytes, size_t size)
{
	struct adding *a = adding;
	a->added += flow_program_add_section(a->program, bytes, size, a->path);
	return 0;
}

int flow_program_add_file(struct flow_program *program, const char *path, struct err *err)
{
	struct adding adding = { program, path, 0 };
	struct err problem = { "" };
	struct stat st;
	int file = file_open(path, &st, err);
	if (file < 0)
		return file;
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(file, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF &&
	    elf_sections_named(elf, SIS_BLAME_SECTION, path, take_section, &adding, &problem))
		*vec_push(&program->warning) =
			mem_print("%s; its variables have no blame", problem.text);
	program->modules++;
	elf_end(elf);
	close(file);
	return adding.added;
}
