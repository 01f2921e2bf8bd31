/* SPDX-License-Identifier: BSD-3-Clause */
/* options_check.c - checks --sis-* values that need no source. Called by main, for every command
 * line.
 * The idea: a misspelt word is an error in the first step of a build, even if that step only links.
 */
#include "driver/options_check.h"
#include "common/earlier_run.h"
#include "common/filter.h"
#include "common/report.h"
#include "common/request.h"

/* Reports errors only. Warnings are reported when a source is compiled. */
static void report_error(void *unused, enum sis_ast_severity severity,
			 const struct sis_ast_position *where, const char *message)
{
	if (severity == SIS_AST_ERROR)
		sis_report_from_ast(unused, severity, where, message);
}

int sis_check_options(const struct options *options)
{
	const struct reporter reporter = { report_error, NULL };
	struct request request = { .reporter = &reporter };
	struct filter filter = { 0 };
	struct earlier_run earlier = { 0 };
	int failed = sis_request_add_lists(&request, options->regions, options->metrics);
	for (size_t i = 0; i < options->filters.count; i++)
		failed |= sis_filter_read(&filter, options->filters.at[i], &reporter);
	for (size_t i = 0; i < options->profiles.count; i++)
		failed |= sis_earlier_read(&earlier, options->profiles.at[i], &reporter);
	sis_filter_release(&filter);
	sis_earlier_release(&earlier);
	return failed;
}
