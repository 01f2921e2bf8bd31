/* cmd_compare.c - `sis-analyze compare`: the overheads of several experiments side by side. */
#include <stdlib.h>

#include "command.h"
#include "overhead.h"

static const struct column columns[] = {
	{ "experiment", NULL, CELL_TEXT }, { "overhead", NULL, CELL_TEXT }, { "seconds", NULL, CELL_SECONDS },
};

static bool is_anywhere(const struct overheads *o, size_t n, int overhead)
{
	for (size_t i = 0; i < n; i++)
		if (o[i].ns[overhead])
			return true;
	return false;
}

/* One row an experiment and overhead: also T_p and the useful work, for the ratios. */
static void print_rows(const struct overheads *o, size_t n, enum format format)
{
	struct table table;
	table_init(&table, columns, 3);
	for (size_t i = 0; i < n; i++)
		for (int k = -1; k < SIS_OVERHEADS; k++) {
			if (k > 0 && !is_anywhere(o, n, k))
				continue;
			table_text(&table, o[i].name);
			table_text(&table, k < 0 ? "T_P" : k == 0 ? "USEFUL" : sis_overhead_table[k].name);
			table_seconds(&table, k < 0 ? o[i].t_p : k == 0 ? o[i].useful : o[i].ns[k]);
		}
	table_print(&table, format, stdout);
	table_release(&table);
}

static void print_side_by_side(const struct overheads *o, size_t n)
{
	struct table table;
	struct column *column = mem_alloc(n + 1, sizeof *column);
	column[0] = (struct column){ "overhead", "overhead [s]", CELL_TEXT };
	for (size_t i = 0; i < n; i++)
		column[i + 1] = (struct column){ o[i].name, o[i].name, CELL_SECONDS };
	table_init(&table, column, n + 1);
	for (int k = -2; k < SIS_OVERHEADS; k++) {
		if (k > 0 && !is_anywhere(o, n, k))
			continue;
		table_text(&table, k == -2 ? "processing units" : k == -1 ? "T_p" : k == 0 ? "useful work" :
			   sis_overhead_table[k].name);
		for (size_t i = 0; i < n; i++)
			if (k == -2)
				table_real(&table, (double)o[i].p);
			else
				table_seconds(&table, k == -1 ? o[i].t_p : k == 0 ? o[i].useful : o[i].ns[k]);
	}
	table_print(&table, FORMAT_TEXT, stdout);
	table_release(&table);
	free(column);
}

static int run(struct context *c, struct err *err)
{
	size_t n = 0;
	int rc = 0;
	if (!c->cli.argument.n)
		return err_usage(err, "compare: no experiments; usage: sis-analyze compare EXP...");
	struct overheads *o = mem_alloc(c->cli.argument.n, sizeof *o);
	while (rc == 0 && n < c->cli.argument.n) {
		int64_t id;
		rc = context_nth(c, n, &id, err);
		rc = rc ? rc : overheads_load(&o[n], c->repo, id, err);
		n += rc == 0;
	}
	if (rc == 0 && c->format == FORMAT_TEXT)
		print_side_by_side(o, n);
	else if (rc == 0)
		print_rows(o, n, c->format);
	for (size_t i = 0; i < n; i++)
		overheads_release(&o[i]);
	free(o);
	return rc;
}

const struct command cmd_compare = {
	"compare", "EXP...", "Compare the overheads of several experiments",
	"Seconds are sums over the processing units divided by their number.\n"
	"Example: sis-analyze compare 1 2 3",
	NULL, SIZE_MAX, run,
};
