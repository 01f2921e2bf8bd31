/* modules_static.c - in libsis.a, for programs that load nothing at run time: of the modules only those whose library
 * can be linked in. Any thread.
 */
#include "core.h"
#include "modules/zstd_module.h"

#include <string.h>

const char *const sis__no_papi = "PAPI is loaded at run time, which a statically linked program cannot; link it without -static";

void *sis__module(const char *name, const char *symbol)
{
	(void)name;
#ifdef SIS_STATIC_ZSTD
	if (strcmp(symbol, "sis_zstd_compress") == 0)
		return (void *)(uintptr_t)sis_zstd_compress;
#endif
	(void)symbol;
	return NULL;
}

/* Nothing can be loaded, so nobody need be told that it would be for nothing. */
bool sis__has_symbol(const char *symbol)
{
	(void)symbol;
	return true;
}
