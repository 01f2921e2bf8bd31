// SPDX-License-Identifier: BSD-3-Clause
/* demangle.c - asks libstdc++ for the names of mangled symbols. The library is loaded at the first
 * mangled symbol, and nothing else needs it. Called by one thread. */
#include "base/demangle.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/lazy_library.h"
#include "base/mem.h"

typedef char *demangler(const char *symbol, char *buffer, size_t *length, int *status);

/* The operator at the end of a name such as X::operator<: its length; 0: there is none. */
static size_t operator_length(const char *name)
{
	static const char word[] = "operator";
	size_t n = sizeof word - 1;
	if (strncmp(name, word, n) != 0)
		return 0;
	return strncmp(name + n, "()", 2) == 0 ? n + 2 : n + strspn(name + n, "<>=-+*/%^&|~!,[]");
}

/* A name without the types in it: the arguments of templates, the parameters and the result. */
static char *without_types(const char *name)
{
	static const char anonymous[] = "(anonymous namespace)";
	struct buf out = { 0 };
	int depth = 0;
	bool has_result = true; /* what is before a space is the type of the result */
	for (size_t word; *name; name += word ?: 1) {
		word = operator_length(name);
		has_result &= depth > 0 || word == 0;
		if (strncmp(name, anonymous, sizeof anonymous - 1) == 0)
			word = sizeof anonymous - 1;
		else
			has_result &= depth > 0 || *name != '(';
		bool opens = !word && (*name == '<' || *name == '(');
		bool closes = depth > 0 && ((*name == '>' && name[-1] != '-') || *name == ')');
		depth -= !word && closes;
		if (depth == 0 && *name == ' ' && has_result)
			out.length = 0;
		else if (depth == 0)
			buf_print(&out, "%.*s", (int)(word ?: 1), name);
		if (depth == 0 && opens && name[1] != (*name == '<' ? '>' : ')'))
			buf_print(&out, "...");
		depth += opens;
	}
	return buf_take(&out);
}

char *demangled(const char *symbol)
{
	enum { LONGEST = 1 << 14 }; /* the demangler recurses: a longer symbol is hostile */
	enum { LONG = 80 };
	static demangler *demangle;
	static bool tried;
	int status = -1;
	if (strncmp(symbol, "_Z", 2) != 0 || strlen(symbol) > LONGEST)
		return mem_string(symbol);
	if (!tried)
		demangle = (demangler *)optional_function("libstdc++.so.6", "__cxa_demangle");
	tried = true;
	char *name = demangle ? demangle(symbol, NULL, NULL, &status) : NULL;
	if (!name || status != 0)
		return mem_string(symbol);
	if (strlen(name) <= LONG)
		return name;
	char *cut = without_types(name);
	free(name);
	return cut;
}
