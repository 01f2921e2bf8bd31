/* SPDX-License-Identifier: BSD-3-Clause */
/* routines_parse.c - reads the text of a table of routines; schema/routines.txt has its grammar.
 *
 * The idea: the text is read token by token, each with its position. A row has names, a colon, and
 * effects with commas between them. A line that does not begin with a blank begins the next row.
 * The first error ends the reading. */
#include "blame/flow/routines.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blame/flow/routines_internal.h"
#include "text_cursor.h"

enum { SHOWN = 80, MOST_NAMES = 4096, LONGEST_NAME = 256, MOST_ARGUMENT = 255, MOST_DEPTH = 2 };

struct reader {
	struct routines *routines;
	const char *origin;
	struct err *err;
	bool by_user;
	struct sis_text_cursor text; /* the text after the token */
	const char *word;         /* the token, of `length` bytes; length 0: the row ends */
	size_t length;
	struct sis_text_place where;
	VEC(struct routine_effect) effect; /* effects of the row so far */
	VEC(struct routine_place) blame;
	uint32_t flags;
	bool has_blame;
};

static __attribute__((format(printf, 2, 3))) int fail(struct reader *r, const char *format, ...)
{
	char text[512];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	return err_fail(r->err, "%s:%u:%u: %s", r->origin, r->where.line, r->where.column, text);
}

/* -- tokens ------------------------------------------------------------------------------------ */

static void start_token(struct reader *r)
{
	sis_text_skip_blanks(&r->text);
	r->word = r->text.at;
	r->where = r->text.next;
	r->length = 0;
}

static bool is_part(char c)
{
	return isalnum((unsigned char)c) || c == '.' || c == '*' || c == '_';
}

static void next_token(struct reader *r)
{
	start_token(r);
	if (r->text.at == r->text.end || r->text.next.column == 1) /* the row ends */
		return;
	if (*r->text.at == '<') {
		sis_text_step(&r->text);
		if (r->text.at < r->text.end && *r->text.at == '-')
			sis_text_step(&r->text);
	} else if (is_part(*r->text.at)) {
		while (r->text.at < r->text.end &&
		       (is_part(*r->text.at) ||
			(*r->text.at == '-' && isdigit((unsigned char)r->text.at[-1]))))
			sis_text_step(&r->text);
	} else {
		sis_text_step(&r->text);
	}
	r->length = (size_t)(r->text.at - r->word);
}

static bool is_word(const struct reader *r, const char *word)
{
	return strlen(word) == r->length && memcmp(word, r->word, r->length) == 0;
}

static int shown(const struct reader *r)
{
	return (int)(r->length < SHOWN ? r->length : SHOWN);
}

/* -- places ------------------------------------------------------------------------------------ */

static bool take_number(const char **at, const char *end, uint16_t *number)
{
	unsigned value = 0;
	if (*at == end || !isdigit((unsigned char)**at))
		return false;
	for (; *at < end && isdigit((unsigned char)**at) && value <= MOST_ARGUMENT; ++*at)
		value = value * 10 + (unsigned)(**at - '0');
	*number = (uint16_t)value;
	return value > 0 && value <= MOST_ARGUMENT;
}

/* Reads the token as a place. False: the token is no place. */
static bool read_place(const struct reader *r, struct routine_place *place)
{
	const char *at = r->word, *end = at + r->length;
	*place = (struct routine_place){ 0 };
	for (; at < end && *at == '*'; at++)
		if (++place->depth > MOST_DEPTH)
			return false;
	size_t rest = (size_t)(end - at);
	bool is_result = rest == 3 && memcmp(at, "ret", 3) == 0;
	bool is_called = rest == 6 && memcmp(at, "called", 6) == 0 && place->depth == 0;
	if (is_result || is_called) {
		place->base = is_result ? ROUTINE_RESULT : ROUTINE_CALLED;
		return true;
	}
	if (!take_number(&at, end, &place->first))
		return false;
	place->last = place->first;
	if (end - at == 3 && memcmp(at, "...", 3) == 0) {
		place->last = UINT16_MAX;
		return true;
	}
	if (at < end && *at == '-' && (++at, !take_number(&at, end, &place->last)))
		return false;
	return at == end && place->last >= place->first;
}

