/* SPDX-License-Identifier: BSD-3-Clause */
/* output_names.h - the names that the compiler would choose for the outputs of a source. */
#ifndef SISC_OUTPUT_NAMES_H
#define SISC_OUTPUT_NAMES_H

#include "driver/cmdline.h"

/* The compiler's default: the source's base name with another suffix, in the working directory. To
 * be freed. */
char *sis_output_name_default(const char *source, const char *suffix);

/* The object or assembly file that -c or -S makes; to be freed. */
char *sis_output_name(const struct cmdline *line, const char *source);

/* The object that the compiler leaves beside a program with -save-temps, to be freed; NULL if it
 * leaves none. `clang`: by clang's rules, else by GCC's. */
char *sis_output_name_kept(const struct cmdline *line, const char *source, bool clang);

/* The dependency file of the source, to be freed. */
char *sis_output_name_dependencies(const struct cmdline *line, const char *source, bool clang);

/* Adds words so that a compilation uses these names for all files that it writes besides its
 * output. `clang`: by clang's rules, else by GCC's. */
void sis_output_names_add(const struct cmdline *line, const char *source, bool clang,
			  struct words *out);
/* Adds these words except for those that name a dependency file. */
void sis_output_names_add_auxiliary(const struct cmdline *line, const char *source, bool clang,
				    struct words *out);
/* Adds the words with which a run with -E writes the dependency file of the compilation. */
void sis_output_names_add_dependencies(const struct cmdline *line, const char *source, bool clang,
				       struct words *out);

#endif
