/* SPDX-License-Identifier: BSD-3-Clause */
/* flow_make.c - see flow_make.h. A text that is wrong ends the test. */
#include "flow_make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fnv.h"

enum { WORDS = 24, NAMES = 200 };

struct bytes { unsigned char *at; size_t n; };

struct line { char *word[WORDS]; int n; };

/* Names with numbers from 0. */
struct list { char name[NAMES][32]; int n; };

struct maker {
	struct bytes out, types, fields, objects, functions;
	struct list strings, type, object, function, value;
	int type_fields, own_objects;
	struct line header;                   /* of the type that is open */
	struct line block[NAMES], item[NAMES]; /* of the function that is open */
	int blocks, items, statements, item_statement[NAMES], item_block[NAMES];
	struct bytes parameters;
	int parameter_count;
	struct line open;
};

static void fail(const char *what, const char *word)
{
	fprintf(stderr, "flow_make: %s '%s'\n", what, word);
	abort();
}

static void put(struct bytes *b, uint64_t number)
{
	b->at = realloc(b->at, b->n + 16);
	do {
		unsigned char low = number & 127;
		number >>= 7;
		b->at[b->n++] = low | (number ? 128 : 0);
	} while (number);
}

static void put_signed(struct bytes *b, int64_t number)
{
	put(b, (uint64_t)number << 1 ^ (uint64_t)(number >> 63));
}

static void append(struct bytes *b, const struct bytes *more)
{
	b->at = realloc(b->at, b->n + more->n + 1);
	if (more->n)
		memcpy(b->at + b->n, more->at, more->n);
	b->n += more->n;
}

static int find(const struct list *l, const char *name)
{
	for (int i = l->n; i-- > 0;)
		if (strcmp(l->name[i], name) == 0)
			return i;
	return -1;
}

static int add(struct list *l, const char *name)
{
	if (l->n == NAMES || strlen(name) >= sizeof l->name[0])
		fail("too many or too long", name);
	strcpy(l->name[l->n], name);
	return l->n++;
}

static int string(struct maker *m, const char *text)
{
	int at = find(&m->strings, text);
	return at >= 0 ? at : add(&m->strings, text);
}

static uint64_t ref(const struct list *l, const char *name)
{
	int at = find(l, name);
	if (strcmp(name, "-") == 0)
		return 0;
	if (at < 0)
		fail("not known:", name);
	return (uint64_t)at + 1;
}

static uint64_t number(const char *word)
{
	char *end;
	long long n = strtoll(word, &end, 10);
	if (*end || end == word)
		fail("not a number:", word);
	return (uint64_t)n;
}

static struct line split(char *text)
{
	struct line l = { .n = 0 };
	for (char *word = strtok(text, " \t"); word; word = strtok(NULL, " \t"))
		if (l.n == WORDS)
			fail("too many words at", word);
		else
			l.word[l.n++] = word;
	return l;
}

/* -- types and objects ------------------------------------------------------------------------- */

static void close_type(struct maker *m)
{
	static const char *const kinds[] = { "void", "int", "real", "pointer", "array", "struct",
					     "union" };
	const struct line *l = &m->header;
	unsigned kind = 0;
	if (!l->n)
		return;
	while (kind < 7 && strcmp(kinds[kind], l->word[2]) != 0)
		kind++;
	put(&m->types, kind);
	put(&m->types, string(m, l->word[1]));
	put(&m->types, number(l->word[3]));
	put(&m->types, l->n > 4 ? ref(&m->type, l->word[4]) : 0);
	put(&m->types, l->n > 5 ? number(l->word[5]) : 0);
	put(&m->types, m->type_fields);
	append(&m->types, &m->fields);
	m->fields.n = 0;
	m->type_fields = 0;
	m->header.n = 0;
}

