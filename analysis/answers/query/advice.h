/* SPDX-License-Identifier: BSD-3-Clause */
/* advice.h - finds what the programmer can do next, and what each action could gain. The rows of
 * schema/advice.def say which losses an action fits. */
#ifndef SIS_ANALYSIS_ADVICE_H
#define SIS_ANALYSIS_ADVICE_H

#include "answers/query/advice_facts.h"
#include "answers/query/main_cause.h"
#include "answers/query/overhead.h"

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

/* Finds the row of advice.def for a loss. Returns ADVICE_NONE if no change of the program could
 * reduce the loss. *remains: seconds of the loss that the advice would leave. */
enum advice advice_choose(enum sis_overhead leaf, const struct advice_facts *f, double *remains);

struct action {
	enum advice advice;
	/* path: the absolute path of the file; checksum: of the file's text, "" if unknown. name:
	 * of the call path or, if call_path is 0, of the region. region_id 0: the whole run */
	char *region, *name, *file, *path, *checksum;
	char *call_path_text;                  /* NULL: the action is for the whole region */
	int64_t region_id, call_path, line;    /* line 0: not in the source */
	size_t places;                         /* number of places; `region` is the largest */
	double calls, messages, bytes;         /* sums over the places (advice_facts.h) */
	/* the leaf of the loss, or a node above several leaves that have the same advice */
	enum sis_overhead leaf;
	/* means over the processing units: the loss; the part that culprits caused while they
	 * worked; the most that can be gained */
	int64_t loss_ns, direct_ns, ns;
	struct cause cause;                    /* of waits */
	bool is_sampled;                       /* its region is a sampled function */
};
struct actions {
	VEC(struct action) list;               /* the largest gain first */
	int64_t withheld_ns;                   /* losses that a lack of processors may explain */
	int64_t uncertain_ns;                  /* losses at places whose times are too uncertain */
	int64_t sampled_ns;                    /* of uncertain_ns: times of sampled functions */
	int64_t start_ns;                      /* the start and end of MPI and of processes */
};

/* At most ACTIONS_MOST actions in the program are listed. A gain of less than 1/ACTIONS_WORTH of
 * T_p is not worth a change. */
enum { ACTIONS_MOST = 3, ACTIONS_WORTH = 50 };

/* Loads the actions for the largest losses that the program could avoid. temp.reference_part has
 * the losses that the reference runs explain. A lack of processors comes last. Losses that such a
 * lack may explain are left out. `processors`: how many the run could use; 0: not known. `regions`,
 * keys (id, 0): only actions for losses in these regions are loaded, so none for the probes and for
 * the lack of processors, which are losses of the whole run. NULL: there is no such restriction. */
int actions_load(struct actions *a, struct repo *repo, int64_t experiment,
		 const struct overheads *o, int64_t processors, const struct map *regions,
		 struct err *err);
void actions_release(struct actions *a);

/* Prints one line: the first action, or why there is none. */
void actions_print_first(const struct actions *a, const struct overheads *o, FILE *out);
/* Prints all actions, each with its line of the source. */
void actions_print(const struct actions *a, const struct overheads *o, bool color, FILE *out);
void actions_json(const struct actions *a, struct json *json);

#endif
