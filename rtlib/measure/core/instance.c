/* SPDX-License-Identifier: BSD-3-Clause */
/* instance.c - makes a region of each instance of a template. Called by the first probe that enters
 * the instance, in any thread.
 *
 * The compiler instantiates templates, so sisc has described only the template. The description of
 * an instance is that of the template, with another name: `Field<T>::update` becomes
 * `Field<double>::update`. What the parameters stand for is at the end of __PRETTY_FUNCTION__:
 *
 *     gcc     void Field<T>::update(U) [with U = int; T = double]
 *     clang   void Field<double>::update(U) [T = double, U = int]
 *
 * A parameter that the template's name does not contain is one of the function itself. It is added
 * to the name of the function: `Field<double>::update<int>`.
 */
#include "base/lock.h"
#include "measure/core/instance.h"
#include "measure/core/region_text.h"
#include "tables.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { PARAMETERS = 32, ID = 32 };
#define UNIT "\"unit\":\""

struct part { const char *at, *end; };
struct parameter { struct part name, value; bool used; };
struct text { char *at; size_t length, room; };

static struct sis_lock lock; /* held while an instance is described */

static bool is_letter(char c) { return isalnum((unsigned char)c) || c == '_'; }

static void put(struct text *text, struct part part)
{
	size_t length = (size_t)(part.end - part.at);
	if (length > text->room - text->length)
		length = text->room - text->length;
	memcpy(text->at + text->length, part.at, length);
	text->length += length;
}

static void put_string(struct text *text, const char *string)
{
	put(text, (struct part){ string, string + strlen(string) });
}

/* Names that compilers write in different ways, and the way in which sisc writes them. */
static const struct { const char *by_compiler, *ours; } spellings[] = {
	{ "__cxx11::", "" }, /* an inline namespace, which no program names */
	{ "{anonymous}", "(anonymous)" },
	{ "(anonymous namespace)", "(anonymous)" },
	{ "long long unsigned int", "unsigned long long" },
	{ "long unsigned int", "unsigned long" },
	{ "long long int", "long long" },
	{ "long int", "long" },
	{ "short unsigned int", "unsigned short" },
	{ "short int", "short" },
};

/* Adds the value of a parameter, as in a JSON string. */
static void put_value(struct text *text, struct part part)
{
	while (part.at < part.end) {
		size_t i = 0, length = 0;
		for (; i < sizeof spellings / sizeof *spellings; i++) {
			length = strlen(spellings[i].by_compiler);
			if ((size_t)(part.end - part.at) >= length &&
			    memcmp(part.at, spellings[i].by_compiler, length) == 0)
				break;
		}
		if (i < sizeof spellings / sizeof *spellings) {
			put_string(text, spellings[i].ours);
			part.at += length;
			continue;
		}
		char before = text->length ? text->at[text->length - 1] : ' ';
		if ((*part.at == '*' || *part.at == '&') && (is_letter(before) || before == '>'))
			put_string(text, " "); /* const char * */
		if (*part.at == '"' || *part.at == '\\')
			put_string(text, "\\");
		put(text, (struct part){ part.at, part.at + 1 });
		part.at++;
	}
}

/* -- parameters -------------------------------------------------------------------------------- */

/* The end of a value: the first `;` or `,` that is in no brackets, or the bracket around the list;
 * `end` if there is none. */
static const char *separator(const char *at, const char *end)
{
	int depth = 0;
	for (; at < end; at++) {
		if (depth == 0 && strchr(";,>)}]", *at))
			return at;
		depth += strchr("<({[", *at) ? 1 : strchr(">)}]", *at) ? -1 : 0;
	}
	return end;
}

/* Without blanks around it, and without the brackets around the values of a pack. */
static struct part trimmed(struct part part)
{
	while (part.at < part.end && *part.at == ' ')
		part.at++;
	while (part.at < part.end && part.end[-1] == ' ')
		part.end--;
	if (part.end - part.at >= 2 && (*part.at == '{' || *part.at == '<'))
		part = (struct part){ part.at + 1, part.end - 1 };
	return part;
}

/* GCC writes `int N = 3` for a parameter that is no type. */
static struct part last_word(struct part part)
{
	const char *blank = memrchr(part.at, ' ', (size_t)(part.end - part.at));
	return (struct part){ blank ? blank + 1 : part.at, part.end };
}

/* Whether it is the name of a parameter: `T`, and for `auto` also `auto:1` and `x:auto`. GCC also
 * says what some types are, such as std::string. */
static bool is_parameter(struct part name)
{
	for (const char *at = name.at; at < name.end; at++)
		if (!is_letter(*at) && !(*at == ':' && at[1] != ':' && at[-1] != ':'))
			return false;
	return name.at < name.end;
}

