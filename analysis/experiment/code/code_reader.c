// SPDX-License-Identifier: BSD-3-Clause
/* code_reader.c - reads a module's file and its debug file. This runs in the process that
 * code_places.c starts. The process ends afterwards, so nothing is released. */
#include "experiment/code/code_reader.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/file.h"
#include "experiment/code/debug_info.h"
#include "experiment/code/elf_names.h"

#define DEBUG_FOLDER "/usr/lib/debug"
enum { MOST_ID_BYTES = 64 };

struct reader {
	const struct code_module *module;
	struct elf_names names;
	struct debug_info *debug;
	Elf *elf;                  /* the module's file */
	enum placed_reason reason; /* why no address can be placed; PLACED_OK: the file can be
	                            * used */
};

/* -- opening files ----------------------------------------------------------------------------- */

static bool has_build_id(Elf *elf, const unsigned char *wanted, size_t wanted_bytes)
{
	size_t bytes = 0;
	const unsigned char *id = elf_build_id(elf, &bytes);
	return id && bytes == wanted_bytes && memcmp(id, wanted, bytes) == 0;
}

static bool same_file(const struct code_module *m, Elf *elf, const struct stat *st)
{
	if (m->build_id_bytes)
		return has_build_id(elf, m->build_id, m->build_id_bytes);
	uint64_t mtime_ns = (uint64_t)st->st_mtim.tv_sec * 1000000000u +
		(uint64_t)st->st_mtim.tv_nsec;
	return (!m->size || (uint64_t)st->st_size == m->size) &&
		(!m->mtime_ns || mtime_ns == m->mtime_ns);
}

static Elf *open_elf(int file)
{
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(file, ELF_C_READ_MMAP, NULL);
	return elf && elf_kind(elf) == ELF_K_ELF ? elf : NULL;
}

/* The checksum that .gnu_debuglink has: CRC-32 of IEEE 802.3. */
static bool has_checksum(int file, uint32_t wanted)
{
	unsigned char bytes[1 << 16];
	uLong sum = crc32(0, NULL, 0);
	off_t at = 0;
	for (ssize_t n; (n = pread(file, bytes, sizeof bytes, at)) > 0; at += n)
		sum = crc32(sum, bytes, (uInt)n);
	return sum == wanted;
}

/* Takes a debug file, if it has the build id or, without one, the checksum. */
static bool take_debug_file(struct reader *r, const char *path, const unsigned char *id,
			    size_t id_bytes, const uint32_t *checksum)
{
	struct err ignored = { "" };
	struct stat st;
	int file = file_open(path, &st, &ignored);
	Elf *elf = file < 0 ? NULL : open_elf(file);
	if (!elf || !(id ? has_build_id(elf, id, id_bytes) : has_checksum(file, *checksum)))
		return false;
	elf_names_add(&r->names, elf);
	r->debug = debug_info_new(file);
	return r->debug != NULL;
}

/* Finds the debug file that .gnu_debuglink names: beside the module, in .debug there, or in the
 * folder of debug files. */
static void open_linked_file(struct reader *r, Elf *module, const unsigned char *id,
			     size_t id_bytes)
{
	const char *folder = r->module->debug_folder ?: DEBUG_FOLDER, *path = r->module->path,
		   *slash = strrchr(path, '/');
	int length = slash ? (int)(slash - path) : 0;
	GElf_Word checksum;
	const char *name = dwelf_elf_gnu_debuglink(module, &checksum);
	if (!name || strchr(name, '/') || !slash)
		return;
	char *place[] = { mem_print("%.*s/%s", length, path, name),
			  mem_print("%.*s/.debug/%s", length, path, name),
			  mem_print("%s%.*s/%s", folder, length, path, name) };
	for (size_t i = 0; i < sizeof place / sizeof *place; i++)
		if (take_debug_file(r, place[i], id, id_bytes, &checksum))
			return;
}