static int need_place(struct reader *r, struct routine_place *place)
{
	if (read_place(r, place))
		return 0;
	if (r->length == 0)
		return fail(r, "the row ends where a place is needed, like 2, *1, **3 or ret");
	return fail(r, "'%.*s' is no place; write an argument from 1 to %d, ret or called, with "
		    "up to %d * before it", shown(r), r->word, MOST_ARGUMENT, MOST_DEPTH);
}

/* -- effects ----------------------------------------------------------------------------------- */

struct places { struct routine_place *at; size_t n, room; };

/* Reads places, from the token after the current one up to the first token that is no place. */
static int read_places(struct reader *r, struct places *places)
{
	struct routine_place place;
	for (next_token(r); read_place(r, &place); next_token(r))
		*vec_push(places) = place;
	return 0;
}

static void push_effect(struct reader *r, enum routine_verb verb, struct routine_place to,
			struct places from)
{
	*vec_push(&r->effect) = (struct routine_effect){ verb, to, from.at, from.n };
}

static int read_call(struct reader *r)
{
	struct routine_place to;
	struct places from = { 0 };
	next_token(r);
	if (need_place(r, &to) < 0)
		return -1;
	next_token(r);
	if (!is_word(r, "("))
		return fail(r, "the arguments of the call stand in parentheses: call 4 (1 1)");
	read_places(r, &from);
	push_effect(r, ROUTINE_CALL, to, from);
	if (!is_word(r, ")"))
		return fail(r, "')' is missing after the arguments of the call");
	next_token(r);
	return 0;
}

static int read_blame(struct reader *r)
{
	struct places places = { 0 };
	r->has_blame = true;
	read_places(r, &places);
	for (size_t i = 0; i < places.n; i++) {
		if (places.at[i].base == ROUTINE_CALLED) {
			free(places.at);
			return fail(r, "'called' is no place that can get time");
		}
		*vec_push(&r->blame) = places.at[i];
	}
	bool none = places.n == 0;
	free(places.at);
	if (!none)
		return 0;
	if (!is_word(r, "none"))
		return fail(r, "who gets the time? write places after 'blame', or 'none'");
	next_token(r);
	return 0;
}

/* Adds an effect for each place of `to`. Each effect owns its copy of `from`. */
static void push_effects(struct reader *r, enum routine_verb verb, struct places to,
			 struct places from)
{
	for (size_t i = 0; i < to.n; i++) {
		struct places own = { 0 };
		for (size_t k = 0; i > 0 && k < from.n; k++)
			*vec_push(&own) = from.at[k];
		push_effect(r, verb, to.at[i], i > 0 ? own : from);
	}
}

/* Reads the verb of an assignment, which is the current token, and the places after the verb. */
static int read_right_side(struct reader *r, struct places to)
{
	struct places from = { 0 };
	bool flow = is_word(r, "<-");
	if (!flow && !is_word(r, "="))
		return fail(r, "after a place, '<-' or '=' is needed");
	if (!flow && to.n > 1)
		return fail(r, "one place is needed before '='");
	read_places(r, &from);
	if (!flow && from.n == 0 && is_word(r, "new")) {
		push_effects(r, ROUTINE_NEW, to, from);
		next_token(r);
		return 0;
	}
	push_effects(r, flow ? ROUTINE_FLOW : ROUTINE_REFER, to, from);
	if (from.n == 0 || (!flow && from.n > 1))
		return fail(r, flow ? "at least one place is needed after '<-'" :
				      "one place, or 'new', is needed after '='");
	return 0;
}

