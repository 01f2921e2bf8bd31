/* SPDX-License-Identifier: BSD-3-Clause */
/* probes.c - probes.o and probes_of_program.o: the probes, linked into each library and program
 * that sisc links. A translation unit has only weak stubs of these functions (sis/probe.h), because
 * stubs take little time to compile. This object has the strong functions. It is not in an archive,
 * because a linker does not take a member of an archive for symbols that are defined already.
 * Called by the thread that runs the probe.
 */
#define SIS__WEAK /* a program with this object has the runtime */
#define SIS__PROBE_LINKAGE __attribute__((visibility("hidden"), aligned(64)))
#define SIS__WITH_GATES
#include "sis/probe.h"
#include "sis/gate_pair.h"
#include "sis/gate_table.h"

/* GNU ld defines these symbols if anything has a gate. They are used instead of __start_NAME: with
 * __start_NAME, the section of the gates would be kept, and with it functions that --gc-sections
 * would drop.
 * LIMIT: other linkers do not define these symbols. With them, a region that is off costs a test.
 */
extern struct sis_gate first_gate[] __asm__(".startof.sis_gates")
	__attribute__((weak, visibility("hidden")));
extern char gate_bytes[] __asm__(".sizeof.sis_gates") __attribute__((weak, visibility("hidden")));
/* In .data, because with -mcmodel=large the end of .bss may be too far away (sis__timing_local). */
static struct sis_object object __attribute__((section(".data")));

/* Called by dlclose, or at the end of the process. */
__attribute__((destructor)) static void remove_object(void)
{
	sis_object_remove(&object);
}

SIS__PROBE_LINKAGE void sis__unit_begin(struct sis_unit *unit);

void sis__unit_begin(struct sis_unit *unit)
{
#ifdef SIS__OF_PROGRAM
	sis__near_at((char *)&sis__self_local - (char *)__builtin_thread_pointer(),
		     &sis__timing_local);
	sis__near_traces();
#endif
	/* before the first translation unit is registered, so that the runtime knows the gates */
	if (!object.added) {
		object.added = 1;
		object.gate = first_gate;
		object.bytes = (unsigned long)gate_bytes;
		sis_object_add(&object);
	}
	sis_unit_register(unit);
}
