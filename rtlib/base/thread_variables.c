/* SPDX-License-Identifier: BSD-3-Clause */
/* thread_variables.c - see thread_variables.h. Called by any thread.
 *
 * A forked child does not ask the dynamic linker (state.h). So before each fork, the parent notes
 * the facts that a child may need.
 */
#include "base/lock.h"
#include "base/state.h"
#include "base/thread_variables.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>

enum {
	SURPLUS = 64 << 10, /* bytes that libc keeps for objects that are loaded later */
	NOTED = 128,        /* most objects; a forked child's threads have zeros for others */
};

/* The initial values of one object's variables, and where the variables are in this thread. */
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

/* -- what a child needs ------------------------------------------------------------------------ */

#pragma weak _dl_find_object

static struct sis_lock lock;
static struct noted {
	struct variables variables;
	uintptr_t distance; /* from the thread pointer */
} noted[NOTED];
static unsigned noted_count;
static size_t noted_room;

static int note(struct dl_phdr_info *object, size_t known, void *from)
{
	struct variables v;
	if (!variables_of(object, known, &v))
		return 0;
	noted_room += v.size;
	if (noted_count < NOTED && v.at < (uintptr_t)from)
		noted[noted_count++] = (struct noted){ v, (uintptr_t)from - v.at };
	return 0;
}

void sis__variables_note(void)
{
	if (sis__linker_is_forbidden() || !sis__lock(&lock))
		return;
	noted_count = 0;
	noted_room = SURPLUS;
	dl_iterate_phdr(note, __builtin_thread_pointer());
	sis__unlock(&lock);
}

/* -- a new thread ------------------------------------------------------------------------------ */

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
	if (sis__linker_is_forbidden())
		return noted_room;
	dl_iterate_phdr(add_room, &room);
	return room;
}

struct copying { uintptr_t from, to; size_t room; };

/* Variables that are farther from the thread pointer than the room are in memory of malloc. */
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
	if (!sis__linker_is_forbidden()) {
		dl_iterate_phdr(copy, &copying);
		return;
	}
	for (unsigned i = 0; i < noted_count; i++) {
		const struct variables *v = &noted[i].variables;
		struct dl_find_object object;
		if (noted[i].distance > room)
			continue;
		/* an object that was loaded after the start may have been unloaded */
		if (!_dl_find_object || _dl_find_object((void *)v->initial, &object) == 0)
			memcpy((char *)to - noted[i].distance, v->initial, v->length);
	}
}