static void field(struct maker *m, const struct line *l)
{
	put(&m->fields, string(m, l->word[1]));
	put(&m->fields, number(l->word[2]));
	put(&m->fields, number(l->word[3]));
	put(&m->fields, ref(&m->type, l->word[4]));
	m->type_fields++;
}

static int object(struct maker *m, int kind, const char *name, const char *type, int flags)
{
	put(&m->objects, kind);
	put(&m->objects, string(m, kind == SIS_BLAME_LOCAL ? "" : name));
	put(&m->objects, string(m, name));
	put(&m->objects, ref(&m->type, type));
	put(&m->objects, 1);
	put(&m->objects, 1 + m->object.n);
	put(&m->objects, kind == SIS_BLAME_LOCAL ? m->function.n : 0);
	put(&m->objects, flags);
	return add(&m->object, name);
}

static uint64_t ref_object(struct maker *m, const char *name)
{
	if (strcmp(name, "-") == 0)
		return 0;
	int at = find(&m->object, name);
	return 1 + (uint64_t)(at >= 0 ? at : object(m, SIS_BLAME_FUNCTION, name, "-", 0));
}

/* -- values ------------------------------------------------------------------------------------ */

static const char *const ops[SIS_BLAME_OPS] = {
	"parameter", "address", "literal", "field", "index", "load", "store", "move", "fill",
	"compute", "meet", "define", "call", "branch", "return", "assembly", "alloca", "fork" };

static void put_list(struct maker *m, struct bytes *b, const struct line *l, int from)
{
	put(b, l->n > from ? l->n - from : 0);
	for (int i = from; i < l->n; i++)
		put(b, ref(&m->value, l->word[i]));
}

static void put_operands(struct maker *m, struct bytes *b, unsigned op, const struct line *l)
{
	char *const *w = l->word + 1;
	switch (op) {
	case SIS_BLAME_PARAMETER:
		put(b, number(w[0]));
		break;
	case SIS_BLAME_ADDRESS:
		put(b, ref_object(m, w[0]));
		break;
	case SIS_BLAME_FIELD:
		put(b, ref(&m->value, w[0]));
		put_signed(b, (int64_t)number(w[1]));
		break;
	case SIS_BLAME_LOAD:
		put(b, ref(&m->value, w[0]));
		put(b, number(w[1]));
		break;
	case SIS_BLAME_INDEX:
	case SIS_BLAME_STORE:
	case SIS_BLAME_MOVE:
	case SIS_BLAME_FILL:
		put(b, ref(&m->value, w[0]));
		put(b, ref(&m->value, w[1]));
		put(b, number(w[2]));
		break;
	case SIS_BLAME_COMPUTE:
	case SIS_BLAME_MEET:
	case SIS_BLAME_ASSEMBLY:
		put_list(m, b, l, 1);
		break;
	case SIS_BLAME_DEFINE:
		put(b, ref_object(m, w[0]));
		put(b, ref(&m->value, w[1]));
		break;
	case SIS_BLAME_CALL:
		put(b, ref(&m->value, w[0]));
		put_list(m, b, l, 2);
		put(b, 0);
		break;
	case SIS_BLAME_BRANCH:
		put(b, ref(&m->value, w[0]));
		break;
	case SIS_BLAME_RETURN:
		put(b, l->n > 1 ? ref(&m->value, w[0]) : 0);
		break;
	case SIS_BLAME_ALLOCA:
		put(b, ref(&m->value, w[0]));
		put(b, ref_object(m, w[1]));
		break;
	case SIS_BLAME_FORK:
		put(b, ref(&m->function, w[0]));
		put_list(m, b, l, 2);
		break;
	default:
		break;
	}
}

static void put_values(struct maker *m, struct bytes *b)
{
	int block = 0;
	put(b, m->items);
	for (int i = 0; i < m->items; i++) {
		unsigned op = 0;
		while (op < SIS_BLAME_OPS && strcmp(ops[op], m->item[i].word[0]) != 0)
			op++;
		if (op == SIS_BLAME_OPS)
			fail("no such op:", m->item[i].word[0]);
		put(b, op);
		put(b, m->item_statement[i]);
		put_signed(b, m->item_block[i] - block);
		block = m->item_block[i];
		put_operands(m, b, op, &m->item[i]);
	}
}

