/* SPDX-License-Identifier: BSD-3-Clause */
/* noop.c - libsis-noop.so: the functions that probes call, empty. Instead of libsis.so it
 * shows what probes cost that are switched off. Every region is off, so the probes call only
 * sis_unit_register.
 */
#define __SISC__ 1
#define SIS__WEAK
#define SIS__PROBE_LINKAGE SIS__NOINLINE
#include "sis/sis.h"

static struct sis__node no_node = { .parent = &no_node, .last_child = &no_node, .next = &no_node };
static struct sis__thread empty_thread = {
	.current = &no_node, .sites = sizeof empty_thread.site / sizeof *empty_thread.site
};

__thread struct sis__thread *sis__self __attribute__((tls_model("initial-exec"))) = &empty_thread;
int sis__clock_is_tsc;
unsigned sis__sampling, sis__sampling_excess, sis__timing, sis__visits_left;

void sis_unit_register(struct sis_unit *unit)
{
	for (unsigned k = 0; k < unit->count; k++)
		unit->region[k].id = SIS_ID_OFF;
}

void sis_measure(int on)
{
	(void)on;
}

void sis_jump_mark(volatile struct sis__mark *mark, int again)
{
	(void)mark;
	(void)again;
}

void sis_jump(volatile struct sis__jump *jump, int again)
{
	(void)jump;
	(void)again;
}

unsigned long long sis__clock_slow(void)
{
	return 0;
}

void sis__visits_over(void)
{
}

struct sis__node *sis__enter_slow(unsigned id)
{
	(void)id;
	return 0;
}

void sis__leave_slow(unsigned id)
{
	(void)id;
}

/* Called by a probe that runs before its unit's constructor. */
void sis__enter_special(struct sis_unit *unit, struct sis_region *region)
{
	(void)region;
	sis_unit_register(unit);
}

void sis__leave_special(struct sis_region *region)
{
	(void)region;
}

void sis__overlap_enter(struct sis_unit *unit, struct sis_region *region)
{
	(void)region;
	sis_unit_register(unit);
}

void sis__overlap_leave(struct sis_region *region)
{
	(void)region;
}

int sis__clauses_begin(struct sis_region *region, unsigned what)
{
	(void)region;
	(void)what;
	return 0;
}

void sis__clauses_end(void)
{
}

void sis__privates_end(void)
{
}

void sis__site(struct sis_unit *unit, struct sis_region *region)
{
	(void)unit;
	(void)region;
}

/* -- sis/sis.h --------------------------------------------------------------------------------- */

const struct sis_region *sis_hand_region(struct sis_place *place)
{
	(void)place;
	return 0;
}

const struct sis_region *sis_hand_begun(struct sis_place *place)
{
	(void)place;
	return 0;
}

const struct sis_region *sis_hand_parameter(struct sis_place *place, long long value)
{
	(void)place;
	(void)value;
	return 0;
}

void sis_hand_value(struct sis_counted *counted, double value)
{
	(void)counted;
	(void)value;
}

void sis_hand_pause(void)
{
}

void sis_hand_resume(void)
{
}

void sis_hand_flush(void)
{
}

void sis_hand_trace_start(void)
{
}

void sis_hand_trace_stop(void)
{
}
