/* SPDX-License-Identifier: BSD-3-Clause */
/* warnings.c - adds warnings to a list, which belongs to the caller. Called by one thread. */
#include "experiment/model/warnings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const warning_kind_names[WARNING_KINDS] = {
	[WARNING_RUN] = "run",	 [WARNING_SAMPLED] = "sampled", [WARNING_COUNTS] = "counts",
	[WARNING_LOST] = "lost", [WARNING_COST] = "cost",	[WARNING_CAUSES] = "causes",
	[WARNING_FILTER] = "filter", [WARNING_PROCESSOR] = "processor",
	[WARNING_LACK] = "lack", [WARNING_VARIABLES] = "variables",
};

/* Adds a warning. Takes over the text. */
static void add_warning(warning_list *list, enum warning_kind kind, char *text)
{
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->at[i].text, text) == 0) {
			free(text);
			return;
		}
	*vec_push(list) = (struct warning){ kind, text };
}

void warnings_add(warning_list *list, const char *format, ...)
{
	char *text = NULL;
	va_list args;
	va_start(args, format);
	if (vasprintf(&text, format, args) >= 0)
		add_warning(list, WARNING_RUN, text);
	va_end(args);
}

void warnings_add_of(warning_list *list, enum warning_kind kind, const char *format, ...)
{
	char *text = NULL;
	va_list args;
	va_start(args, format);
	if (vasprintf(&text, format, args) >= 0)
		add_warning(list, kind, text);
	va_end(args);
}

void warnings_release(warning_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->at[i].text);
	vec_free(list);
}
