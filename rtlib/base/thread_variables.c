/* SPDX-License-Identifier: BSD-3-Clause */
/* thread_variables.c - see thread_variables.h. Any thread; owns nothing. */
#include "base/thread_variables.h"

#include <link.h>
#include <stdbool.h>
#include <string.h>

enum { SURPLUS = 64 << 10 }; /* of libc, for objects that are loaded later */

/* Of one object: its initial values, and where its variables are in this thread. */
struct variables { const char *initial; size_t length, size; uintptr_t at; };

static bool variables_of(const struct dl_phdr_info *object, size_t known, struct variables *v)
{
	if (known < sizeof *object || !object->dlpi_tls_data)
		return false;
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &object->dlpi_phdr[i];
		if (part->p_type != PT_TLS)
			continue;
		*v = (struct variables){
			.initial = (const char *)(object->dlpi_addr + part->p_vaddr),
			.length = part->p_filesz,
			.size = part->p_memsz + part->p_align,
			.at = (uintptr_t)object->dlpi_tls_data,
		};
		return true;
	}
	return false;
}

static int add_room(struct dl_phdr_info *object, size_t known, void *context)
{
	struct variables v;
	if (variables_of(object, known, &v))
		*(size_t *)context += v.size;
	return 0;
}

size_t sis__variables_room(void)
{
	size_t room = SURPLUS;
	dl_iterate_phdr(add_room, &room);
	return room;
}

struct copying { uintptr_t from, to; size_t room; };

/* Variables that are farther away are in memory of malloc. */
static int copy(struct dl_phdr_info *object, size_t known, void *context)
{
	const struct copying *c = context;
	struct variables v;
	if (variables_of(object, known, &v) && v.at < c->from && c->from - v.at <= c->room)
		memcpy((char *)c->to - (c->from - v.at), v.initial, v.length);
	return 0;
}

void sis__variables_make(uintptr_t from, uintptr_t to, size_t room)
{
	struct copying copying = { from, to, room };
	dl_iterate_phdr(copy, &copying);
}
