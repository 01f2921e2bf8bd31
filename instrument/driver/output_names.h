/* SPDX-License-Identifier: BSD-3-Clause */
/* output_names.h - the names that the compiler would choose for the outputs of a source. */
#ifndef SISC_OUTPUT_NAMES_H
#define SISC_OUTPUT_NAMES_H

#include "driver/cmdline.h"

/* BASE of the source in the working directory, with another suffix: the compiler's default. To be
 * freed. */
char *sis_output_name_default(const char *source, const char *suffix);

/* The object or assembly file that -c or -S makes; to be freed. */
char *sis_output_name(const struct cmdline *line, const char *source);

/* The words that make a compilation to a file of ours use those names for all that it writes beside
 * it. `clang`: by clang's rules, else GCC's. */
void sis_output_names_add(const struct cmdline *line, const char *source, bool clang,
			  struct words *out);
/* Of these, the words for what is no dependency file. */
void sis_output_names_add_auxiliary(const struct cmdline *line, const char *source, bool clang,
				    struct words *out);
/* The words that make a run with -E write the dependency file of the compilation. */
void sis_output_names_add_dependencies(const struct cmdline *line, const char *source, bool clang,
				       struct words *out);

#endif
