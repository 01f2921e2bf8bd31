/* SPDX-License-Identifier: BSD-3-Clause */
/* region_filter.c - which regions of a translation unit SIS_FILTER turns off. Called by the thread
 * that registers the unit. It holds the lock of region_registry.c, so static memory is enough.
 *
 * The tables of the probes contain only a region's type. Names, functions and files are in the
 * unit's description (JSON, schema/idf.schema.json). The description is read here, one region at a
 * time, and only if there are rules. The program itself (CR_P) cannot be turned off.
 */
#include "measure/core/region_filter.h"
#include "output/profile/text.h"
#include "output/run/filter.h"

#include <stdio.h>
#include <string.h>

enum { PATH = 4096, FILE_NAMES = 3 };

static struct sis_region_text region;

/* -- files ------------------------------------------------------------------------------------- */

/* Returns the names of the region's file that patterns are compared with, as in
 * instrument/common/filter.c: the path with and without "./", and the absolute path. */
static const char *const *names_of_file(const char *directory, const char *end)
{
	static char here[PATH], other[2][2 * PATH];
	static const char *names[FILE_NAMES + 1];
	size_t count = 0, length;
	here[0] = '\0';
	if (directory)
		sis__description_copy(here, sizeof here, directory, end);
	length = strlen(here);
	const char *relative = region.file[0] != '/' ? region.file : NULL;
	if (!relative && length && strncmp(region.file, here, length) == 0 &&
	    region.file[length] == '/')
		relative = region.file + length + 1;
	names[count++] = relative ? relative : region.file;
	if (relative) {
		snprintf(other[0], sizeof other[0], "./%s", relative);
		names[count++] = other[0];
	}
	if (relative && length) {
		snprintf(other[1], sizeof other[1], "%s/%s", here, relative);
		names[count++] = other[1];
	}
	names[count] = NULL;
	return names;
}

/* -- regions ----------------------------------------------------------------------------------- */

void sis__region_filter_begin(struct sis_region_filter *filter, const struct sis_unit *unit)
{
	*filter = (struct sis_region_filter){ .unit = unit, .first = 1 };
	if (!sis__filter_has_rules())
		return;
	filter->texts = sis__region_texts(unit->idf, unit->idf_length);
	const char *directory = sis__description_find(unit->idf, unit->idf_length,
						      "\"directory\":");
	filter->directory = directory && *directory == '"' ? directory : NULL;
}

static void note_line(struct sis_region_filter *filter)
{
	const struct sis_unit *unit = filter->unit;
	if (filter->length)
		sis__text("off", "%016llx\t%s",
			  (unsigned long long)sis_checksum(unit->idf, unit->idf_length),
			  filter->off);
	filter->length = 0;
}

static void end_range(struct sis_region_filter *filter)
{
	enum { RANGE = 24 }; /* bytes of a range as text */
	if (filter->first > filter->last)
		return;
	if (filter->length + RANGE > sizeof filter->off)
		note_line(filter);
	filter->length += (size_t)snprintf(filter->off + filter->length,
					   sizeof filter->off - filter->length, "%s%u-%u",
					   filter->length ? "," : "", filter->first, filter->last);
	filter->first = 1;
	filter->last = 0;
}

bool sis__region_filter_next(struct sis_region_filter *filter, unsigned k)
{
	if (!sis__region_texts_next(&filter->texts, &region))
		return false;
	struct sis_filter_region compared = {
		.type = sis_region_by_name(region.type, strlen(region.type)),
		.outer_loop = region.outer_loop,
		.inner_loop = region.inner_loop,
		.is_call = region.is_call,
		.name = region.name,
		.function = region.function,
		.symbol = region.symbol,
		.signature = region.signature,
		.file = names_of_file(filter->directory, filter->texts.end),
	};
	/* the program itself is never off */
	bool excluded = compared.type != CR_P && sis__filter_excludes(&compared);
	if (region.pattern[0] && !excluded) {
		compared.name = compared.function = region.pattern;
		excluded = sis__filter_excludes(&compared);
	}
	if (!excluded) {
		end_range(filter);
		return false;
	}
	filter->first = filter->first > filter->last ? k : filter->first;
	filter->last = k;
	return true;
}

void sis__region_filter_note(struct sis_region_filter *filter)
{
	end_range(filter);
	note_line(filter);
}
