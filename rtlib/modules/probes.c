/* SPDX-License-Identifier: BSD-3-Clause */
/* probes.c - probes.o and probes_of_program.o: the probes, linked into each library and program
 * that sisc links. The thread that runs the probe. Every translation unit has only weak stubs of
 * these functions (sis/probe.h), which take little time to compile. This object has strong ones. It
 * is not in an archive: a linker would not take a member whose symbols are defined already.
 */
#define SIS__WEAK /* a program with this object has the runtime */
#define SIS__PROBE_LINKAGE __attribute__((visibility("hidden"), aligned(64)))
#define SIS__WITH_GATES
#include "sis/probe.h"
#include "sis/gate_pair.h"
#include "sis/gate_table.h"

/* GNU ld defines them if anything has a gate. Unlike __start_NAME, they let it drop the gates of
 * functions that --gc-sections drops. With __start_NAME the gates would keep the functions.
 * LIMIT: other linkers do not have them. There a region that is off costs a test. */
extern struct sis_gate first_gate[] __asm__(".startof.sis_gates")
	__attribute__((weak, visibility("hidden")));
extern char gate_bytes[] __asm__(".sizeof.sis_gates") __attribute__((weak, visibility("hidden")));
/* As sis__timing_local: with -mcmodel=large the end of .bss may be too far away. */
static struct sis_object object __attribute__((section(".data")));

/* Before the first unit is registered, so that the runtime finds the gates of regions that are off.
 */
static void add_object(void)
{
	if (object.added || !sis_object_add)
		return;
	object.added = 1;
	object.gate = first_gate;
	object.bytes = (unsigned long)gate_bytes;
	sis_object_add(&object);
}

/* dlclose, or the end of the process. */
__attribute__((destructor)) static void remove_object(void)
{
	if (sis_object_remove)
		sis_object_remove(&object);
}

SIS__PROBE_LINKAGE void sis__unit_begin(struct sis_unit *unit);

void sis__unit_begin(struct sis_unit *unit)
{
#ifdef SIS__OF_PROGRAM
	if (sis__near_at)
		sis__near_at((char *)&sis__self_local - (char *)__builtin_thread_pointer(),
			     &sis__timing_local);
	if (sis__near_traces)
		sis__near_traces();
#endif
	add_object();
	sis_unit_register(unit);
}
