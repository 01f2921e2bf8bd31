/* modules.c - parts that need a library of their own, opened when something first asks for them.
 * Start and end of the process, and registration of units. Only in libsis.so; a static program has none.
 */
#include "core.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

const char *const sis__no_papi = "the module libsis-papi.so or PAPI itself is not installed";

/* Beside this library, else wherever libraries are. */
void *sis__module(const char *name, const char *symbol)
{
	char path[4096];
	Dl_info here;
	void *module = NULL;
	if (dladdr((void *)&sis__empty, &here) && here.dli_fname && strlen(here.dli_fname) < sizeof path - 64) {
		const char *slash = strrchr(here.dli_fname, '/');
		int length = slash ? (int)(slash - here.dli_fname) : 1;
		snprintf(path, sizeof path, "%.*s/sis/%s", length, slash ? here.dli_fname : ".", name);
		module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	}
	if (!module)
		module = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	return module ? dlsym(module, symbol) : NULL;
}

bool sis__has_symbol(const char *symbol)
{
	return dlsym(RTLD_DEFAULT, symbol) != NULL;
}