/* -- functions --------------------------------------------------------------------------------- */

static void put_blocks(struct maker *m, struct bytes *b)
{
	put(b, m->blocks);
	for (int i = 0; i < m->blocks; i++) {
		const struct line *l = &m->block[i];
		int to = 1;
		while (to < l->n && strcmp(l->word[to], "to") != 0)
			to++;
		put(b, to < l->n ? l->n - to - 1 : 0);
		for (int k = to + 1; k < l->n; k++)
			put(b, number(l->word[k]));
		put(b, to > 2 ? to - 2 : 0);
		for (int k = 2; k < to; k++)
			put(b, ref(&m->value, l->word[k]));
	}
}

static const char *option(const struct line *l, const char *name)
{
	for (int i = 2; i + 1 < l->n; i++)
		if (strcmp(l->word[i], name) == 0)
			return l->word[i + 1];
	return NULL;
}

static void close_function(struct maker *m)
{
	struct bytes *b = &m->functions;
	const struct line *l = &m->open;
	if (!l->n)
		return;
	put(b, string(m, l->word[1]));
	put(b, string(m, l->word[1]));
	put(b, option(l, "flags") ? number(option(l, "flags")) : 0);
	put(b, 1);
	put(b, 1);
	put(b, option(l, "around") ? ref(&m->function, option(l, "around")) : 0);
	put(b, 0);
	put(b, m->parameter_count);
	append(b, &m->parameters);
	put(b, m->statements);
	for (int i = 0; i < m->statements; i++) {
		put(b, i < 2 ? i : SIS_BLAME_EXPRESSION);
		put(b, 1);
		put(b, i * 10);
		put(b, 1);
		put(b, i * 10);
	}
	put(b, m->statements); /* an anchor for each */
	for (int i = 0; i < m->statements; i++) {
		put_signed(b, i == 0);
		put_signed(b, i ? 10 : 0);
		put_signed(b, i == 0);
		put(b, 2 * i);
	}
	put(b, 0);
	put_blocks(m, b);
	put_values(m, b);
	m->open.n = m->blocks = m->items = m->parameter_count = 0;
	m->parameters.n = 0;
	m->value.n = 0;
}

static void open_function(struct maker *m, const struct line *l)
{
	close_type(m);
	close_function(m);
	m->open = *l;
	m->statements = 2;
	m->blocks = 1;
	m->block[0] = (struct line){ .n = 0 };
	if (find(&m->function, l->word[1]) < 0)
		fail("not known:", l->word[1]);
}

static void value(struct maker *m, const struct line *l)
{
	int skip = l->n > 2 && strcmp(l->word[1], "=") == 0 ? 2 : 0;
	struct line *item = &m->item[m->items];
	if (m->items == NAMES)
		fail("too many values:", l->word[0]);
	add(&m->value, skip ? l->word[0] : "?");
	item->n = l->n - skip;
	memcpy(item->word, l->word + skip, item->n * sizeof *item->word);
	m->item_statement[m->items] = m->statements - 1;
	m->item_block[m->items++] = m->blocks - 1;
}

static void local(struct maker *m, const struct line *l, int flags)
{
	int at = object(m, SIS_BLAME_LOCAL, l->word[1], l->word[2], flags);
	if (flags) {
		put(&m->parameters, at + 1);
		m->parameter_count++;
	}
}

