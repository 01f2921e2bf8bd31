/* SPDX-License-Identifier: BSD-3-Clause */
/* ompt_call.c - which function of libomp the program is in, and whether an address is in libomp.
 * Called by the thread that calls libomp.
 */
#include "adapters/ompt/ompt.h"

#include <link.h>

/* the purpose for which the program calls libomp (sis__ompt_call_is) */
static __thread uint32_t calls_for;

uint32_t sis__ompt_call_is(uint32_t id)
{
	uint32_t before = calls_for;
	calls_for = id;
	return before;
}

uint32_t sis__ompt_call(void)
{
	return calls_for;
}

/* The range of addresses to which libomp is mapped. */
static uintptr_t from, to;

static int find_object(struct dl_phdr_info *object, size_t size, void *inside)
{
	(void)size;
	for (unsigned i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &object->dlpi_phdr[i];
		uintptr_t start = object->dlpi_addr + part->p_vaddr;
		if (part->p_type != PT_LOAD || (uintptr_t)inside - start >= part->p_memsz)
			continue;
		from = start;
		to = start + part->p_memsz;
		return 1;
	}
	return 0;
}

void sis__ompt_find_libomp(void *inside)
{
	dl_iterate_phdr(find_object, inside);
}

bool sis__ompt_is_libomps(const void *at)
{
	return (uintptr_t)at - from < to - from;
}

/* -- the frame of a task ----------------------------------------------------------------------- */

struct frame { /* ompt_frame_t */
	union sis_ompt_data exit; /* the frame of libomp that called the task's function */
	union sis_ompt_data enter;
	int exit_flags, enter_flags;
};
enum { INFO_KNOWN = 2 };
typedef int get_task_info(int level, int *flags, union sis_ompt_data **task, struct frame **frame,
			  union sis_ompt_data **parallel, int *number);
static get_task_info *task_info; /* set once, before all callbacks */

void sis__ompt_set_task_info(sis_ompt_function *function)
{
	task_info = (get_task_info *)function;
}

const void *sis__ompt_task_frame(void)
{
	struct frame *frame = NULL;
	if (!task_info || task_info(0, NULL, NULL, &frame, NULL, NULL) != INFO_KNOWN || !frame)
		return NULL;
	return frame->exit.ptr;
}
