/* SPDX-License-Identifier: BSD-3-Clause */
/* code_change.c - see code_change.h. Owns nothing; any thread. The idea: equal tokens that are
 * compiled in the same way and executed equally often are the same work. If this work takes longer,
 * neither the programmer nor the compiler is the reason. */
#include "answers/query/code_change.h"

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

/* Adds to the reason the words of a build that the other build lacks, if there are any. */
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

/* The length of the checksum of the function itself, which ends at the dot. */
static int own(const char *tokens)
{
	return (int)strcspn(tokens, ".");
}

/* Whether a function and the functions that it uses have the same texts. A used function that is
 * measured has paths of its own. So it is enough that the used functions that are not measured have
 * the same texts. If the builds measure different functions, the texts of all used functions are
 * compared. LIMIT: functions of other translation units that are not measured are not compared. */
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
	if (strcmp(a->build, b->build) == 0)
		return (struct code_change){
			OUNID, mem_string("the text, the calls, the compiler and its flags are the "
					  "same") };
	struct buf reason = { 0 };
	buf_print(&reason, "the text is the same");
	add_words(&reason, "; only the parallel version is built with", b->build, a->build);
	add_words(&reason, "; only the sequential one is built with", a->build, b->build);
	return (struct code_change){ OADD_COMP, buf_take(&reason) };
}
