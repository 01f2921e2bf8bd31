/* modules_static.c - in libsis.a, for programs that load nothing at run time: no modules. */
#include "core.h"

void *sis__module(const char *name, const char *symbol)
{
	(void)name, (void)symbol;
	return NULL;
}