/* Opens the separate debug file of the module: by its build id, or by its name. */
static void open_debug_file(struct reader *r, Elf *module)
{
	const char *folder = r->module->debug_folder;
	char name[2 * MOST_ID_BYTES + 1] = "";
	size_t bytes = 0;
	const unsigned char *id = elf_build_id(module, &bytes);
	id = bytes < 2 || bytes > MOST_ID_BYTES ? NULL : id;
	for (size_t i = 0; id && i < bytes; i++)
		snprintf(name + 2 * i, 3, "%02x", id[i]);
	char *path = mem_print("%s/.build-id/%.2s/%s.debug", folder ? folder : DEBUG_FOLDER, name,
			       name + 2);
	if (!id || !take_debug_file(r, path, id, bytes, NULL))
		open_linked_file(r, module, id, bytes);
}

static void open_module(struct reader *r)
{
	struct err ignored = { "" };
	struct stat st;
	int file = file_open(r->module->path, &st, &ignored);
	Elf *elf = file < 0 ? NULL : open_elf(file);
	r->reason = PLACED_NO_FILE;
	if (!elf)
		return;
	r->reason = PLACED_CHANGED;
	if (!same_file(r->module, elf, &st))
		return;
	r->reason = PLACED_OK;
	r->elf = elf;
	elf_names_add(&r->names, elf);
	r->debug = debug_info_new(file);
	if (!r->debug)
		open_debug_file(r, elf);
	elf_names_sort(&r->names);
}

/* -- writing places ---------------------------------------------------------------------------- */

/* A tab or line end in a name would end the field or line, so it becomes a question mark. */
static void write_text(FILE *out, const char *text)
{
	for (; text && *text; text++)
		putc(*text == '\t' || *text == '\n' ? '?' : *text, out);
}

static void write_field(FILE *out, const char *text)
{
	write_text(out, text);
	putc('\t', out);
}

/* Writes the name that a function has in the source, without the suffix that gcc adds to the names
 * of copies that it makes for callers. */
static void write_function(FILE *out, const char *symbol)
{
	static const char *const copy[] = { ".constprop.", ".isra.", ".lto_priv." };
	const char *end = symbol ? symbol + strlen(symbol) : NULL;
	for (size_t i = 0; symbol && i < sizeof copy / sizeof *copy; i++) {
		const char *found = strstr(symbol, copy[i]);
		end = found && found < end ? found : end;
	}
	for (; symbol && symbol < end; symbol++)
		putc(*symbol == '\t' || *symbol == '\n' ? '?' : *symbol, out);
	putc('\t', out);
}

static void write_place(FILE *out, struct reader *r, const struct code_address *address)
{
	struct code_site site[DEBUG_INFO_DEPTH];
	uint64_t at = address->at - (address->after_call && address->at);
	uint32_t count = r->debug ? debug_info_sites(r->debug, at, site) : 0;
	enum placed_reason reason = r->reason;
	if (reason == PLACED_OK && !count)
		reason = r->debug || r->names.has_table ? PLACED_NO_DEBUG : PLACED_STRIPPED;
	fprintf(out, "P\t%d\t%u\t%llu\t", reason, count,
		(unsigned long long)elf_names_start(&r->names, at));
	write_function(out, elf_names_symbol(&r->names, at));
	write_function(out, address->after_call ? elf_names_callee(&r->names, address->at) : NULL);
	putc('\n', out);
	for (const struct code_site *s = site; s < site + count; s++) {
		fputs("S\t", out);
		write_field(out, s->function);
		write_field(out, s->unit);
		write_field(out, s->directory);
		if (s->file && *s->file != '/' && s->file_directory) {
			write_text(out, s->file_directory);
			putc('/', out);
		}
		write_field(out, s->file);
		fprintf(out, "%u\t%u\t%d\t", s->line, s->column, s->prologue);
		write_field(out, s->declared);
		fprintf(out, "%u\t\n", s->declared_line);
	}
}

/* -- finding and writing variables ------------------------------------------------------------- */

/* Finds the begin of the module's thread-local data, as an offset from the thread pointer. This is
 * right only if the module is the program: on x86-64, the program's thread-local data ends at the
 * thread pointer. */