/* Returns how many parameters `function` lists. */
static size_t read_parameters(const char *function, struct parameter *out)
{
	const char *begin = strstr(function, " [with "), *end = strrchr(function, ']');
	size_t count = 0;
	if (begin)
		begin += strlen(" [with ");
	for (const char *at = begin ? NULL : function; at && (at = strstr(at, " ["));)
		begin = at += strlen(" [");
	while (begin && end && begin < end && count < PARAMETERS) {
		const char *next = separator(begin, end);
		const char *is = memmem(begin, (size_t)(next - begin), " = ", 3);
		struct part name = is ? last_word(trimmed((struct part){ begin, is }))
				      : (struct part){ 0 };
		if (is && is_parameter(name))
			out[count++] = (struct parameter){
				name, trimmed((struct part){ is + 3, next }), false
			};
		begin = next + 1;
	}
	return count;
}

/* Finds the parameters of a class by comparing `CLASS<...>` in the names of the template and of the
 * function. For a lambda, GCC does not list them: `Field<double>::each()::<lambda(int)>`. */
static size_t read_class(struct part name, const char *function, struct parameter *out)
{
	const char *open = memchr(name.at, '<', (size_t)(name.end - name.at)), *begin = open;
	while (begin && begin > name.at && (is_letter(begin[-1]) || begin[-1] == ':'))
		begin--;
	const char *value = begin < open ?
		memmem(function, strlen(function), begin, (size_t)(open + 1 - begin)) : NULL;
	size_t count = 0;
	if (!value)
		return 0;
	value += open + 1 - begin;
	const char *end = value + strlen(value);
	for (const char *at = open + 1; at < name.end && *at != '>' && count < PARAMETERS;) {
		const char *next = at + strcspn(at, ",>"), *last = separator(value, end);
		out[count++] = (struct parameter){ trimmed((struct part){ at, next }),
						   trimmed((struct part){ value, last }), false };
		at = *next == ',' ? next + 1 : next;
		value = last < end ? last + 1 : end;
	}
	return count;
}

/* -- names ------------------------------------------------------------------------------------- */

/* The word at `at`. What follows the word `operator` is a part of it. */
static struct part word_at(const char *at, const char *end)
{
	static const char overloads[] = "operator";
	struct part word = { at, at };
	while (word.end < end && is_letter(*word.end))
		word.end++;
	size_t length = (size_t)(word.end - at);
	if (length != sizeof overloads - 1 || memcmp(at, overloads, length) != 0)
		return word;
	if (end - word.end >= 2 && word.end[0] == '(' && word.end[1] == ')')
		word.end += 2;
	else
		word.end += strspn(word.end, "<>=-+*/%^&|~!,[]"); /* `"` ends the name */
	return word;
}

static struct parameter *find(struct parameter *parameter, size_t count, struct part word)
{
	for (size_t i = 0; i < count; i++)
		if (parameter[i].name.end - parameter[i].name.at == word.end - word.at &&
		    !memcmp(parameter[i].name.at, word.at, (size_t)(word.end - word.at)))
			return &parameter[i];
	return NULL;
}

/* Adds the values of parameters that the name does not contain. */
static void put_own(struct text *text, const struct parameter *parameter, size_t count)
{
	const char *before = "<";
	for (size_t i = 0; i < count; i++) {
		if (parameter[i].used)
			continue;
		put_string(text, before);
		put_value(text, parameter[i].value);
		before = ", ";
	}
	put_string(text, *before == ',' ? ">" : "");
}

/* Where the function's own parameters belong: before the list of its parameters, and before ` in `
 * of a lambda. It is in no brackets. */
static const char *end_of_function(struct part name)
{
	int depth = 0;
	for (const char *at = name.at; at < name.end;) {
		bool ends = *at == '(' ? at > name.at && at[-1] != ':' : !memcmp(at, " in ", 4);
		if (depth == 0 && ends)
			return at;
		depth += (*at == '<' || *at == '(') - (*at == '>' || *at == ')');
		at = is_letter(*at) ? word_at(at, name.end).end : at + 1;
	}
	return name.end;
}

/* Copies a part of the template's name. In brackets, parameters become their values. */
static void put_part(struct text *text, struct part part, struct parameter *parameter, size_t count)
{
	int depth = 0;
	while (part.at < part.end) {
		struct part next = { part.at, part.at + 1 };
		if (is_letter(*part.at))
			next = word_at(part.at, part.end);
		depth += (*part.at == '<' || *part.at == '(') - (*part.at == '>' || *part.at == ')');
		struct parameter *is = depth > 0 ? find(parameter, count, next) : NULL;
		if (is) {
			put_value(text, is->value);
			is->used = true;
		} else {
			put(text, next);
		}
		part.at = next.end;
	}
}

