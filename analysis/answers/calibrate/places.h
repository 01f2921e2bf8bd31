/* SPDX-License-Identifier: BSD-3-Clause */
/* places.h - the processors of this machine, and the settings in which costs are measured: which
 * processors the program uses, and how its trace is written. */
#ifndef SIS_ANALYSIS_PLACES_H
#define SIS_ANALYSIS_PLACES_H

#include <sched.h>
#include <stdbool.h>

#include "base/mem.h"

/* A hardware thread that this process may use. The list of places is in the order of `cpu`. */
struct place { unsigned cpu, core, package; };
struct places {
	VEC(struct place) place;
	bool known; /* false: each hardware thread counts as a core of one package */
};

/* Asks hwloc, through the runtime's module in lib/sis. */
void places_load(struct places *places, const char *lib_sis);
void places_release(struct places *places);

/* The settings of Waller and Hasselbring (2012), sections 4.2 to 4.4. */
struct setting {
	const char *name, *where, *writer; /* writer: a value of SIS_WRITER */
	/* what the two hardware threads of a setting share; places.c explains it */
	enum shape { ONE_THREAD, ONE_CORE, TWO_CORES, TWO_PACKAGES, EVERYTHING } shape;
};
enum { SETTINGS = 7 };
extern const struct setting setting_table[SETTINGS];

const struct setting *setting_by_name(const char *name, size_t length);
/* Finds the processors of a setting. Returns false if the machine has no such processors; *missing
 * then says what the machine lacks. */
bool setting_places(const struct setting *setting, const struct places *places, cpu_set_t *cpus,
		    const char **missing);
/* The processors as a text such as "0-3,8"; the caller frees it. */
char *cpus_text(const cpu_set_t *cpus);

#endif
