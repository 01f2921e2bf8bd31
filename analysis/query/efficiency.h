/* SPDX-License-Identifier: BSD-3-Clause */
/* efficiency.h - how well an experiment used its processing units, taken apart into factors as POP
 * defines them. */
#ifndef SIS_ANALYSIS_EFFICIENCY_H
#define SIS_ANALYSIS_EFFICIENCY_H

#include <stdio.h>

#include "query/overhead.h"

/* each the product of those that are one step deeper, up to the next of its depth */
enum efficiency_kind {
#define SIS_EFFICIENCY(name, depth, key, title, meaning) EFFICIENCY_##name,
#include "efficiencies.def"
#undef SIS_EFFICIENCY
	EFFICIENCIES,
};

struct efficiencies {
	double value[EFFICIENCIES]; /* less than 0: it does not apply, or is not known */
	/* instructions a cycle and cycles a ns of the useful work; 0: not known */
	double ipc, ghz;
	/* why computation scaling is known, but not its factors; NULL: it is not, or they are */
	char *missing;
};

struct efficiency_base { /* the run that computation is compared with */
	int64_t experiment; /* 0: none */
	/* its work that this run has to do: 1, the same; in weak scaling the larger problem */
	double times;
};
int efficiencies_load(struct efficiencies *e, struct repo *repo, int64_t experiment, int64_t t_p,
		      struct efficiency_base base, struct err *err);
void efficiencies_release(struct efficiencies *e);
const char *efficiency_title(int i);
const char *efficiency_key(int i);
int efficiency_depth(int i);
void efficiencies_print(const struct efficiencies *e, bool color, FILE *out);
void efficiencies_json(const struct efficiencies *e, struct json *json);

#endif
