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

/* A name alone is that of a region, although the set or file of the line comes first. */
START_TEST(names_are_those_of_lines)
{
	static const struct column named[] = { { "set", "set", CELL_TEXT },
					       { "n", "n", CELL_INTEGER },
					       { "region", "region", CELL_TEXT } };
	char *argv[] = { "--filter", "a" };
	struct err err = { 0 };
	struct cli cli = { .own = options };
	struct table table;
	ck_assert_int_eq(cli_parse(&cli, "test", 0, argv, &err), 0);
	ck_assert(!shape_is_given(&cli));
	ck_assert_int_eq(cli_parse(&cli, "test", 2, argv, &err), 0);
	ck_assert(shape_is_given(&cli));
	table_init(&table, named, 3);
	table_text(&table, "a"), table_integer(&table, 1), table_text(&table, "b");
	table_text(&table, "b"), table_integer(&table, 2), table_text(&table, "a");
	ck_assert_int_eq(shape_table(&table, &cli, "test", &err), 0);
	ck_assert_int_eq(table_rows(&table), 1);
	ck_assert_int_eq(table_cell(&table, 0, 1)->integer, 2);
	table_release(&table);
	cli_release(&cli);
}
END_TEST

/* Ratios of single cells are numbers, too. */
START_TEST(ratios_are_compared)
{
	static const struct column one[] = { { "x", "x", CELL_REAL } };
	char *argv[] = { "--filter", "x>0.3", "--sort", "x" };
	struct err err = { 0 };
	struct cli cli = { .own = options };
	struct table table;
	ck_assert_int_eq(cli_parse(&cli, "test", 4, argv, &err), 0);
	table_init(&table, one, 1);
	table_share(&table, 0.5), table_factor(&table, 2), table_share(&table, 0.1);
	ck_assert_int_eq(shape_table(&table, &cli, "test", &err), 0);
	ck_assert_int_eq(table_rows(&table), 2);
	ck_assert_double_eq(table_cell(&table, 0, 0)->real, 2);
	table_release(&table);
	cli_release(&cli);
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
	  names_are_those_of_lines, ratios_are_compared, what_cannot_be_is_said)
