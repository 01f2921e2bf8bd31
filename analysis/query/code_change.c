/* SPDX-License-Identifier: BSD-3-Clause */
/* code_change.c - see code_change.h. Owns nothing; any thread. The idea: equal tokens that are
 * translated equally and executed equally often are the same work. If they take longer then,
 * neither the programmer nor the compiler is the reason. */
#include "query/code_change.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* -- builds ------------------------------------------------------------------------------------ */

static bool has_word(const char *words, const char *word, size_t length)
{
	for (const char *at = words; *at; at += strspn(at, " ")) {
		size_t n = strcspn(at, " ");
		if (n == length && strncmp(at, word, n) == 0)
			return true;
		at += n;
	}
	return false;
}

/* Adds the words of a build that the other one lacks, if there are any. */
static void add_words(struct buf *reason, const char *version, const char *build, const char *other)
{
	const char *separator = version;
	for (const char *at = build; *at; at += strspn(at, " ")) {
		size_t n = strcspn(at, " ");
		if (!has_word(other, at, n)) {
			buf_print(reason, "%s %.*s", separator, (int)n, at);
			separator = "";
		}
		at += n;
	}
}

static struct code_change of_build(const char *before, const char *after)
{
	struct buf reason = { 0 };
	buf_print(&reason, "the text is the same");
	add_words(&reason, "; only the parallel version is built with", after, before);
	add_words(&reason, "; only the sequential one is built with", before, after);
	return (struct code_change){ OADD_COMP, buf_take(&reason) };
}

/* -- texts ------------------------------------------------------------------------------------- */

static struct code_change of_files(const struct code *before, const struct code *after,
				   bool all_same)
{
	const char *a = before->region->checksum, *b = after->region->checksum;
	bool known = a[0] && b[0], same = known ? strcmp(a, b) == 0 : all_same;
	return (struct code_change){
		same ? OADD_COMP : OADD_ALGO,
		mem_print("the text of %s is %s, and checksums of functions are not recorded",
			  known ? "the file" : "all files that are known",
			  same ? "the same" : "another")
	};
}

/* The checksum of the function itself, before the dot. */
static int own(const char *tokens)
{
	return (int)strcspn(tokens, ".");
}

/* Whether the text of a function is the same, and that of the functions that it uses. If both
 * builds measure the same functions, only those that are not measured count. Otherwise all of them
 * count.
 * LIMIT: functions of other translation units that are not measured are not compared. */
static bool is_same_text(const char *a, const char *b)
{
	if (own(a) != own(b) || strncmp(a, b, own(a)) != 0)
		return false;
	const char *callees[2] = { a + own(a), b + own(b) };
	const char *all[2] = { strrchr(callees[0], '.'), strrchr(callees[1], '.') };
	if (!all[0] || !all[1])
		return true;
	return strcmp(all[0], all[1]) == 0 ||
	       (all[0] - callees[0] == all[1] - callees[1] &&
		strncmp(callees[0], callees[1], (size_t)(all[0] - callees[0])) == 0);
}

static struct code_change of_tokens(const struct code *before, const struct code *after)
{
	const char *a = before->region->tokens, *b = after->region->tokens;
	return own(a) != own(b) || strncmp(a, b, own(a)) != 0 ?
		(struct code_change){
			OADD_ALGO, mem_print("the text is another: its tokens have the checksum "
					     "%.*s, and %.*s in the sequential version", own(b),
					     b, own(a), a) } :
		(struct code_change){
			OADD_ALGO, mem_print("the text is the same, but not that of functions that "
					     "it calls and that are not measured") };
}

struct code_change code_change_between(const struct code *before, const struct code *after,
				       bool all_same)
{
	const struct graph_region *a = before->region, *b = after->region;
	if (!a->tokens[0] || !b->tokens[0])
		return of_files(before, after, all_same);
	if (!is_same_text(a->tokens, b->tokens))
		return of_tokens(before, after);
	if (before->calls != after->calls)
		return (struct code_change){
			OADD_ALGO, mem_print("the text is the same; the parallel version calls it "
					     "%" PRId64 " times, the sequential one %" PRId64
					     " times", after->calls, before->calls) };
	return strcmp(a->build, b->build) != 0 ?
		of_build(a->build, b->build) :
		(struct code_change){ OUNID, mem_string("the text, the calls, the compiler and its "
							"flags are the same") };
}
