/* SPDX-License-Identifier: BSD-3-Clause */
/* advice.h - what the programmer can do next, and what each action could gain. The rows of
 * schema/advice.def decide. */
#ifndef SIS_ANALYSIS_ADVICE_H
#define SIS_ANALYSIS_ADVICE_H

#include "query/advice_facts.h"
#include "query/main_cause.h"
#include "query/overhead.h"

enum advice {
#define SIS_ADVICE(name, loss, condition, remains, finding, remedy) ADVICE_##name,
#include "advice.def"
#undef SIS_ADVICE
	ADVICES,
	ADVICE_NONE = ADVICES
};

struct advice_info {
	const char *name, *finding, *remedy;
	enum sis_overhead loss;
};
extern const struct advice_info advice_table[ADVICES];

/* The row for a loss; ADVICE_NONE: the program has no remedy. *remains: seconds of the loss that
 * would remain. */
enum advice advice_choose(enum sis_overhead leaf, const struct advice_facts *f, double *remains);

struct action {
	enum advice advice;
	/* path: the absolute path of the file; checksum: of its text, "": unknown. name: the
	 * region's or, if call_path is not 0, that of the call path. region_id 0: the whole run */
	char *region, *name, *file, *path, *checksum;
	char *call_path_text;                  /* NULL: the action is for the whole region */
	int64_t region_id, call_path, line;    /* line 0: not in the source */
	size_t places;                         /* 1; else the number of them, this is the largest */
	double calls, messages, bytes;         /* of the places (advice_facts.h) */
	/* or a node above several leaves that have the same advice */
	enum sis_overhead leaf;
	/* mean over the processing units: of the loss, of the part that others caused while they
	 * worked, and the most that can be gained */
	int64_t loss_ns, direct_ns, ns;
	struct cause cause;                    /* of waits */
};
struct actions {
	VEC(struct action) list;               /* the largest gain first */
	int64_t withheld_ns;                   /* losses that a lack of processors may explain */
	int64_t start_ns;                      /* the start and end of MPI and of processes */
};

/* most actions in the program; less than 1/ACTIONS_WORTH of T_p is not worth a change */
enum { ACTIONS_MOST = 3, ACTIONS_WORTH = 50 };

/* Loads the largest losses that the program could avoid. temp.reference_part has those that the
 * reference runs explain. A lack of processors comes last, and losses that it may explain are left
 * out. processors: number of those that the run could use; 0: not known. regions: only losses in
 * these (keys (id, 0)), and none of the whole run; NULL: all. */
int actions_load(struct actions *a, struct repo *repo, int64_t experiment,
		 const struct overheads *o, int64_t processors, const struct map *regions,
		 struct err *err);
void actions_release(struct actions *a);

/* Prints one line: the first action, or why there is none. Hints come before "there is none". */
void actions_print_first(const struct actions *a, const struct overheads *o, FILE *out);
/* Prints all actions with their lines of the source. */
void actions_print(const struct actions *a, const struct overheads *o, bool color, FILE *out);
void actions_json(const struct actions *a, struct json *json);

#endif
