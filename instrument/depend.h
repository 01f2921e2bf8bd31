/* depend.h - dependency files (-MD) that name the user's source, not ours. */
#ifndef SISC_DEPEND_H
#define SISC_DEPEND_H

#include "base.h"

/* In the dependency file `name`: `compiled` (NULL: standard input) becomes `source`; `header` goes. */
int sis_depend_correct(const char *name, const char *compiled, const char *source, const char *header, struct err *err);

#endif