/* Writes the name of the instance. The first copy only finds out which parameters the template's
 * name contains. */
static void put_name(struct text *text, struct part name, struct parameter *parameter, size_t count)
{
	const char *own = end_of_function(name);
	size_t begin = text->length;
	put_part(text, name, parameter, count);
	text->length = begin;
	put_part(text, (struct part){ name.at, own }, parameter, count);
	put_own(text, parameter, count);
	put_part(text, (struct part){ own, name.end }, parameter, count);
}

/* -- descriptions ------------------------------------------------------------------------------ */

/* The text of region `k` in the unit's description, behind its member `id`. */
static struct part find_region(const struct sis_unit *unit, uint32_t k)
{
	char id[ID];
	const char *end = unit->idf + unit->idf_length;
	int length = snprintf(id, sizeof id, "\n{\"id\":%u,", k);
	const char *at = memmem(unit->idf, unit->idf_length, id, (size_t)length);
	if (!at)
		return (struct part){ 0 };
	at += length;
	const char *next = memchr(at, '\n', (size_t)(end - at));
	/* the object is followed by `,` and the next line, or by `]}` */
	return (struct part){ at, next ? next - 1 : end - 2 };
}

/* The value of a member that is a string, as it is written; empty if there is none. */
static struct part value_of(struct part members, const char *key)
{
	const char *at = memmem(members.at, (size_t)(members.end - members.at), key, strlen(key));
	struct part value = { members.end, members.end };
	if (!at)
		return value;
	value.at = value.end = at + strlen(key);
	while (value.end < members.end && *value.end != '"')
		value.end += *value.end == '\\' ? 2 : 1;
	return value;
}

/* Copies the members of a region. Its names become those of the instance. */
static void put_region(struct text *text, struct part members, struct parameter *parameter,
		       size_t count)
{
	struct part name = value_of(members, "\"name\":\""), function = value_of(members, UNIT),
		    key = value_of(members, "\"key\":\"");
	put(text, (struct part){ members.at, name.at });
	struct part named = { text->at + text->length, NULL };
	put_name(text, name, parameter, count);
	named.end = text->at + text->length;
	put_string(text, "\",\"pattern\":\"");
	put(text, name);
	put(text, (struct part){ name.end, function.at });
	put(text, named);
	put(text, (struct part){ function.end, key.end });
	put_string(text, SIS_KEY_INSTANCE); /* the key differs from that of all other instances */
	put(text, named);
	put(text, (struct part){ key.end, members.end });
}

static bool describe(const struct sis_unit *unit, const struct sis_described *described,
		     struct text *text)
{
	struct parameter parameter[PARAMETERS];
	struct part members = find_region(unit, (uint32_t)(described->of - unit->region));
	const char *regions = sis__description_find(unit->idf, unit->idf_length, "\"regions\":[");
	if (!members.at || !regions)
		return false;
	size_t count = read_parameters(described->function, parameter);
	if (!count)
		count = read_class(value_of(members, UNIT), described->function, parameter);
	put(text, (struct part){ unit->idf, regions });
	put_string(text, "\n{\"id\":0,");
	put_region(text, members, parameter, count);
	put_string(text, "]}");
	return text->length < text->room;
}

/* Registers the instance. The caller holds the lock. */
static void add(struct sis_unit *unit, struct sis_instance *instance)
{
	struct sis_described described;
	instance->describe(&described);
	instance->region.what = described.of->what;
	if (!described.function)
		described.function = "";
	/* each name may hold each value several times */
	size_t room = unit->idf_length + 16 * strlen(described.function) + 4096;
	struct text text = { mmap(NULL, room, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 0, room };
	if (text.at == MAP_FAILED)
		return;
	if (describe(unit, &described, &text)) {
		struct sis_unit own = { SIS_PROBE_ABI, 1, text.at, text.length, NULL,
					&instance->region };
		sis_unit_register(&own);
	}
	munmap(text.at, room);
}

void sis__instance_add(struct sis_unit *unit, struct sis_instance *instance)
{
	if (unit->region[0].id == SIS_ID_UNREGISTERED(0))
		sis_unit_register(unit);
	if (!sis__lock(&lock))
		return;
	if (instance->region.id == SIS_ID_INSTANCE)
		add(unit, instance);
	if (instance->region.id >= SIS_ID_UNREGISTERED(0))
		instance->region.id = SIS_ID_OFF;
	sis__unlock(&lock);
}
