/* efficiency.h - how well an experiment used its processing units, taken apart into factors as POP defines them. */
#ifndef SIS_ANALYSIS_EFFICIENCY_H
#define SIS_ANALYSIS_EFFICIENCY_H

#include <stdio.h>

#include "overhead.h"

enum efficiency_kind { /* each the product of those that are one step deeper, up to the next of its depth */
#define SIS_EFFICIENCY(name, depth, key, title, meaning) EFFICIENCY_##name,
#include "efficiencies.def"
#undef SIS_EFFICIENCY
	EFFICIENCIES,
};

struct efficiencies {
	double value[EFFICIENCIES]; /* less than 0: it does not apply, or is not known */
};

int efficiencies_load(struct efficiencies *e, struct repo *repo, int64_t experiment, const struct overheads *o, struct err *err);
void efficiencies_print(const struct efficiencies *e, bool color, FILE *out);
void efficiencies_json(const struct efficiencies *e, struct json *json);

#endif
