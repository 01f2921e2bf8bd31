/* SPDX-License-Identifier: BSD-3-Clause */
/* processors.c - see processors.h. Owns nothing; one thread. */
#include "answers/query/processors.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { NUMBERS = 8192 }; /* most processors of a host; a damaged list may name any number */

struct count {
	char *host;
	bool used[NUMBERS]; /* the processes of the host could use it */
	int64_t all;
	bool unknown;
};

/* Marks the processors of a list such as 0-3,8. Returns false if the text is no such list. */
static bool mark_listed(bool used[NUMBERS], const char *list)
{
	for (char *end; *list; list = *end ? end + 1 : end) {
		unsigned long first = strtoul(list, &end, 10), last = first;
		if (end == list)
			return false;
		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		if ((*end && *end != ',') || last >= NUMBERS || first > last)
			return false;
		memset(used + first, true, last - first + 1);
	}
	return true;
}

static void end_host(struct count *c)
{
	for (size_t i = 0; i < NUMBERS; i++) {
		c->all += c->used[i];
		c->used[i] = false;
	}
	mem_free((void **)&c->host);
}

static int take_affinity(void *arg, const struct cell *row, struct err *err)
{
	struct count *c = arg;
	(void)err;
	if (c->host && strcmp(c->host, row[0].text) != 0)
		end_host(c);
	if (!c->host)
		c->host = mem_string(row[0].text);
	if (row[1].kind != CELL_TEXT || !mark_listed(c->used, row[1].text))
		c->unknown = true;
	return 0;
}

int processors_count(int64_t *count, struct repo *repo, int64_t experiment, struct err *err)
{
	struct count c = { .host = NULL };
	int rc = repo_each(repo, take_affinity, &c, err,
			   "SELECT DISTINCT m.host, u.affinity FROM processing_unit u "
			   "JOIN node n ON n.id = u.node "
			   "JOIN physical_machine m ON m.id = n.physical_machine "
			   "WHERE u.experiment = ?1 ORDER BY m.host", "i", experiment);
	end_host(&c);
	*count = c.unknown ? 0 : c.all;
	return rc;
}
