/* SPDX-License-Identifier: BSD-3-Clause */
/* objects.c - the executable and the libraries whose gates are known. Threads that start or end the
 * process, or open or close a library, call sis__object_add and sis__object_remove. Any thread that
 * holds sis__objects_lock may call sis__object_of.
 *
 * The list is made of structs in the objects themselves. A destructor of each object removes its
 * struct, so no pointer into a closed library is left.
 */
#include "base/config.h"
#include "measure/patch/objects.h"
#include "measure/patch/gates.h"
#include "measure/patch/text.h"

#include <link.h>
#include <sys/mman.h>

struct sis_lock sis__objects_lock;
struct sis_object *sis__objects;

static bool is_inside(const char *low, const char *high, const void *address)
{
	return (const char *)address >= low && (const char *)address < high;
}

/* Notes a segment of the object. */
static void take_segment(struct sis_object *object, const char *low, const ElfW(Phdr) *segment)
{
	const char *high = low + segment->p_memsz;
	if (!object->low || low < object->low)
		object->low = low;
	if (high > object->high)
		object->high = high;
	if (object->gate && segment->p_flags & PF_X &&
	    is_inside(low, high, sis__gate_text(object->gate))) {
		object->text = low;
		object->text_end = high;
		object->protection = PROT_EXEC | (segment->p_flags & PF_R ? PROT_READ : 0) |
				     (segment->p_flags & PF_W ? PROT_WRITE : 0);
	}
}

/* Called for each loaded object. If this is the object of `data`, notes its segments and returns
 * 1. */
static int look_at(struct dl_phdr_info *info, size_t size, void *data)
{
	struct sis_object found = *(struct sis_object *)data;
	bool is_it = false;
	(void)size;
	found.low = found.high = NULL;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		const char *low = (const char *)(uintptr_t)(info->dlpi_addr + segment->p_vaddr);
		if (segment->p_type != PT_LOAD)
			continue;
		is_it |= is_inside(low, low + segment->p_memsz, data);
		take_segment(&found, low, segment);
	}
	if (!is_it)
		return 0;
	if (found.bytes >= (uintptr_t)found.low)
		found.bytes -= info->dlpi_addr;
	found.end = found.gate + found.bytes / sizeof *found.gate;
	*(struct sis_object *)data = found;
	return 1;
}

void sis__object_add(struct sis_object *object)
{
	if (!sis__objects)
		sis__text_begin();
	if (!dl_iterate_phdr(look_at, object) || !sis__lock(&sis__objects_lock))
		return;
	object->next = sis__objects;
	sis__objects = object;
	if (!sis__config.enabled)
		sis__gates_all_off(object);
	else
		sis__gates_update(object); /* a probe may have registered its units already */
	sis__unlock(&sis__objects_lock);
}

void sis__object_remove(struct sis_object *object)
{
	if (!sis__lock(&sis__objects_lock))
		return;
	struct sis_object **link = &sis__objects;
	while (*link && *link != object)
		link = &(*link)->next;
	if (*link)
		*link = object->next;
	sis__unlock(&sis__objects_lock);
}

struct sis_object *sis__object_of(const void *address)
{
	struct sis_object *object = sis__objects;
	while (object && !is_inside(object->low, object->high, address))
		object = object->next;
	return object;
}
