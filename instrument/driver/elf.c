/* SPDX-License-Identifier: BSD-3-Clause */
/* elf.c - reads object files, archives and programs through libelf. Called by link.c.
 * The idea: an instrumented object has the section sis_idf. Objects for link-time optimization have
 * this section in their bytecode only, but their symbol tables have the routine that the
 * constructor calls. Objects that use sis/sis.h have the routines of this header in their symbol
 * tables. */
#include "driver/elf.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

#define LTO_SYMBOLS ".gnu.lto_.symtab"
#define NAMES ".strtab"
#define REGISTRATION "sis_unit_register"
#define USER_API "sis_hand_" /* prefix of the routines that sis/sis.h calls */

/* The section whose name begins with `name`; NULL if there is none. */
static Elf_Scn *find_section(Elf *elf, const char *name)
{
	size_t names;
	if (elf_getshdrstrndx(elf, &names) != 0)
		return NULL;
	for (Elf_Scn *section = elf_nextscn(elf, NULL); section;
	     section = elf_nextscn(elf, section)) {
		GElf_Shdr header;
		const char *found = gelf_getshdr(section, &header) ?
			elf_strptr(elf, names, header.sh_name) :
			NULL;
		if (found && sis_starts(found, name))
			return section;
	}
	return NULL;
}

/* Whether these bytes contain names of runtime routines that instrumented code calls. */
static bool mentions_runtime(const void *bytes, size_t size)
{
	return memmem(bytes, size, REGISTRATION, strlen(REGISTRATION)) ||
		memmem(bytes, size, USER_API, strlen(USER_API));
}

static bool section_mentions_runtime(Elf *elf, const char *name)
{
	Elf_Scn *section = find_section(elf, name);
	Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;
	return data && data->d_buf && mentions_runtime(data->d_buf, data->d_size);
}

static bool is_instrumented(Elf *elf, int file)
{
	bool found = false;
	if (elf_kind(elf) == ELF_K_ELF)
		return find_section(elf, SIS_IDF_SECTION) || section_mentions_runtime(elf, NAMES) ||
			section_mentions_runtime(elf, LTO_SYMBOLS);
	if (elf_kind(elf) != ELF_K_AR) { /* it may be LLVM's bitcode */
		size_t size;
		const char *bytes = elf_rawfile(elf, &size);
		return bytes && size > 4 && memcmp(bytes, "BC\xc0\xde", 4) == 0 &&
			mentions_runtime(bytes, size);
	}
	Elf *member;
	for (Elf_Cmd command = ELF_C_READ; !found && (member = elf_begin(file, command, elf));
	     elf_end(member)) {
		found = elf_kind(member) != ELF_K_AR && is_instrumented(member, file);
		command = elf_next(member);
	}
	return found;
}

bool sis_elf_is_instrumented(const char *name)
{
	int file = open(name, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return false;
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(file, ELF_C_READ, NULL);
	bool found = elf && is_instrumented(elf, file);
	elf_end(elf);
	close(file);
	return found;
}

bool sis_elf_is_assembly_instrumented(const char *name)
{
	struct buf text = { 0 };
	struct err ignored = { "" };
	bool found = sis_file_read(name, &text, &ignored) == 0 &&
		mentions_runtime(text.at ? text.at : "", text.length);
	buf_release(&text);
	return found;
}

void sis_elf_read_idf(const char *name, struct buf *out)
{
	int file = open(name, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return;
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(file, ELF_C_READ, NULL);
	Elf_Scn *section = elf && elf_kind(elf) == ELF_K_ELF ? find_section(elf, SIS_IDF_SECTION) :
							       NULL;
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	if (data && data->d_buf)
		buf_put(out, data->d_buf, data->d_size);
	elf_end(elf);
	close(file);
}
