/* interval.h - in which regions a thread was during an interval. */
#ifndef SIS_ANALYSIS_INTERVAL_H
#define SIS_ANALYSIS_INTERVAL_H

#include "model/experiment.h"

#define SOMEWHERE (NONE - 1) /* in place of a node: outside of MPI, and no more is known */

struct phase_span { uint32_t slot; int64_t begin, end; const struct profile_record *record; };
struct stretches {
	const struct experiment *x;
	struct { VEC(struct phase_span) phase; } *lane; /* of each process, by slot and time */
};

void stretches_init(struct stretches *s, const struct experiment *x);
void stretches_release(struct stretches *s);

/* `node` of the process's profile, or SOMEWHERE; `exact`: not as a longer time around it was on the whole. */
typedef void stretch_take(void *arg, uint32_t node, int64_t ns, bool exact);
/* What is given to `take` adds up to `to` - `from`. */
void stretch_each(const struct stretches *s, uint32_t process, uint32_t slot, int64_t from, int64_t to,
		  stretch_take *take, void *arg);

#endif
