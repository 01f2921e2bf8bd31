/* SPDX-License-Identifier: BSD-3-Clause */
/* rt_support.h - for tests of the runtime: a unit of many regions, and bodies run in a process of
 * their own whose profiles are read back when it has ended.
 *
 * A body uses the probes as sisc writes them: SIS_ENTER(k), SIS_LEAVE(k), SIS_SCOPE(k), after
 * rt_unit().
 */
#ifndef RT_SUPPORT_H
#define RT_SUPPORT_H

#include "base/config.h"
#include "measure/core/drg.h"
#include "unit_path.h"

#define RT_REGIONS 1200
extern struct sis_region sis__regions[RT_REGIONS];
extern struct sis_unit sis__unit;

void rt_unit(void);                             /* registers the unit; every region is `CR_F - -` */
void rt_unit_what(int region, const char *what);/* before rt_unit: another description */
uint32_t rt_id(int region);                     /* its id at run time */

struct rt_profile {
	char *bytes;    /* of the file */
	uint64_t length;
	struct sis_profile_header *header;
};
#define RT_MOST 8
struct rt_run {
	char directory[UNIT_PATH]; /* SIS_OUTPUT of the run; removed by rt_free */
	int status;             /* as from waitpid */
	int profiles;
	struct rt_profile profile[RT_MOST]; /* parents before their children */
};

/* Runs the body in a forked process, which then ends by exit(0), and reads what it left. */
void rt_run(struct rt_run *run, void (*body)(void));
/* The same of a body that ends with status 0 and leaves a whole profile first: returns that. */
struct rt_profile *rt_run_whole(struct rt_run *run, void (*body)(void));
void rt_free(struct rt_run *run);

/* What the process knew as `address`; NULL: outside the file. */
void *rt_at(const struct rt_profile *profile, const void *address);
/* NULL: first, none */
struct sis_chunk *rt_chunk(const struct rt_profile *profile, struct sis_chunk *after);
struct sis_profile_thread *rt_thread(const struct rt_profile *profile, uint32_t slot);
/* The node at the end of a path of regions below the slot's root, -1 ends it; NULL: there is none.
 */
struct sis_node *rt_node(const struct rt_profile *profile, uint32_t slot, ...);
/* How many children the program's regions have made there: those of the runtime itself do not
 * count. */
uint32_t rt_children(const struct rt_profile *profile, const struct sis_node *parent);
bool rt_has_text(const struct rt_profile *profile, const char *beginning);
void rt_check_whole(const struct rt_profile *profile); /* chunks, rings, checksums if it ended */

#endif
