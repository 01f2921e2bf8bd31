/* options_check.c - checks --sis-* values that need no source. Called by main, for every command line.
 * The idea: a misspelt word is an error in the first step of a build, even if that only links. */
#include "options_check.h"
#include "report.h"
#include "request.h"

int sis_check_options(const struct options *options)
{
	const struct reporter reporter = { sis_report_from_ast, NULL };
	struct request request = { .reporter = &reporter };
	return sis_request_add_lists(&request, options->regions, options->metrics);
}
