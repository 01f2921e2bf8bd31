/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis */
/* Which rows of a table stay, and in which order. */
#include "unit.h"
#include "commands/table_view.h"

static const struct cli_option options[] = { SHAPE_OPTIONS, { NULL, NULL, NULL } };

static const struct column columns[] = {
	{ "n", "n", CELL_INTEGER },
	{ "name", "name", CELL_TEXT },
	{ "seconds", "time [s]", CELL_SECONDS },
	{ "x", NULL, CELL_REAL },
	{ "part", "part", CELL_SHARE },
};

static void row(struct table *table, int64_t n, const char *name, int64_t ns, double x)
{
	table_integer(table, n);
	table_text(table, name);
	if (ns < 0)
		table_null(table);
	else
		table_seconds(table, ns);
	table_real(table, x);
	table_real(table, x / 10);
}

/* The numbers of the rows that stay, in order; the error when there is one. */
static const char *shaped(const char *a, const char *b, const char *c, const char *d)
{
	static char text[1300];
	const char *word[4] = { a, b, c, d };
	char *argv[4];
	int argc = 0;
	struct table table;
	struct err err = { 0 };
	struct cli cli = { .own = options };
	while (argc < 4 && word[argc]) {
		argv[argc] = (char *)word[argc];
		argc++;
	}
	ck_assert_int_eq(cli_parse(&cli, "test", argc, argv, &err), 0);
	table_init(&table, columns, 5);
	row(&table, 1, "MPI_Send", 2000000000, 0.5);
	row(&table, 2, "main", 500000000, 1.5);
	row(&table, 3, "MPI_Recv", -1, -1);
	row(&table, 4, "solve", 2000000000, 2.5);
	text[0] = 0;
	if (shape_table(&table, &cli, "test", &err))
		strcpy(text, err.text);
	else
		for (size_t r = 0; r < table_rows(&table); r++)
			sprintf(text + strlen(text), "%d", (int)table_cell(&table, r, 0)->integer);
	table_release(&table);
	cli_release(&cli);
	return text;
}

START_TEST(rows_are_kept_by_conditions)
{
	ck_assert_str_eq(shaped(NULL, NULL, NULL, NULL), "1234");
	ck_assert_str_eq(shaped("--filter", "MPI_*", NULL, NULL), "13");
	ck_assert_str_eq(shaped("--filter", "name!=MPI_*", NULL, NULL), "24");
	ck_assert_str_eq(shaped("--filter", "name=?ain", NULL, NULL), "2");
	ck_assert_str_eq(shaped("--filter", "seconds>=2", NULL, NULL), "14");
	ck_assert_str_eq(shaped("--filter", "time < 2", NULL, NULL), "2");
	ck_assert_str_eq(shaped("--filter", "x=1.5", NULL, NULL), "2");
	ck_assert_str_eq(shaped("--filter", "part>=15%", NULL, NULL), "24");
	ck_assert_str_eq(shaped("--filter", "part<0.15", NULL, NULL), "13");
	ck_assert_str_eq(shaped("--filter", "n!=2", NULL, NULL), "134");
	ck_assert_str_eq(shaped("--filter", "MPI_*", "--filter", "n>1"), "3");
	ck_assert_str_eq(shaped("--filter", "name = main", NULL, NULL), "2");
}
END_TEST

START_TEST(rows_are_sorted_and_cut)
{
	ck_assert_str_eq(shaped("--sort", "n", NULL, NULL), "4321");
	ck_assert_str_eq(shaped("--sort", "name", NULL, NULL), "3124");
	ck_assert_str_eq(shaped("--sort", "TIME", NULL, NULL), "1423");
	ck_assert_str_eq(shaped("--sort", "x", "--top", "2"), "42");
	ck_assert_str_eq(shaped("--top", "0", NULL, NULL), "");
	ck_assert_str_eq(shaped("--top", "9", NULL, NULL), "1234");
}
END_TEST

START_TEST(what_cannot_be_is_said)
{
	ck_assert_str_eq(shaped("--sort", "y", NULL, NULL),
			 "test: no column 'y'; there are n, name, seconds, x, part");
	ck_assert_ptr_nonnull(strstr(shaped("--filter", "y>1", NULL, NULL), "no column 'y'"));
	ck_assert_ptr_nonnull(strstr(shaped("--filter", "n!3", NULL, NULL), "no condition"));
	static const char *const no_condition[] = { "n>", ">3", "", "n> ", "n!", "=" };
	for (size_t i = 0; i < sizeof no_condition / sizeof *no_condition; i++)
		ck_assert_ptr_nonnull(strstr(shaped("--filter", no_condition[i], NULL, NULL),
					     "is no condition"));
	ck_assert_str_eq(shaped("--filter", "n>many", NULL, NULL),
			 "test: 'many' is no number, but 'n' has numbers");
	ck_assert_str_eq(shaped("--filter", "n>>1", NULL, NULL),
			 "test: '>1' is no number, but 'n' has numbers");
	ck_assert_str_eq(shaped("--filter", "name>1", NULL, NULL),
			 "test: 'name' has text, which > cannot compare; use = or !=");
	ck_assert_ptr_nonnull(strstr(shaped("--top", "-1", NULL, NULL), "no number of lines"));
	ck_assert_ptr_nonnull(strstr(shaped("--top", "", NULL, NULL), "no number of lines"));
}
END_TEST

UNIT_MAIN("table_view", rows_are_kept_by_conditions, rows_are_sorted_and_cut,
	  what_cannot_be_is_said)
