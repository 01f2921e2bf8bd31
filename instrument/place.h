/* place.h - where sisc's own files are: beside its executable, in the build tree as installed. */
#ifndef SISC_PLACE_H
#define SISC_PLACE_H

#include "base.h"

/* PREFIX of PREFIX/bin/sisc; lives to the end. NULL: error. */
const char *sis_place_prefix(struct err *err);
/* PREFIX/`name` if that file can be read. To be freed; NULL: not there, without an error. */
char *sis_place_find(const char *prefix, const char *name);
/* The directory in which #include <sis/sis.h> is found, and nothing else; lives to the end. NULL: it is not there. */
const char *sis_place_headers(void);

#endif
