/* SPDX-License-Identifier: BSD-3-Clause */
/* routines.c - the table of routines: finds the row of a name. routines_parse.c reads the text.
 *
 * The idea: names without wildcards are in a hash table, patterns in a list. The user's rows are
 * searched first. */
#include "blame/flow/routines.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "blame/flow/routines_internal.h"

static const char builtin_text[] =
#include "routines_text.inc"
	;

enum { LARGEST_FILE = 16 << 20, LONGEST_NAME = 256 };

/* -- finding rows by name ---------------------------------------------------------------------- */

static const struct routine *find_exactly(const struct routines *r, const char *name)
{
	for (int user = 1; user >= 0; user--) {
		const struct routine_names *names = &r->names[user];
		uint32_t at = strmap_get(&names->exact, name);
		if (at != MAP_NONE)
			return r->row.at[names->row_of.at[at]];
		for (size_t i = names->pattern.n; i-- > 0;)
			if (fnmatch(names->pattern.at[i].text, name, 0) == 0)
				return r->row.at[names->pattern.at[i].row];
	}
	return NULL;
}

/* Finds the row of a variant: a library may have a version of a routine for each kind of processor,
 * and MPI has versions with large counts. */
static const struct routine *find_variant(const struct routines *r, const char *name)
{
	static const char *const variant[] = { "_avx", "_sse", "_evex", "_fma", "_erms" };
	char shorter[LONGEST_NAME];
	size_t whole = strlen(name), length = whole;
	for (size_t i = 0; i < sizeof variant / sizeof *variant; i++) {
		const char *at = strstr(name, variant[i]);
		if (at && at > name && (size_t)(at - name) < length)
			length = (size_t)(at - name);
	}
	bool large_count = strncmp(name, "MPI_", 4) == 0 && whole > 2 &&
			   strcmp(name + whole - 2, "_c") == 0;
	if (large_count)
		length = whole - 2;
	if (length == whole || length >= sizeof shorter)
		return NULL;
	memcpy(shorter, name, length);
	shorter[length] = '\0';
	const struct routine *found = find_exactly(r, shorter);
	if (!found && strncmp(shorter, "__", 2) == 0)
		found = find_exactly(r, shorter + 2);
	return found;
}

const struct routine *routines_find(const struct routines *r, const char *name)
{
	if (strncmp(name, "PMPI_", 5) == 0)
		name++;
	const struct routine *found = find_exactly(r, name);
	return found ? found : find_variant(r, name);
}

/* -- reading files of routines ----------------------------------------------------------------- */

struct routines *routines_new(void)
{
	struct routines *r = mem_alloc(1, sizeof *r);
	struct err err = { "" };
	if (routines_add_text(r, builtin_text, sizeof builtin_text - 1, "routines.txt", false,
			      &err) < 0)
		abort(); /* cannot happen: a unit test reads this text */
	return r;
}

static int read_whole(int fd, size_t size, char *text, const char *path, struct err *err)
{
	for (size_t done = 0; done < size;) {
		ssize_t n = read(fd, text + done, size - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_fail(err, "cannot read '%s': %s", path, strerror(errno));
		if (n == 0)
			return err_fail(err, "cannot read '%s': it became shorter; try again",
					path);
		done += (size_t)n;
	}
	return 0;
}

int routines_add_file(struct routines *r, const char *path, struct err *err)
{
	struct stat st;
	int fd = file_open(path, &st, err), result;
	if (fd < 0)
		return ERR_FAILED;
	if (st.st_size > LARGEST_FILE) {
		close(fd);
		return err_fail(err, "'%s' is too large for a file of routines; the limit is %d "
				"MiB", path, LARGEST_FILE >> 20);
	}
	size_t size = (size_t)st.st_size;
	char *text = mem_alloc(size + 1, 1);
	result = read_whole(fd, size, text, path, err);
	close(fd);
	if (result == 0)
		result = routines_add_text(r, text, size, path, true, err);
	free(text);
	return result;
}

bool routine_takes_called(const struct routine_effect *effect)
{
	for (size_t i = 0; i < effect->froms; i++)
		if (effect->from[i].base == ROUTINE_CALLED)
			return effect->verb == ROUTINE_FLOW || effect->verb == ROUTINE_REFER;
	return false;
}

void routines_free(struct routines *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->row.n; i++) {
		struct routine *row = r->row.at[i];
		for (size_t k = 0; k < row->effects; k++)
			free((void *)row->effect[k].from);
		free((void *)row->effect);
		free((void *)row->blame);
		free((void *)row->name);
		free(row);
	}
	vec_free(&r->row);
	for (int user = 0; user < 2; user++) {
		struct routine_names *names = &r->names[user];
		for (size_t i = 0; i < names->pattern.n; i++)
			free(names->pattern.at[i].text);
		vec_free(&names->pattern);
		vec_free(&names->row_of);
		strmap_free(&names->exact);
	}
	free(r);
}
