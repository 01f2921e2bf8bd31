/* SPDX-License-Identifier: BSD-3-Clause */
/* scaling_base.c - see scaling_base.h. Owns nothing; one thread. */
#include "commands/scaling_base.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

int base_option(const struct cli *cli, enum base_kind *kind, struct err *err)
{
	const char *text = cli_get(cli, "--base");
	*kind = text && strcmp(text, "best") == 0 ? BASE_BEST : BASE_MEAN;
	if (text && *kind == BASE_MEAN && strcmp(text, "mean") != 0)
		return err_usage(err, "speedup: --base '%s' is neither mean nor best; choose one",
				 text);
	return 0;
}

static const struct run *best_of(const struct run *run, size_t n)
{
	const struct run *best = run;
	for (size_t i = 1; i < n; i++)
		if (runs_repeat(&run[i], run) && run[i].t_p_ns < best->t_p_ns)
			best = &run[i];
	return best;
}

size_t base_ids(const struct run *run, size_t n, enum base_kind kind, int64_t *id)
{
	size_t ids = 0;
	id[0] = best_of(run, n)->id;
	if (kind == BASE_BEST)
		return 1;
	for (size_t i = 0; i < n; i++)
		if (runs_repeat(&run[i], run))
			id[ids++] = run[i].id;
	return ids;
}

char *base_name(const struct run *run, size_t n, enum base_kind kind)
{
	enum { NAMES = 3 };
	struct buf names = { 0 };
	size_t found = 0;
	for (size_t i = 0; i < n; i++)
		if (runs_repeat(&run[i], run) && found++ < NAMES)
			buf_print(&names, "%s%s", found > 1 ? ", " : "", run[i].name);
	if (found > NAMES)
		buf_print(&names, " and %zu more", found - NAMES);
	char *list = buf_take(&names);
	if (found == 1)
		return list;
	char *name = kind == BASE_MEAN ?
		mem_print("the mean of %s", list) :
		mem_print("%s, the best of %s", best_of(run, n)->name, list);
	free(list);
	return name;
}
