// SPDX-License-Identifier: BSD-3-Clause
/* demangle.c - asks libstdc++ for the names of mangled symbols. The library is loaded at the first
 * mangled symbol, and nothing else needs it. Called by one thread. */
#include "base/demangle.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/lazy_library.h"
#include "base/mem.h"

typedef char *demangler(const char *symbol, char *buffer, size_t *length, int *status);

char *demangled(const char *symbol)
{
	enum { LONGEST = 1 << 14 }; /* the demangler recurses: a longer symbol is hostile */
	static demangler *demangle;
	static bool tried;
	int status = -1;
	if (strncmp(symbol, "_Z", 2) != 0 || strlen(symbol) > LONGEST)
		return mem_string(symbol);
	if (!tried)
		demangle = (demangler *)optional_function("libstdc++.so.6", "__cxa_demangle");
	tried = true;
	char *name = demangle ? demangle(symbol, NULL, NULL, &status) : NULL;
	return name && status == 0 ? name : mem_string(symbol);
}
