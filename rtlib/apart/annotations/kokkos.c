/* SPDX-License-Identifier: BSD-3-Clause */
/* kokkos.c - the functions of Kokkos' interface for tools that concern regions and kernels. Kokkos
 * opens the library that KOKKOS_TOOLS_LIBS names (before Kokkos 3.7: KOKKOS_PROFILE_LIBRARY), and
 * looks up these functions. It calls them in the thread that executes the construct. A kernel on a
 * device may go on after its end here; a fence waits for it.
 */
#include "apart/annotations/annotations.h"

#include <stdint.h>
#include <stdio.h>

#pragma GCC visibility push(default)

struct space {
	char name[64];
}; /* SpaceHandle of Kokkos */
struct settings {
	bool global_fencing, padding[255];
}; /* ToolSettings of Kokkos */

/* Without this, Kokkos would wait for all devices around each kernel. */
void kokkosp_request_tool_settings(uint32_t version, struct settings *settings);
void kokkosp_request_tool_settings(uint32_t version, struct settings *settings)
{
	(void)version;
	settings->global_fencing = false;
}

static const char kokkos[1]; /* the owner */

static void begin(const char *kind, const char *name)
{
	sis__annotation_begin(kokkos, sis__annotation(kind, name));
}

#define KERNEL(kind) \
	void kokkosp_begin_##kind(const char *name, uint32_t device, uint64_t *kernel); \
	void kokkosp_begin_##kind(const char *name, uint32_t device, uint64_t *kernel) \
	{ \
		(void)device; \
		*kernel = 0; \
		begin("Kokkos::" #kind, name); \
	} \
	void kokkosp_end_##kind(uint64_t kernel); \
	void kokkosp_end_##kind(uint64_t kernel) \
	{ \
		(void)kernel; \
		sis__annotation_end(kokkos); \
	}

KERNEL(parallel_for)
KERNEL(parallel_reduce)
KERNEL(parallel_scan)
KERNEL(fence)

void kokkosp_push_profile_region(const char *name);
void kokkosp_push_profile_region(const char *name) { begin(NULL, name); }

void kokkosp_pop_profile_region(void);
void kokkosp_pop_profile_region(void) { sis__annotation_end(kokkos); }

void kokkosp_begin_deep_copy(struct space to_space, const char *to, const void *to_data,
			     struct space from_space, const char *from, const void *from_data,
			     uint64_t size);
void kokkosp_begin_deep_copy(struct space to_space, const char *to, const void *to_data,
			     struct space from_space, const char *from, const void *from_data,
			     uint64_t size)
{
	char name[400];
	(void)to_space, (void)to_data, (void)from_space, (void)from_data, (void)size;
	snprintf(name, sizeof name, "%.190s=%.190s", to ? to : "", from ? from : "");
	begin("Kokkos::deep_copy", name);
}

void kokkosp_end_deep_copy(void);
void kokkosp_end_deep_copy(void) { sis__annotation_end(kokkos); }

/* A section may be started and stopped in any order with others. */
void kokkosp_start_profile_section(uint32_t section);
void kokkosp_start_profile_section(uint32_t section)
{
	(void)section;
	sis__annotation_without_region();
}

#pragma GCC visibility pop
