/* SPDX-License-Identifier: BSD-3-Clause */
/* compile_command.h - the parts of a command line that compiles one input, or its instrumented
 * text. */
#ifndef SISC_COMPILE_COMMAND_H
#define SISC_COMPILE_COMMAND_H

#include "driver/compilation.h"

struct compiler_result {
	int status;           /* from wait */
	struct buf messages; /* to be released */
};

/* Writes the instrumented text to a file for the compiler, unless an earlier call has done so. If
 * the user names the source without a directory, the compiler reads this file as standard input.
 * Then GCC names headers beside the source "x.h", as it does for the source. The compiler reads the
 * file by its name if the source has a directory, if the text is preprocessed, or if clang writes
 * auxiliary files or code for a device. Then -iquote finds headers beside the source. Sets t->file,
 * by_stdin and clang. 0 or -1. */
int sis_command_write_text(struct compilation *t, struct err *err);

/* The following functions append words to a command. */

/* Adds -iquote with the directory of the source, if the text needs it. */
void sis_command_add_include(const struct compilation *t, struct words *out);
/* Options with which debug information and __BASE_FILE__ have the name of the source, not that of
 * the text's file. */
void sis_command_add_source_name(const struct compilation *t, struct words *out);
/* The user's words that concern the compilation of one input. Words that only a link reads are
 * added for the first input only, and only if there is no link. They are added so that clang gives
 * its warning about unused words, once. */
void sis_command_add_user_words(const struct compilation *t, bool dependencies, struct words *out);
/* Adds -D__SISC__, if the input is not preprocessed yet. */
void sis_command_add_mark(const struct compilation *t, struct words *out);
/* Both functions add the input, its language and the output. sis_command_add_output also adds -c or
 * -S. */
void sis_command_add_input(const struct compilation *t, const char *output, const char *input,
			   struct words *out);
void sis_command_add_output(const struct compilation *t, const char *output, const char *input,
			    struct words *out);
/* Removes options that make the compiler write other files. */
void sis_command_drop_auxiliary(struct words *words);
/* Switches all warnings off. Options that turn warnings into errors are removed, because -w does
 * not suppress pedantic errors. */
void sis_command_add_silence(struct words *words);

/* Runs the command. Its messages go to result->messages; with --sis-verbose also to stderr. */
int sis_command_run_captured(const struct compilation *t, const struct words *command,
			   const char *input, struct compiler_result *result, struct err *err);

#endif
