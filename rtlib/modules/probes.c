/* probes.c - probes.o: the probes of a program, linked into each program and library that sisc links. The thread that runs
 * the probe. Its one idea: what stands in every unit only stands in (sis/probe.h), so that compiling it takes no time; here
 * are the same names, strong, in an object of its own, as an archive's member would not be taken for what is there.
 */
#define SIS__WEAK /* where this is, the runtime is */
#define SIS__WHOLE __attribute__((visibility("hidden")))
#include "sis/probe.h"

SIS__WHOLE void sis__unit_begin(struct sis_unit *unit);

void sis__unit_begin(struct sis_unit *unit)
{
	sis_unit_register(unit);
}
