/* SPDX-License-Identifier: BSD-3-Clause */
/* itt.c - tasks of ITT, Intel's interface for annotations. Each program or library that uses ITT
 * contains a static part, ittnotify. This part opens the library that INTEL_LIBITTNOTIFY64 names,
 * and calls __itt_api_init, which sets pointers to the functions. Any thread may do so.
 *
 * The static part itself makes domains and handles of strings, as long as the pointers for them
 * stay what they are.
 */
#include "apart/annotations/annotations.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

/* -- what the static part and this library share, from ittnotify's documentation --------------- */

struct function {
	const char *name;
	void **pointer; /* is called by the program */
	void *first, *without; /* called before __itt_api_init, and without a function for it */
	int group;
};
struct global {
	unsigned char magic[8];
	unsigned long version_major, version_minor, version_build;
	volatile long initialized, mutex_initialized, counter;
	pthread_mutex_t mutex;
	void *library, *error_handler;
	const char **path;
	struct function *functions; /* the last one has no name */
};
static const unsigned char magic[8] = { 0xed, 0xab, 0xab, 0xec, 0x0d, 0xee, 0xda, 0x30 };
/* Before this version, struct function had no member `without`. */
enum { OLDEST_VERSION = 20111111 };

struct domain {
	volatile int flags;
	const char *name;
};
struct handle {
	const char *string;
};
struct id {
	unsigned long long d1, d2, d3;
};

/* -- tasks ------------------------------------------------------------------------------------- */

static void task_begin(const struct domain *domain, struct id id, struct id parent,
		       const struct handle *name)
{
	(void)id, (void)parent;
	sis__annotation_begin(domain, sis__annotation(domain->name, name ? name->string : NULL));
}

static void task_begin_fn(const struct domain *domain, struct id id, struct id parent, void *fn)
{
	Dl_info function = { .dli_sname = NULL };
	(void)id, (void)parent;
	dladdr(fn, &function);
	sis__annotation_begin(domain, sis__annotation(domain->name, function.dli_sname));
}

static void task_end(const struct domain *domain) { sis__annotation_end(domain); }

/* The functions of these names begin a task, region or frame that need not be nested. */
static void begin_unnested(void) { sis__annotation_without_region(); }

static const struct {
	const char *name;
	void *function;
} ours[] = {
	{ "__itt_task_begin", (void *)task_begin },
	{ "__itt_task_begin_fn", (void *)task_begin_fn },
	{ "__itt_task_end", (void *)task_end },
	{ "__itt_task_begin_ex", (void *)begin_unnested },
	{ "__itt_task_begin_fn_ex", (void *)begin_unnested },
	{ "__itt_task_begin_overlapped", (void *)begin_unnested },
	{ "__itt_task_begin_overlapped_ex", (void *)begin_unnested },
	{ "__itt_region_begin", (void *)begin_unnested },
	{ "__itt_frame_begin_v3", (void *)begin_unnested },
};

/* -- for the static part ----------------------------------------------------------------------- */

void __itt_api_init(struct global *global, int groups) __attribute__((__visibility__("default")));

void __itt_api_init(struct global *global, int groups)
{
	(void)groups;
	if (memcmp(global->magic, magic, sizeof magic) != 0 ||
	    global->version_build < OLDEST_VERSION)
		return;
	bool is_measured = sis__annotations_are_measured();
	for (struct function *f = global->functions; f->name; f++) {
		void *function = f->without;
		for (size_t i = 0; is_measured && i < sizeof ours / sizeof *ours; i++)
			if (strcmp(f->name, ours[i].name) == 0)
				function = ours[i].function;
		/* other threads load the pointer without synchronization; both values are good */
		__atomic_store_n(f->pointer, function, __ATOMIC_RELEASE);
	}
}
