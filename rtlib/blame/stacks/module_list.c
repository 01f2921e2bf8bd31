/* SPDX-License-Identifier: BSD-3-Clause */
/* module_list.c - keeps the list of modules that are loaded. Called by the thread that opens the
 * profile, by the sampler at each look, and by the thread that ends the process; a lock makes them
 * take turns (samples.c).
 *
 * The dynamic linker counts the modules that it loads and unloads. If the counts are the same as
 * before, a look ends at the first module. A sampler that is a bare thread, and a forked child
 * (state.h), cannot call the dynamic linker. They read the dynamic linker's list in memory
 * (link_maps.c).
 * LIMIT: where the kernel refuses process_vm_readv, a forked child has no list, and the functions
 * of its samples are not known.
 * LIMIT: a library that is loaded and unloaded again between two looks is not noted.
 */
#include "base/copy_memory.h"
#include "base/runtime.h"
#include "base/state.h"
#include "blame/memory/module_memory.h"
#include "blame/stacks/link_maps.h"
#include "blame/stacks/module_list.h"
#include "blame/stacks/stacks_file.h"

#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MODULES = 4096, CHUNK = 16 << 10, NOTES = 4096 };

static struct sis_stacks_module *known[MODULES]; /* modules that were loaded at the last look */
static uint32_t known_count;
static bool is_loaded[MODULES];
static struct sis_chunk *chunk;
static unsigned long long adds, subs;
/* ranges that the present look finds, for the handler of the samples' signal */
static struct sis_module_range ranges[SIS_MODULE_RANGES];
static uint32_t range_count;
static struct sis_module_range tls[MODULES]; /* thread-local variables of this thread */
static uint32_t tls_count;
static uint64_t variables_bytes;

/* -- one module -------------------------------------------------------------------------------- */

static bool looks_from_outside(void)
{
	return sis__local.bare || sis__linker_is_forbidden();
}

/* The module's segment of notes; if it has several, the first one. */
static const char *notes_of(const struct dl_phdr_info *info, const ElfW(Phdr) *segment,
			    const char **end)
{
	static char copy[NOTES];
	uintptr_t at = info->dlpi_addr + segment->p_vaddr;
	size_t bytes = segment->p_memsz;
	*end = (const char *)at + bytes;
	if (!looks_from_outside())
		return (const char *)at;
	bytes = bytes < NOTES ? bytes : NOTES;
	*end = copy + (sis__copy_memory(copy, at, bytes) ? bytes : 0);
	return copy;
}

static uint16_t build_id(const struct dl_phdr_info *info, uint8_t *id, size_t size)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		if (segment->p_type != PT_NOTE)
			continue;
		const char *end, *at = notes_of(info, segment, &end);
		while ((size_t)(end - at) > sizeof(ElfW(Nhdr))) {
			const ElfW(Nhdr) *note = (const void *)at;
			const char *name = at + sizeof *note;
			const char *data = name + (note->n_namesz + 3) / 4 * 4;
			if (data > end || note->n_descsz > (size_t)(end - data))
				break;
			if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
			    memcmp(name, "GNU", 4) == 0) {
				size_t length = note->n_descsz < size ? note->n_descsz : size;
				memcpy(id, data, length);
				return (uint16_t)length;
			}
			at = data + (note->n_descsz + 3) / 4 * 4;
		}
	}
	return 0;
}

/* The result is valid until the next call. A thread that ends the process may have little stack, so
 * the text is not there. */
static const char *file_of(const struct dl_phdr_info *info)
{
	static char path[PATH_MAX], directory[PATH_MAX];
	const char *name = info->dlpi_name ? info->dlpi_name : "";
	path[0] = '\0';
	if (name[0] == '\0') {
		ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
		path[n < 0 ? 0 : n] = '\0';
	} else if (strncmp(name, "linux-vdso", 10) == 0 || strncmp(name, "linux-gate", 10) == 0) {
		strcpy(path, "[vdso]");
	} else if (name[0] == '/' || !getcwd(directory, sizeof directory)) {
		snprintf(path, PATH_MAX, "%s", name);
	} else {
		snprintf(path, PATH_MAX, "%.2000s/%.2000s", directory, name);
	}
	return path;
}

