/* SPDX-License-Identifier: BSD-3-Clause */
/* language.c - finds the languages of inputs. Called while the command line is parsed. */
#include "driver/language.h"

#include <string.h>

enum { C, CPLUSPLUS, LANGUAGES };

static const struct language languages[LANGUAGES] = {
	[C] = { { [FORM_SOURCE] = { "c", ".c", ".sis.c" },
		  [FORM_PREPROCESSED] = { "cpp-output", ".i", ".sis.i" },
		  [FORM_HEADER] = { "c-header", ".h", NULL } },
		.is_read = true },
	[CPLUSPLUS] = { { [FORM_SOURCE] = { "c++", ".cc .cp .cxx .cpp .CPP .c++ .C", ".sis.cc" },
			  [FORM_PREPROCESSED] = { "c++-cpp-output", ".ii", ".sis.ii" },
			  [FORM_HEADER] = { "c++-header", ".hh .H .hp .hxx .hpp .HPP .h++ .tcc",
					    NULL } },
		.is_read = true },
};

static bool has_suffix(const char *name, const char *suffixes)
{
	const char *dot = strrchr(sis_basename(name), '.');
	size_t length = dot ? strlen(dot) : 0;
	for (const char *at = suffixes; dot && (at = strstr(at, dot)); at += length)
		if ((at == suffixes || at[-1] == ' ') && (!at[length] || at[length] == ' '))
			return true;
	return false;
}

const struct language *sis_language_of(const char *name, const char *x, bool cplusplus,
				       enum form *form)
{
	for (int l = 0; l < LANGUAGES; l++)
		for (*form = 0; *form < FORMS; (*form)++)
			if (x ? strcmp(x, languages[l].form[*form].x) == 0 :
				has_suffix(name, languages[l].form[*form].suffixes))
				return &languages[!x && cplusplus ? CPLUSPLUS : l];
	return NULL;
}
