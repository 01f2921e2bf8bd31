/* SPDX-License-Identifier: BSD-3-Clause */
/* advice_print.c - prints actions as text, with their lines of the source, and as JSON. */
#include "answers/query/advice.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/escape.h"
#include "base/path.h"
#include "answers/source/source.h"

static double share_of(int64_t ns, const struct overheads *o)
{
	return o->t_p > 0 ? (double)ns / (double)o->t_p : 0;
}

/* Prints the numbers on which the advice is based. They show whether messages are small or large,
 * and calls few or many. */
static void print_counts(const struct action *a, FILE *out)
{
	bool comm = sis_overhead_in(a->leaf, ODATA_COMM) || sis_overhead_in(a->leaf, ODATA_RMA);
	bool counted = sis_overhead_in(a->leaf, ODATA) || sis_overhead_in(a->leaf, OCTRL) ||
		a->leaf == OSYNC_UNCONT;
	if (comm && a->messages > 0)
		fprintf(out, " (%.0f messages, mean %.0f bytes)", a->messages,
			a->bytes / a->messages);
	else if (counted && a->calls > 0)
		fprintf(out, " (%.0f calls)", a->calls);
}

static void print_action(const struct action *a, const struct overheads *o, FILE *out)
{
	const struct advice_info *advice = &advice_table[a->advice];
	double seconds = (double)a->ns / 1e9;
	bool short_time = seconds < 0.0995;
	/* Fewer threads end a lack of processors, and a run without measurement ends the cost of
	 * probes. But in neither case does the program itself become faster. */
	bool is_gain = !sis_overhead_is(a->leaf, IS_OF_RUN);
	if (cause_leads(&a->cause))
		cause_print_lead(&a->cause, out);
	escape_print(out, "%s", a->name);
	if (a->file[0]) {
		char *place = path_place(a->file, a->line);
		escape_print(out, " (%s)", place);
		free(place);
	}
	if (a->places > 1)
		fprintf(out, " and %zu other place%s", a->places - 1, a->places > 2 ? "s" : "");
	fprintf(out, ", %s, ", sis_overhead_table[a->leaf].name);
	fprintf(out, "%s%.*f %s (%.1f %% of T_p)", is_gain ? "potential gain " : "",
		short_time ? 2 : 3, short_time ? 1e3 * seconds : seconds, short_time ? "ms" : "s",
		100 * share_of(a->ns, o));
	if (a->ns > a->loss_ns + a->loss_ns / 100)
		fputs(", with the later waits that follow from it", out);
	fprintf(out, ": %s", advice->finding);
	print_counts(a, out);
	fprintf(out, ". %c%s.", toupper((unsigned char)advice->remedy[0]), advice->remedy + 1);
	cause_print(&a->cause, out);
	putc('\n', out);
}

/* -- why there is no action -------------------------------------------------------------------- */

/* Prints why there is no action. Time that was not measured may hide actions. */
static void print_none(const struct actions *a, const struct overheads *o, FILE *out)
{
	fprintf(out, "Nothing is worth a change: no parallel overhead that the program could avoid "
		"is above %d %% of T_p.", 100 / ACTIONS_WORTH);
	if (share_of(o->ns[UNMEASURED], o) >= 0.05)
		fprintf(out, " But %.1f %% of T_p were not measured, and nothing is known of them.",
			100 * share_of(o->ns[UNMEASURED], o));
	else if (share_of(a->start_ns, o) >= 0.05)
		fprintf(out, " The start and end of MPI take %.1f %% of T_p: measure a longer run.",
			100 * share_of(a->start_ns, o));
	else if (share_of(o->useful, o) >= 0.8)
		fputs(" A shorter run needs a faster algorithm, faster code, or more processing "
		      "units.", out);
	putc('\n', out);
}

void actions_print_first(const struct actions *a, const struct overheads *o, FILE *out)
{
	if (!o->complete)
		escape_line(out, "Find out why the run did not end: `sis-analyze show %s` names "
			    "the regions that were open.", o->name);
	else if (!a->list.n)
		print_none(a, o, out);
	else
		print_action(&a->list.at[0], o, out);
}

/* -- text -------------------------------------------------------------------------------------- */

/* Prints the source line of an action and its neighbours, if the file has not changed since it was
 * compiled. Of files with sampled functions this is not known. */
static void print_excerpt(const struct action *a, bool color, FILE *out)
{
	struct source source;
	if (!a->line || a->is_sampled)
		return;
	source_open(&source, a->path, a->checksum);
	for (int64_t line = a->line - 1; line <= a->line + 1; line++) {
		if (line < 1 || line > (int64_t)source.line.n)
			continue;
		bool meant = line == a->line;
		fprintf(out, "   %c %s%5lld | ", meant ? '>' : ' ', meant && color ? "\033[1m" : "",
			(long long)line);
		escape_put(source.line.at[line - 1], SIS_ESCAPE_LINE, out);
		fputs(meant && color ? "\033[0m\n" : "\n", out);
	}
	if (source.state == SOURCE_CHANGED)
		escape_line(out, "     (%s has changed since it was compiled)", a->file);
	else if (source.state != SOURCE_UNCHANGED)
		escape_line(out, "     (%s is not shown: %s)", a->file,
			    source_state_reason(source.state));
	source_release(&source);
}

void actions_print(const struct actions *a, const struct overheads *o, bool color, FILE *out)
{
	size_t n = a->list.n;
	const struct action *list = a->list.at;
	if (!o->complete || !n)
		actions_print_first(a, o, out);
	for (size_t i = 0; i < n; i++) {
		if (n > 1)
			fprintf(out, "%zu. ", i + 1);
		print_action(&list[i], o, out);
		if (i == 0 || list[i].region_id != list[i - 1].region_id)
			print_excerpt(&list[i], color, out);
	}
	if (a->withheld_ns > o->t_p / ACTIONS_WORTH)
		fprintf(out, "No advice is given on a further %.3f s of waits, communication and "
			"management of threads, which may be due to the lack of processors.\n",
			(double)a->withheld_ns / 1e9);
	if (a->uncertain_ns > o->t_p / ACTIONS_WORTH)
		fprintf(out, "No advice is given on a further %.3f s of overheads, whose error is "
			"over half of them. %s.\n", (double)a->uncertain_ns / 1e9,
			2 * a->sampled_ns > a->uncertain_ns ? "A longer run has more samples" :
							      "SIS_OVERHEAD=off times each call");
}

/* -- JSON -------------------------------------------------------------------------------------- */

void actions_json(const struct actions *a, struct json *json)
{
	json_open(json, '[');
	for (size_t i = 0; i < a->list.n; i++) {
		const struct action *action = &a->list.at[i];
		const struct advice_info *advice = &advice_table[action->advice];
		json_open(json, '{');
		json_field_string(json, "rule", advice->name);
		json_field_string(json, "region", action->region);
		json_field_string(json, "path", action->call_path_text);
		json_field_string(json, "file", action->file);
		json_field_integer(json, "line_start", action->line);
		json_field_integer(json, "places", (int64_t)action->places);
		json_field_string(json, "overhead", sis_overhead_table[action->leaf].name);
		json_field_seconds(json, "seconds", action->ns);
		json_field_seconds(json, "loss", action->loss_ns);
		json_field_string(json, "finding", advice->finding);
		json_field_string(json, "advice", advice->remedy);
		json_key(json, "cause"), cause_json(&action->cause, json);
		json_close(json, '}');
	}
	json_close(json, ']');
}
