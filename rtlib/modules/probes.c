/* SPDX-License-Identifier: BSD-3-Clause */
/* probes.c - probes.o and probes_of_program.o: the probes, linked into each library and program
 * that sisc links. The thread that runs the probe. Every translation unit has only weak stubs of
 * these functions (sis/probe.h), which take little time to compile. This object has strong ones. It
 * is not in an archive: a linker would not take a member whose symbols are defined already.
 */
#define SIS__WEAK /* a program with this object has the runtime */
#define SIS__PROBE_LINKAGE __attribute__((visibility("hidden"), aligned(64)))
#include "sis/probe.h"

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
	sis_unit_register(unit);
}