/* Reads an assignment, whose first place is the current token. */
static int read_assignment(struct reader *r)
{
	struct places to = { 0 };
	struct routine_place place;
	int rc = need_place(r, &place);
	for (bool more = rc == 0; more; next_token(r), more = read_place(r, &place)) {
		*vec_push(&to) = place;
		if (place.base == ROUTINE_CALLED)
			rc = fail(r, "'called' can only stand on the right side");
		if (rc)
			break;
	}
	rc = rc ? rc : read_right_side(r, to);
	free(to.at);
	return rc;
}

static int read_effect(struct reader *r)
{
	static const struct { const char *word; uint32_t flag; } words[] = {
		{ "output", ROUTINE_OUTPUT }, { "input", ROUTINE_INPUT },
		{ "noreturn", ROUTINE_NO_RETURN }, { "waits", ROUTINE_WAITS },
		{ "redistributes", ROUTINE_REDISTRIBUTES },
		{ "jump", ROUTINE_JUMP }, { "twice", ROUTINE_TWICE }, { "nothing", 0 },
		{ "handle", ROUTINE_HANDLE },
	};
	struct routine_place to;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (!is_word(r, words[i].word))
			continue;
		r->flags |= words[i].flag;
		next_token(r);
		return 0;
	}
	if (is_word(r, "call"))
		return read_call(r);
	if (is_word(r, "free")) {
		next_token(r);
		if (need_place(r, &to) < 0)
			return -1;
		push_effect(r, ROUTINE_FREE, to, (struct places){ 0 });
		next_token(r);
		return 0;
	}
	if (is_word(r, "blame"))
		return read_blame(r);
	return read_assignment(r);
}

static int read_effects(struct reader *r)
{
	do {
		next_token(r);
		if (r->length == 0)
			return fail(r, "an effect is needed here; write 'nothing' if there is "
				    "none");
		if (read_effect(r) < 0)
			return -1;
	} while (is_word(r, ","));
	if (r->length > 0)
		return fail(r, "'%.*s' is not expected here; commas stand between effects",
			    shown(r), r->word);
	return 0;
}

/* -- names of rows ----------------------------------------------------------------------------- */

static void add_plain_name(struct routines *r, const char *name, uint32_t row)
{
	struct routine_names *names = &r->names[r->row.at[row]->by_user];
	bool is_new;
	if (strpbrk(name, "*?[")) {
		*vec_push(&names->pattern) = (struct routine_pattern){ mem_string(name), row };
		return;
	}
	uint32_t at = strmap_put(&names->exact, name, (uint32_t)names->row_of.n, &is_new);
	if (is_new)
		*vec_push(&names->row_of) = row;
	else
		names->row_of.at[at] = row;
}

/* Makes a name for each item in the first braces of `name`, and expands these names likewise. */
static bool expand(struct reader *r, const char *name, uint32_t row, unsigned *left)
{
	char text[LONGEST_NAME];
	const char *open = strchr(name, '{'), *close = open ? strchr(open, '}') : NULL;
	if (*left == 0 || strlen(name) >= sizeof text || (open && !close) ||
	    (!open && strchr(name, '}')))
		return false;
	if (!open) {
		--*left;
		add_plain_name(r->routines, name, row);
		return true;
	}
	for (const char *item = open + 1; item <= close;) {
		size_t length = strcspn(item, ",}");
		snprintf(text, sizeof text, "%.*s%.*s%s", (int)(open - name), name, (int)length,
			 item, close + 1);
		if (!expand(r, text, row, left))
			return false;
		item += length + 1;
	}
	return true;
}

static int add_name(struct reader *r, const char *word, size_t length, uint32_t row)
{
	unsigned left = MOST_NAMES;
	char name[LONGEST_NAME];
	if (length >= sizeof name)
		return fail(r, "the name is longer than %d characters", LONGEST_NAME - 1);
	memcpy(name, word, length);
	name[length] = '\0';
	if (!expand(r, name, row, &left))
		return fail(r, "the braces in '%.*s' are not closed, or stand for more than %d "
			    "names", shown(r), word, MOST_NAMES);
	return 0;
}

