/* SPDX-License-Identifier: BSD-3-Clause */
/* lost_metrics.c - finds and reports the metrics that threads could not read for a time. Owns
 * nothing; called by one thread. */
#include "experiment/model/lost_metrics.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void losses_read(losses *all, const struct profile *p)
{
	for (size_t i = 0; i < p->text.n; i++) {
		const char *text = p->text.at[i].text;
		char *end;
		unsigned long slot = strtoul(text, &end, 10);
		/* form: SLOT<TAB>METRIC<TAB>reason; other texts are left out */
		if (strcmp(p->text.at[i].kind, "lost") != 0 || end == text || *end != '\t' ||
		    slot > UINT32_MAX)
			continue;
		struct loss loss = { .slot = (uint32_t)slot, .metric = end + 1,
				     .length = strcspn(end + 1, "\t") };
		loss.why = loss.metric + loss.length;
		loss.why += *loss.why == '\t';
		if (loss.length &&
		    !lost_metrics_contain(all, loss.slot, loss.metric, loss.length))
			*vec_push(all) = loss;
	}
}

bool lost_metrics_contain(const losses *all, uint32_t slot, const char *metric, size_t length)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->at[i].slot == slot && all->at[i].length == length &&
		    strncasecmp(all->at[i].metric, metric, length) == 0)
			return true;
	return false;
}

void lost_metrics_warn(const struct process *process, warning_list *warnings)
{
	const struct profile *p = &process->profile;
	losses all = { 0 };
	losses_read(&all, p);
	for (size_t i = 0; i < all.n; i++)
		warnings_add_of(warnings, WARNING_LOST,
				"process %u thread %u: %.*s could not be read "
				"and has no value there: %s",
				process->index, all.at[i].slot, (int)all.at[i].length,
				all.at[i].metric, all.at[i].why);
	for (size_t i = 0; i < p->text.n; i++) {
		const char *text = p->text.at[i].text, *why = strchr(text, '\t');
		if (strcmp(p->text.at[i].kind, "estimate") == 0 && why)
			warnings_add_of(warnings, WARNING_COUNTS,
					"counts of %.*s are estimates: %s", (int)(why - text), text,
					why + 1);
	}
	vec_free(&all);
}