static void item(struct maker *m, const struct line *l)
{
	const char *word = l->n ? l->word[0] : "";
	if (!l->n)
		return;
	if (strcmp(word, "type") == 0) {
		close_type(m);
		m->header = *l;
	} else if (strcmp(word, "field") == 0 && !m->open.n) {
		field(m, l);
	} else if (strcmp(word, "global") == 0 || strcmp(word, "static") == 0) {
		object(m, *word == 'g' ? SIS_BLAME_GLOBAL : SIS_BLAME_STATIC, l->word[1],
		       l->word[2], 0);
	} else if (strcmp(word, "function") == 0) {
		open_function(m, l);
	} else if (strcmp(word, "parameter") == 0 && l->n == 3) {
		local(m, l, SIS_BLAME_OBJECT_PARAMETER);
	} else if (strcmp(word, "local") == 0) {
		local(m, l, 0);
	} else if (strcmp(word, "statement") == 0) {
		m->statements++;
	} else if (strcmp(word, "block") == 0) {
		if (m->items || m->block[0].n)
			m->blocks++;
		m->block[m->blocks - 1] = *l;
	} else {
		value(m, l);
	}
}

/* Names that may be used before their line. */
static void declare(struct maker *m, char *copy)
{
	for (char *line = copy, *next; line; line = next) {
		char name[32];
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		if (sscanf(line, " function %31s", name) == 1)
			add(&m->function, name);
		if (sscanf(line, " type %31s", name) == 1)
			add(&m->type, name);
	}
}

static struct bytes payload(struct maker *m)
{
	struct bytes b = { 0 };
	static const char *const unit[] = { "unit.c", "/src", "" };
	for (int i = 0; i < 3; i++) {
		put(&b, strlen(unit[i]));
		append(&b, &(struct bytes){ (unsigned char *)(uintptr_t)unit[i],
					    strlen(unit[i]) });
	}
	put(&b, m->strings.n);
	for (int i = 0; i < m->strings.n; i++) {
		put(&b, strlen(m->strings.name[i]));
		append(&b, &(struct bytes){ (unsigned char *)m->strings.name[i],
					    strlen(m->strings.name[i]) });
	}
	put(&b, 1);
	put(&b, string(m, "unit.c"));
	put(&b, m->type.n);
	append(&b, &m->types);
	put(&b, m->object.n);
	append(&b, &m->objects);
	put(&b, m->function.n);
	append(&b, &m->functions);
	return b;
}

unsigned char *flow_make_blob(const char *text, size_t *size)
{
	struct maker *m = calloc(1, sizeof *m);
	char *copy = strdup(text), *names = strdup(text);
	string(m, "unit.c");
	declare(m, names);
	for (char *line = copy, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		struct line l = split(line);
		item(m, &l);
	}
	close_type(m);
	close_function(m);
	struct bytes plain = payload(m);
	struct sis_blame_header h = { .version = SIS_BLAME_VERSION, .stored = plain.n,
				      .plain = plain.n };
	memcpy(h.magic, SIS_BLAME_MAGIC, sizeof h.magic);
	h.checksum = sis_fnv(SIS_FNV_START, plain.at, plain.n);
	h.size = (sizeof h + plain.n + 7) / 8 * 8;
	unsigned char *blob = calloc(1, h.size);
	memcpy(blob, &h, sizeof h);
	memcpy(blob + sizeof h, plain.at, plain.n);
	*size = h.size;
	free(plain.at);
	free(m->types.at);
	free(m->fields.at);
	free(m->objects.at);
	free(m->functions.at);
	free(m->parameters.at);
	free(m);
	free(copy);
	free(names);
	return blob;
}

void flow_make_add(struct flow_program *program, const char *text)
{
	size_t size;
	unsigned char *blob = flow_make_blob(text, &size);
	if (flow_program_add_section(program, blob, size, "test") != 1)
		fail("not read:", program->warning.n ? program->warning.at[0] : "?");
	free(blob);
}

void flow_make(struct flow_program *program, const char *text)
{
	*program = (struct flow_program){ 0 };
	flow_make_add(program, text);
	flow_program_link(program);
}
