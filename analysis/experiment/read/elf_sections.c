/* SPDX-License-Identifier: BSD-3-Clause */
/* elf_sections.c - reads named sections of an ELF file. Called by one thread. The offset of the
 * section headers is checked first, because libelf does not check it. */
#include "experiment/read/elf_sections.h"

#include <gelf.h>
#include <string.h>

int elf_sections_named(Elf *elf, const char *name, const char *where,
		       int (*take)(void *arg, const char *bytes, size_t size), void *arg,
		       struct err *err)
{
	size_t names, size = 0;
	int rc = 0;
	GElf_Ehdr head = { .e_shoff = 0 };
	if (!gelf_getehdr(elf, &head) || !elf_rawfile(elf, &size) || head.e_shoff > size ||
	    (head.e_shoff && elf_getshdrstrndx(elf, &names) != 0))
		return err_fail(err, "%s: its sections cannot be read: %s; the file is damaged, "
				"build it again", where,
				head.e_shoff > size ? "they begin behind its end" : elf_errmsg(-1));
	if (!head.e_shoff)
		return 0; /* there are no sections */
	for (Elf_Scn *section = elf_nextscn(elf, NULL); rc == 0 && section;
	     section = elf_nextscn(elf, section)) {
		GElf_Shdr header;
		const char *found = gelf_getshdr(section, &header) ?
			elf_strptr(elf, names, header.sh_name) :
			NULL;
		if (!found || strcmp(found, name) != 0)
			continue;
		Elf_Data *data = elf_rawdata(section, NULL);
		if (!data || !data->d_buf)
			return err_fail(err, "%s: section %s cannot be read: %s; the file is "
					"damaged, build it again", where, name, elf_errmsg(-1));
		rc = take(arg, data->d_buf, data->d_size);
	}
	return rc;
}