static void note_module(const struct dl_phdr_info *info, const ElfW(Phdr) *segment)
{
	struct stat status;
	const char *path = file_of(info);
	uint16_t length = (uint16_t)strlen(path);
	uint32_t size = (uint32_t)(sizeof(struct sis_stacks_module) + length + 7) / 8 * 8;
	struct sis_stacks_module *module =
		known_count < MODULES
			? sis__stacks_place(&chunk, SIS_CHUNK_MODULES, size, CHUNK) : NULL;
	if (!module)
		return;
	*module = (struct sis_stacks_module){
		.size = size,
		.path_length = length,
		.start = info->dlpi_addr + segment->p_vaddr,
		.end = info->dlpi_addr + segment->p_vaddr + segment->p_memsz,
		.offset = segment->p_offset,
		.bias = info->dlpi_addr,
		.from = sis__ticks(),
	};
	if (stat(path, &status) == 0) {
		module->file_bytes = (uint64_t)status.st_size;
		module->file_mtime_ns = (uint64_t)status.st_mtim.tv_sec * 1000000000u +
					(uint64_t)status.st_mtim.tv_nsec;
	}
	module->id_length = build_id(info, module->id, sizeof module->id);
	memcpy(module + 1, path, length);
	chunk->used += size;
	is_loaded[known_count] = true;
	known[known_count++] = module;
}

/* -- memory ------------------------------------------------------------------------------------ */

static void note_tls(const struct dl_phdr_info *info, const ElfW(Phdr) *segment, size_t size)
{
	if (size < offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof info->dlpi_tls_data ||
	    !info->dlpi_tls_data || tls_count == MODULES)
		return;
	uint64_t begin = (uint64_t)(uintptr_t)info->dlpi_tls_data;
	tls[tls_count++] =
		(struct sis_module_range){ .begin = begin, .end = begin + segment->p_memsz };
}

/* The thread-local variables of modules that were loaded at the start follow one another below the
 * thread pointer, in the same order in all threads. The variables of modules that were loaded later
 * are far away. */
static uint64_t tls_bytes(void)
{
	enum { GAP = 4096 }; /* for alignment, and modules that were unloaded */
	uint64_t thread = (uint64_t)(uintptr_t)__builtin_thread_pointer(), low = thread;
	for (bool found = true; found;) {
		found = false;
		for (uint32_t i = 0; i < tls_count; i++)
			if (tls[i].begin < low && tls[i].end + GAP >= low) {
				low = tls[i].begin;
				found = true;
			}
	}
	return thread - low;
}

/* -- a look ------------------------------------------------------------------------------------ */

/* Whether the module is known. */
static bool find_module(const struct dl_phdr_info *info, const ElfW(Phdr) *segment)
{
	const char *path = NULL;
	for (uint32_t i = 0; i < known_count; i++) {
		if (known[i]->start != info->dlpi_addr + segment->p_vaddr ||
		    known[i]->offset != segment->p_offset || known[i]->bias != info->dlpi_addr)
			continue;
		if (!path)
			path = file_of(info);
		if (strlen(path) != known[i]->path_length ||
		    memcmp(known[i] + 1, path, known[i]->path_length) != 0)
			continue;
		is_loaded[i] = true;
		return true;
	}
	return false;
}

static int look_at(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uint64_t begin = info->dlpi_addr + segment->p_vaddr;
		if (segment->p_type == PT_LOAD && range_count < SIS_MODULE_RANGES)
			ranges[range_count++] = (struct sis_module_range){
				.begin = begin, .end = begin + segment->p_memsz
			};
		if (segment->p_type == PT_TLS)
			note_tls(info, segment, size);
		if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X) &&
		    !find_module(info, segment))
			note_module(info, segment);
	}
	return 0;
}

static int has_changed(struct dl_phdr_info *info, size_t size, void *changed)
{
	if (size < offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs ||
	    info->dlpi_adds != adds || info->dlpi_subs != subs) {
		*(bool *)changed = true;
		adds = info->dlpi_adds;
		subs = info->dlpi_subs;
	}
	return 1;
}

static bool ask_linker(void)
{
	bool changed = false;
	dl_iterate_phdr(has_changed, &changed);
	if (!changed)
		return false;
	tls_count = 0;
	dl_iterate_phdr(look_at, NULL);
	variables_bytes = tls_bytes();
	return true;
}

void sis__modules_look(void)
{
	uint32_t kept = 0;
	memset(is_loaded, 0, known_count * sizeof is_loaded[0]);
	range_count = 0;
	/* If the list in memory is just being changed, the next look finds it complete. The size of
	 * the thread-local variables stays that of the start. */
	bool changed = looks_from_outside()
			       ? sis__link_maps_have_changed() && sis__link_maps_each(look_at)
			       : ask_linker();
	if (!changed)
		return;
	sis__module_memory_set(ranges, range_count, variables_bytes);
	for (uint32_t i = 0; i < known_count; i++) {
		if (is_loaded[i])
			known[kept++] = known[i];
		else
			known[i]->to = sis__ticks();
	}
	known_count = kept;
}

void sis__modules_new_process(void)
{
	known_count = 0;
	chunk = NULL;
	adds = subs = 0;
	sis__link_maps_new_process();
}
