/* SPDX-License-Identifier: BSD-3-Clause */
/* link_maps.c - reads the dynamic linker's list of modules without calling the dynamic linker.
 * Called by one thread at a time: the sampler, or a thread of a forked child.
 *
 * dl_iterate_phdr takes a lock of libc, which a bare thread cannot take. But the dynamic linker
 * keeps its list where debuggers find it (_r_debug). Other threads may change the list, and unmap
 * its elements at any time. So the list is read by process_vm_readv, with which the kernel copies
 * memory and reports addresses that are not mapped. If the list changes during a look, the look
 * fails, and the next look tries again.
 *
 * A new library is added at the end of the list. So most looks copy only the last element, by one
 * system call. One look in 16 copies the whole list, to find libraries that were unloaded.
 */
#include "base/copy_memory.h"
#include "base/runtime.h"
#include "blame/stacks/link_maps.h"

#ifdef __GLIBC__

#include <dlfcn.h>
#include <elf.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#pragma weak _dl_find_object

enum { MAPS = 4096, PART = 256, PAGE = 4096, SEGMENTS = 64, NAMES = 32 << 10 };

/* The list at the last look. A library may get the address, and even the element, of a library that
 * was unloaded. Then the new library is recognized by its other name. */
static struct known {
	const struct link_map *at;
	const char *name;
	ElfW(Addr) bias;
	ElfW(Dyn) *dynamic;
	uint64_t name_hash;
	size_t name_bytes; /* with the NUL */
} map[MAPS];
static unsigned maps;

/* In a forked child: a thread of the parent was changing the list at the fork. The child does not
 * have this thread, so the list stays as it is. Elements that cannot be read are left out. */
static bool stopped;

static bool is_complete(void)
{
	return ((const volatile struct r_debug *)&_r_debug)->r_state == RT_CONSISTENT || stopped;
}

bool sis__link_maps_are_readable(void)
{
	struct link_map first;
	return _dl_find_object && _r_debug.r_map &&
	       sis__copy_memory(&first, (uintptr_t)_r_debug.r_map, sizeof first);
}

/* -- the list ---------------------------------------------------------------------------------- */

/* Copies of some elements, and of their names, one after the other. */
static struct link_map now[PART];
static char names[NAMES];

/* Copies the elements from `from` on, as many as there is room for. Returns the number of the next
 * element; 0: the elements cannot be read. */
static unsigned copy_part(unsigned from)
{
	struct iovec local[2] = { { now, 0 }, { names, 0 } }, remote[2 * PART];
	unsigned n = 0;
	while (n < PART && from + n < maps &&
	       local[1].iov_len + map[from + n].name_bytes <= NAMES) {
		local[0].iov_len += sizeof now[0];
		local[1].iov_len += map[from + n].name_bytes;
		n++;
	}
	for (unsigned i = 0; i < n; i++) {
		const struct known *known = &map[from + i];
		remote[i] = (struct iovec){ (void *)known->at, sizeof now[0] };
		remote[n + i] = (struct iovec){ (void *)known->name, known->name_bytes };
	}
	ssize_t bytes = (ssize_t)(local[0].iov_len + local[1].iov_len);
	return process_vm_readv(getpid(), local, 2, remote, 2 * n, 0) == bytes ? from + n : 0;
}

/* Whether the elements that were copied are the same as at the last look. */
static bool is_same(unsigned from, unsigned end)
{
	const char *name = names;
	for (unsigned i = from; i < end; i++) {
		const struct link_map *one = &now[i - from];
		const struct link_map *next = i + 1 < maps ? map[i + 1].at : NULL;
		if (one->l_addr != map[i].bias || one->l_ld != map[i].dynamic ||
		    one->l_name != map[i].name || (one->l_next != next && i + 1 < MAPS) ||
		    sis_checksum(name, map[i].name_bytes) != map[i].name_hash)
			return false;
		name += map[i].name_bytes;
	}
	return true;
}

