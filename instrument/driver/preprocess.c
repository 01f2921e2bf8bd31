/* SPDX-License-Identifier: BSD-3-Clause */
/* preprocess.c - runs the preprocessor alone. Called by verify.c. */
#include "driver/preprocess.h"
#include "driver/temporary.h"

#include <stdlib.h>

static void add_preprocess(const struct compilation *t, enum preprocess_what which,
			   const char *output, struct words *command)
{
	bool code = which == PREPROCESS_TEXT;
	sis_words_add(command, SIS_CMDLINE_MARK);
	if (code)
		sis_command_add_include(t, command);
	sis_command_add_user_words(t, false, command);
	sis_command_drop_auxiliary(command);
	if (code)
		sis_command_add_source_name(t, command);
	/* for the source, too, because its sis/sis.h includes the same macros */
	sis_words_add(command, "-DSIS__VERIFY=1");
	sis_command_add_silence(command);
	for (const char *const *word = (const char *const[]){ "-E", "-o", output, "-x", "c", NULL };
	     *word; word++)
		sis_words_add(command, *word);
	sis_words_add(command, !code ? t->source : t->by_stdin ? "-" : t->file);
}

int sis_preprocess(struct compilation *t, enum preprocess_what which, struct text *out, int *status,
		   struct err *err)
{
	struct words command = { 0 };
	struct compiler_result result = { 0 };
	const char *output = sis_temporary_name("preprocessed.i", err);
	if (!output || sis_command_write_text(t, err) < 0)
		return -1;
	add_preprocess(t, which, output, &command);
	int failed = sis_command_run_captured(
		t, &command, which == PREPROCESS_TEXT && t->by_stdin ? t->file : NULL, &result,
		err);
	*status = result.status;
	if (!failed && result.status == 0)
		failed = sis_file_read(output, out, err);
	sis_text_release(&result.messages);
	sis_words_release(&command);
	return failed;
}