/* -- rows -------------------------------------------------------------------------------------- */

struct name { const char *at; size_t length; struct sis_text_place where; };
struct name_list { struct name *at; size_t n, room; };

/* Reads the names of a row and the colon. A name ends at a blank or at the colon. A comma in braces
 * is a part of the name. */
static int read_names(struct reader *r, struct name_list *names)
{
	uint32_t line = 0;
	for (;;) {
		start_token(r);
		if (r->text.at < r->text.end && *r->text.at == ':')
			sis_text_step(&r->text);
		else
			while (r->text.at < r->text.end && !isspace((unsigned char)*r->text.at) &&
			       *r->text.at != ':' && *r->text.at != '#')
				sis_text_step(&r->text);
		r->length = (size_t)(r->text.at - r->word);
		if (r->length == 0 || (line && r->where.column == 1))
			return fail(r, "':' is missing after the names of the row before");
		line = r->where.line;
		if (is_word(r, ":"))
			break;
		*vec_push(names) = (struct name){ r->word, r->length, r->where };
	}
	return names->n > 0 ? 0 : fail(r, "a name is needed before ':'");
}

/* Makes the row. If it has no `blame`, the targets of its flows get the time or, without flows, its
 * new memory. */
static struct routine *make_row(struct reader *r, const struct name *first)
{
	struct routine *row = mem_alloc(1, sizeof *row);
	enum routine_verb verb = ROUTINE_NEW;
	for (size_t i = 0; i < r->effect.n; i++)
		if (r->effect.at[i].verb == ROUTINE_FLOW)
			verb = ROUTINE_FLOW;
	for (size_t i = 0; !r->has_blame && i < r->effect.n; i++)
		if (r->effect.at[i].verb == verb)
			*vec_push(&r->blame) = r->effect.at[i].to;
	row->name = mem_print("%.*s", (int)first->length, first->at);
	row->flags = r->flags;
	row->effect = r->effect.at;
	row->effects = r->effect.n;
	row->blame = r->blame.at;
	row->blames = r->blame.n;
	row->by_user = r->by_user;
	return row;
}

static int read_row(struct reader *r)
{
	struct name_list names = { 0 };
	int result = -1;
	memset(&r->effect, 0, sizeof r->effect);
	memset(&r->blame, 0, sizeof r->blame);
	r->flags = 0;
	r->has_blame = false;
	if (read_names(r, &names) < 0)
		goto out;
	if (read_effects(r) < 0) {
		for (size_t i = 0; i < r->effect.n; i++)
			free((void *)r->effect.at[i].from);
		vec_free(&r->effect);
		vec_free(&r->blame);
		goto out;
	}
	uint32_t row = (uint32_t)r->routines->row.n;
	*vec_push(&r->routines->row) = make_row(r, &names.at[0]);
	result = 0;
	for (size_t i = 0; result == 0 && i < names.n; i++) {
		r->where = names.at[i].where;
		result = add_name(r, names.at[i].at, names.at[i].length, row);
	}
out:
	vec_free(&names);
	return result;
}

int routines_add_text(struct routines *routines, const char *text, size_t length,
		      const char *origin, bool by_user, struct err *err)
{
	struct reader r = { .routines = routines, .origin = origin, .err = err,
			    .by_user = by_user,
			    .text = sis_text_begin(text, length) };
	for (size_t i = 0; i < length; i++)
		if (iscntrl((unsigned char)text[i]) && !isspace((unsigned char)text[i]))
			return err_fail(err, "'%s' is not text; a file of routines has lines like "
					"'fill: *1 <- 2'", origin);
	for (sis_text_skip_blanks(&r.text); r.text.at < r.text.end; sis_text_skip_blanks(&r.text)) {
		r.where = r.text.next;
		if (r.text.next.column != 1)
			return fail(&r, "a row begins in the first column; a line that begins with "
				    "a blank continues the row before it");
		if (read_row(&r) < 0)
			return ERR_FAILED;
	}
	return 0;
}
