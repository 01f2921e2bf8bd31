/* SPDX-License-Identifier: BSD-3-Clause */
/* probes.c - probes.o and probes_of_program.o: the probes, linked into each library and program
 * that sisc links. The thread that runs the probe. Its one idea: what stands in every unit only
 * stands in (sis/probe.h), so that compiling it takes no time; here are the same names, strong, in
 * an object of its own, as an archive's member would not be taken for what is there.
 */
#define SIS__WEAK /* where this is, the runtime is */
#define SIS__PROBE_LINKAGE __attribute__((visibility("hidden"), aligned(64)))
#include "sis/probe.h"

SIS__PROBE_LINKAGE void sis__unit_begin(struct sis_unit *unit);

void sis__unit_begin(struct sis_unit *unit)
{
#ifdef SIS__OF_PROGRAM
	if (sis__near_at)
		sis__near_at((char *)&sis__self_local - (char *)__builtin_thread_pointer(),
			     &sis__timing_local);
#endif
	sis_unit_register(unit);
}