static bool is_same_from(unsigned from)
{
	bool same = maps > 0 && _r_debug.r_map == map[0].at;
	for (unsigned end; same && from < maps; from = end) {
		end = copy_part(from);
		same = end && is_same(from, end);
	}
	return same;
}

bool sis__link_maps_have_changed(void)
{
	enum { WHOLE = 16 };
	static unsigned looks;
	bool whole = looks++ % WHOLE == 0 || maps == 0;
	return !is_same_from(whole ? 0 : maps - 1);
}

static bool read_name(char name[PATH_MAX], uintptr_t from)
{
	for (size_t length = 0; length < PATH_MAX;) {
		size_t bytes = PAGE - from % PAGE; /* the next page may not be mapped */
		bytes = bytes < PATH_MAX - length ? bytes : PATH_MAX - length;
		if (!sis__copy_memory(name + length, from, bytes))
			return false;
		if (memchr(name + length, '\0', bytes))
			return true;
		length += bytes;
		from += bytes;
	}
	return false;
}

static bool read_list(void)
{
	struct link_map one;
	char name[PATH_MAX];
	maps = 0;
	for (const struct link_map *at = _r_debug.r_map; at && maps < MAPS; at = one.l_next) {
		if (!sis__copy_memory(&one, (uintptr_t)at, sizeof one) ||
		    !read_name(name, (uintptr_t)one.l_name))
			return false;
		size_t bytes = strlen(name) + 1;
		map[maps++] = (struct known){ at, one.l_name, one.l_addr, one.l_ld,
					      sis_checksum(name, bytes), bytes };
	}
	return maps > 0;
}

/* -- a module ---------------------------------------------------------------------------------- */

/* Reads the segments from the ELF header, which is at the begin of the module. */
static int read_segments(ElfW(Phdr) segment[SEGMENTS], const struct link_map *one)
{
	struct dl_find_object object;
	ElfW(Ehdr) header;
	uintptr_t begin = _dl_find_object(one->l_ld, &object) == 0
				  ? (uintptr_t)object.dlfo_map_start : one->l_addr;
	if (!sis__copy_memory(&header, begin, sizeof header) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_phnum > SEGMENTS ||
	    !sis__copy_memory(segment, begin + header.e_phoff, header.e_phnum * sizeof segment[0]))
		return -1;
	return header.e_phnum;
}

static bool read_module(const struct link_map *at,
			int (*each)(struct dl_phdr_info *, size_t, void *))
{
	struct link_map one;
	ElfW(Phdr) segment[SEGMENTS];
	char name[PATH_MAX];
	if (!sis__copy_memory(&one, (uintptr_t)at, sizeof one) ||
	    !read_name(name, (uintptr_t)one.l_name))
		return false;
	int segments = read_segments(segment, &one);
	if (segments < 0)
		return false;
	struct dl_phdr_info info = { .dlpi_addr = one.l_addr, .dlpi_name = name,
				     .dlpi_phdr = segment, .dlpi_phnum = (ElfW(Half))segments };
	each(&info, offsetof(struct dl_phdr_info, dlpi_adds), NULL);
	return true;
}

bool sis__link_maps_each(int (*each)(struct dl_phdr_info *, size_t, void *))
{
	bool all = is_complete() && read_list();
	for (unsigned i = 0; all && i < maps; i++)
		all = read_module(map[i].at, each) || stopped;
	all = all && is_complete() && is_same_from(0);
	if (!all)
		maps = 0;
	return all;
}

void sis__link_maps_new_process(void)
{
	maps = 0;
	stopped = false;
	stopped = !is_complete();
}

#else

bool sis__link_maps_are_readable(void) { return false; }
bool sis__link_maps_have_changed(void) { return false; }
bool sis__link_maps_each(int (*each)(struct dl_phdr_info *, size_t, void *))
{
	(void)each;
	return false;
}
void sis__link_maps_new_process(void) {}

#endif
