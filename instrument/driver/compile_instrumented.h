/* compile_instrumented.h - from an instrumented text to what the user asked for, with the user's own diagnostics. */
#ifndef SISC_COMPILE_INSTRUMENTED_H
#define SISC_COMPILE_INSTRUMENTED_H

#include "driver/compile.h"

struct compilation {
	struct job *job;
	const char *source;          /* as named by the user */
	bool first;                  /* of the C inputs */
	bool preprocessed;           /* the source is; so is the text for the compiler (expand.c) */
	struct text code;            /* the instrumented text; empty: the source as it is */
	char *probe_header;          /* what it includes beyond the source's own headers */
	bool expanded;               /* it has the text of macros in place of their uses */
	char *output;                /* object or assembly; in the link stage a temporary file */
	/* of compile_instrumented.c alone */
	const char *file;            /* where the text is for the compiler */
	bool by_stdin, clang;
};

/* Compiles it. *done: there is an output - if the compiler refuses the text, that of the source, and a note
 * says so - or the compiler failed and job->status tells how. -1: a problem of our own. */
int sis_compile_instrumented(struct compilation *t, bool *done, struct err *err);

/* What the compiler's preprocessor makes of the source, or of the instrumented text without all that sisc inserted, with the
 * user's options; what it says is dropped. *status is as wait gives it. */
enum preprocessed { THE_SOURCE, THE_CODE };
int sis_preprocess(struct compilation *t, enum preprocessed which, struct text *out, int *status, struct err *err);

void sis_compilation_release(struct compilation *t);

#endif
