/* SPDX-License-Identifier: BSD-3-Clause */
/* hwloc_module.c - libsis-hwloc.so: the machine's description. Called at the end of one process of
 * each host, and by `sis-analyze calibrate`. hwloc reads only the kernel's files. Its
 * other source is the cpuid instruction, for which this thread would have to run on each processor.
 */
#include <hwloc.h>
#include <stdio.h>

typedef void note(const char *key, const char *value);

static void count(hwloc_topology_t topology, hwloc_obj_type_t type, const char *key,
		  note *note_fact)
{
	char text[32];
	int number = hwloc_get_nbobjs_by_type(topology, type);
	if (number <= 0)
		return;
	snprintf(text, sizeof text, "%d", number);
	note_fact(key, text);
}

static void cache(hwloc_topology_t topology, hwloc_obj_type_t type, const char *key,
		  note *note_fact)
{
	char text[96];
	hwloc_obj_t object = hwloc_get_obj_by_type(topology, type, 0);
	if (!object)
		return;
	snprintf(text, sizeof text, "%llu KiB, %d of them",
		 (unsigned long long)object->attr->cache.size >> 10,
		 hwloc_get_nbobjs_by_type(topology, type));
	note_fact(key, text);
}

/* Loads the topology, and returns whether this succeeded. The caller must destroy the topology in
 * any case. */
static int load(hwloc_topology_t topology)
{
#if HWLOC_API_VERSION >= 0x20100
	hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
#endif
	return hwloc_topology_load(topology) == 0;
}

void sis_hwloc_describe(note *note_fact);

__attribute__((visibility("default"))) void sis_hwloc_describe(note *note_fact)
{
	hwloc_topology_t topology;
	if (hwloc_topology_init(&topology) != 0)
		return;
	if (load(topology)) {
		count(topology, HWLOC_OBJ_PACKAGE, "packages", note_fact);
		count(topology, HWLOC_OBJ_NUMANODE, "NUMA nodes", note_fact);
		count(topology, HWLOC_OBJ_CORE, "cores", note_fact);
		count(topology, HWLOC_OBJ_PU, "hardware threads", note_fact);
		cache(topology, HWLOC_OBJ_L1CACHE, "L1 data cache", note_fact);
		cache(topology, HWLOC_OBJ_L2CACHE, "L2 cache", note_fact);
		cache(topology, HWLOC_OBJ_L3CACHE, "L3 cache", note_fact);
	}
	hwloc_topology_destroy(topology);
}

typedef void place(void *context, unsigned cpu, unsigned core, unsigned package);
void sis_hwloc_places(place *take, void *context);

/* For `sis-analyze calibrate`: each hardware thread, with the numbers of its core and package. */
__attribute__((visibility("default"))) void sis_hwloc_places(place *take, void *context)
{
	hwloc_topology_t topology;
	if (hwloc_topology_init(&topology) != 0)
		return;
	int n = load(topology) ? hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU) : 0;
	for (int i = 0; i < n; i++) {
		hwloc_obj_t pu = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PU, i);
		hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, pu);
		hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE,
								     pu);
		take(context, pu->os_index, core ? core->logical_index : pu->logical_index,
		     package ? package->logical_index : 0);
	}
	hwloc_topology_destroy(topology);
}
