/* SPDX-License-Identifier: BSD-3-Clause */
/* places.h - the processors of this machine, and the settings of them and of the writer in which
 * costs are measured. */
#ifndef SIS_ANALYSIS_PLACES_H
#define SIS_ANALYSIS_PLACES_H

#include <sched.h>
#include <stdbool.h>

#include "base/mem.h"

/* A hardware thread that this process may use, in the order of the numbers. */
struct place { unsigned cpu, core, package; };
struct places {
	VEC(struct place) place;
	bool known; /* cores and packages are; else each thread counts as a core of one package */
};

/* Asks the runtime's module for hwloc in lib/sis. */
void places_load(struct places *places, const char *lib_sis);
void places_release(struct places *places);

/* The settings of Waller and Hasselbring (2012), sections 4.2 to 4.4. */
struct setting {
	const char *name, *where, *writer; /* writer: a value of SIS_WRITER */
	/* What else the hardware threads of a pair have in common; see places.c. */
	enum shape { ONE_THREAD, ONE_CORE, TWO_CORES, TWO_PACKAGES, EVERYTHING } shape;
};
enum { SETTINGS = 7 };
extern const struct setting setting_table[SETTINGS];

const struct setting *setting_by_name(const char *name, size_t length);
/* The processors of the setting. False: the machine lacks them, and *missing says what. */
bool setting_places(const struct setting *setting, const struct places *places, cpu_set_t *cpus,
		    const char **missing);
/* "0-3,8"; the caller frees it. */
char *cpus_text(const cpu_set_t *cpus);

#endif