static bool thread_local_begin(Elf *elf, int64_t *begin)
{
	GElf_Ehdr header;
	size_t n = 0;
	if (!gelf_getehdr(elf, &header) || header.e_machine != EM_X86_64 ||
	    elf_getphdrnum(elf, &n) != 0)
		return false;
	for (size_t i = 0; i < n && i <= INT_MAX; i++) {
		GElf_Phdr segment;
		if (!gelf_getphdr(elf, (int)i, &segment) || segment.p_type != PT_TLS ||
		    segment.p_memsz > INT32_MAX || segment.p_align > INT32_MAX)
			continue;
		uint64_t align = segment.p_align ? segment.p_align : 1;
		*begin = -(int64_t)((segment.p_memsz + align - 1) / align * align);
		return true;
	}
	return false;
}

/* Takes a variable from the symbol table, which has no more than its name and size. */
static void take_symbol(const struct elf_symbol *symbol, struct code_variable *variable)
{
	if (symbol)
		*variable = (struct code_variable){ .name = symbol->name,
						    .bytes = symbol->high - symbol->low };
}

static void find_thread_local(struct reader *r, int64_t offset, struct code_variable *variable)
{
	int64_t begin;
	if (!thread_local_begin(r->elf, &begin) || offset < begin || offset >= 0)
		return;
	uint64_t at = (uint64_t)(offset - begin);
	if (!r->debug || !debug_info_variable(r->debug, true, at, variable))
		take_symbol(elf_names_thread_local(&r->names, at), variable);
}

static bool is_read_only(Elf *elf, uint64_t at)
{
	size_t n = 0;
	if (elf_getphdrnum(elf, &n) != 0)
		return false;
	for (size_t i = 0; i < n && i <= INT_MAX; i++) {
		GElf_Phdr segment;
		if (gelf_getphdr(elf, (int)i, &segment) && segment.p_type == PT_LOAD &&
		    at >= segment.p_vaddr && at - segment.p_vaddr < segment.p_memsz)
			return !(segment.p_flags & PF_W);
	}
	return false;
}

static void find_static(struct reader *r, uint64_t at, struct code_variable *variable)
{
	const struct elf_symbol *symbol = elf_names_object(&r->names, at);
	const char *dot = symbol ? strchr(symbol->name, '.') : NULL;
	/* clang names a static variable of a function FUNCTION.NAME. If clang has removed the
	 * function, the debug information does not name it, but the symbol does. */
	if (!r->debug || !debug_info_variable(r->debug, false, at, variable))
		take_symbol(symbol, variable);
	else if (dot && !variable->function && strcmp(dot + 1, variable->name) == 0)
		variable->function = mem_print("%.*s", (int)(dot - symbol->name), symbol->name);
	if (!variable->name && is_read_only(r->elf, at))
		variable->type = CODE_CONSTANT;
}

/* If no variable is known, only the function of the frame is set. */
static void find_in_frame(struct reader *r, const struct code_data *data,
			  struct code_variable *variable)
{
	uint64_t pc = data->at - (data->after_call && data->at);
	if (r->debug && debug_info_frame(r->debug, r->elf, pc, data->offset, variable) &&
	    data->offset != CODE_SOMEWHERE)
		return;
	variable->name = NULL;
	if (!variable->function)
		variable->function = elf_names_symbol(&r->names, pc);
}

static void write_variable(FILE *out, struct reader *r, const struct code_data *data)
{
	struct code_variable variable = { .name = NULL };
	if (r->reason == PLACED_OK && data->kind == CODE_STATIC)
		find_static(r, data->at, &variable);
	else if (r->reason == PLACED_OK && data->kind == CODE_THREAD_LOCAL)
		find_thread_local(r, data->offset, &variable);
	else if (r->reason == PLACED_OK)
		find_in_frame(r, data, &variable);
	fputs("V\t", out);
	write_field(out, variable.name);
	write_field(out, variable.function);
	write_field(out, variable.type);
	write_field(out, variable.file);
	fprintf(out, "%u\t%llu\t\n", variable.line, (unsigned long long)variable.bytes);
}

void code_reader_write(FILE *out, const struct code_module *module,
		       const struct code_questions *questions)
{
	struct reader r = { .module = module };
	open_module(&r);
	for (size_t i = 0; i < questions->addresses; i++)
		write_place(out, &r, &questions->address[i]);
	for (size_t i = 0; i < questions->datas; i++)
		write_variable(out, &r, &questions->data[i]);
}
