/* SPDX-License-Identifier: BSD-3-Clause */
/* calibrated_pair.c - loops of pairs of probes, as in programs (sis/gate.h). Called by the thread
 * that calibrates. This file includes the headers that programs include, not those of the runtime,
 * so that its probes are those of a program.
 */
#define SIS__WEAK /* not weak: this is a part of the runtime */
/* Static, because a program that is linked with libsis.a has its own copy. `used`, because only
 * assembly refers to it. */
#define SIS__PROBE_LINKAGE static __attribute__((used, noinline, aligned(64)))
#define SIS__WITH_GATES
#include "sis/probe.h"
#include "sis/gate_pair.h"

#include "process/calibrated_pair.h"

static struct sis_region sis__regions[1] = { { SIS_CALIBRATED_ID, 0, "" } };
static struct sis_unit sis__unit;
static volatile unsigned worked;

/* Volatile, because the compiler must not know that the region is on. */
#define ENTER __extension__({                                     \
	if (*(volatile unsigned *)&sis__regions[0].id != SIS_ID_OFF) \
		SIS__CALL_ENTER(sis__regions[0]);                 \
	})
#define LEAVE SIS__LEFT(&sis__regions[0])

unsigned long long sis__time_pairs(unsigned pairs)
{
	unsigned long long begin = sis__now();
	for (unsigned i = 0; i < pairs; i++) {
		ENTER;
		__asm__ volatile("" ::: "memory");
		LEAVE;
	}
	return sis__now() - begin;
}

static inline __attribute__((always_inline)) unsigned long long
time_bodies(unsigned bodies, unsigned steps, int with_pairs)
{
	unsigned i = worked;
	unsigned long long begin = sis__now();
	for (unsigned k = 0; k < bodies; k++) {
		if (with_pairs)
			ENTER;
		for (unsigned step = 0; step < steps; step++)
			i = i * 1664525u + (i >> 3) + 1013904223u;
		__asm__ volatile("" : "+r"(i) : : "memory");
		if (with_pairs)
			LEAVE;
	}
	begin = sis__now() - begin;
	worked = i;
	return begin;
}

unsigned long long sis__time_bodies(unsigned bodies, unsigned steps, int with_pairs)
{
	return with_pairs ? time_bodies(bodies, steps, 1) : time_bodies(bodies, steps, 0);
}
