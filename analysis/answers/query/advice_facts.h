/* SPDX-License-Identifier: BSD-3-Clause */
/* advice_facts.h - the facts (numbers) of a loss, from which the conditions of advice.def decide
 * which advice fits. */
#ifndef SIS_ANALYSIS_ADVICE_FACTS_H
#define SIS_ANALYSIS_ADVICE_FACTS_H

#include <math.h>

#include "base/map.h"
#include "base/mem.h"
#include "repository/database/repository.h"
#include "tables.h"

/* A loss is the time of one leaf in one place: a region, or one of its call paths. Times are in
 * seconds; counts are sums over the processing units. */
struct advice_facts {
	enum sis_region_type type; /* of the region */
	double seconds;            /* the loss: mean over the processing units */
	/* facts of the run */
	double t_p;                /* wall time */
	double p, processes, processors; /* processors 0: not known */
	double useful;             /* useful work, mean over the processing units */
	double setup;              /* the runtime's own work, such as opening files: mean, too */
	/* facts of the place */
	double units;              /* processing units that entered the region */
	double calls;              /* activations */
	double chunks;             /* requests for the next part of a loop */
	double ordered;            /* executions of its ordered regions */
	double tasks;              /* explicit tasks that were executed at its barrier */
	double messages, bytes;    /* the larger of what was sent and what was received */
	/* facts of the causes of the waits */
	double known;              /* part of the waits whose cause is recorded */
	double wrong_order;        /* part in which another message was there already */
	double doers;              /* processes that work in the call path of the main cause */
	double balance;            /* mean / largest useful work of a process in that path */
	double passed;             /* part during which the culprits waited themselves */
	bool in_task;              /* the main cause is in an explicit task */
};

/* -- functions for conditions ------------------------------------------------------------------ */

static inline bool advice_in(const struct advice_facts *f, enum sis_region_type group)
{
	return sis_region_in(f->type, group);
}

static inline bool advice_is_loop(const struct advice_facts *f)
{
	return f->type == CR_OMPFOR || f->type == CR_OMPPAFOR || f->type == CR_OMPLOOP;
}

static inline bool advice_at_barrier(enum sis_overhead leaf)
{
	return leaf == OSYNC_IBAR || leaf == OSYNC_EBAR;
}

/* The number of operations that threads and processes waited for: collective operations, messages,
 * ends of constructs. For calls of MPI with which a program may poll many times for one message,
 * messages are counted instead of calls. */
static inline double advice_operations(const struct advice_facts *f)
{
	bool counts_calls = advice_in(f, CR_MPICOL) || advice_in(f, CR_MPICOMM);
	return advice_in(f, CR_MPI) && !counts_calls ? f->messages : f->calls;
}

/* Whether there are many operations with a mean loss of less than 20 us. Waking up a thread takes
 * about this time. */
static inline bool advice_is_frequent(const struct advice_facts *f)
{
	double operations = advice_operations(f);
	return operations > 1000 && f->seconds * f->p < 20e-6 * operations;
}

static inline bool advice_is_task_loss(enum sis_overhead leaf)
{
	return leaf == OCTRL_TASKCRE || leaf == OCTRL_TASKSCHED;
}

/* The number of steps that a collective operation takes among all processes; 1 for anything
 * else. */
static inline double advice_steps(const struct advice_facts *f)
{
	return advice_in(f, CR_MPICOL) && f->processes > 2 ? ceil(log2(f->processes)) : 1;
}

/* -- loading ----------------------------------------------------------------------------------- */

struct advice_place {
	int64_t region, call_path; /* call_path 0: the whole region */
	char *region_name, *name;  /* name: of the call path or, if call_path is 0, of the region */
	char *path;                /* of the whole call path; NULL: the place is a region */
	char *file, *directory, *checksum;
	int64_t line;              /* 0: not in the source */
	double error_ns;           /* error of the sum of its exclusive times (95 %) */
	struct advice_facts facts; /* without `seconds` and the causes, which belong to a loss */
};
struct advice_loss {
	uint32_t place;            /* index in `place` */
	enum sis_overhead leaf;
	int64_t ns;                /* mean over the processing units */
	/* also means. passed_ns: the part of `ns` whose culprits were late because they had waited,
	 * too. indirect_ns: later waits of others that this loss caused */
	int64_t passed_ns, indirect_ns;
	/* the parts that threads without a processor caused. no_processor_ns: of `ns` without
	 * passed_ns. no_processor_later_ns: of indirect_ns */
	int64_t no_processor_ns, no_processor_later_ns;
	struct advice_facts facts; /* only the facts of causes */
};
struct advice_losses {
	VEC(struct advice_place) place;
	VEC(struct advice_loss) loss;
	struct map by_place;       /* (region, call path) -> index in `place` */
	struct map by_loss;        /* (index in `place`, leaf) -> index in `loss` */
};

/* Loads all losses of an experiment. A region is divided into places, one for each call path, if
 * most of its losses are in call paths that lose at least `worth` ns each. Any other region is one
 * place. temp.reference_part has the losses that the reference runs explain. */
int advice_losses_load(struct advice_losses *l, struct repo *repo, int64_t experiment,
		       int64_t worth, struct err *err);
void advice_losses_release(struct advice_losses *l);

#endif
