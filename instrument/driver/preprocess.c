/* SPDX-License-Identifier: BSD-3-Clause */
/* preprocess.c - runs the preprocessor alone. Called by verify.c. */
#include "driver/preprocess.h"
#include "driver/temporary.h"

#include <stdlib.h>

int sis_preprocess(struct compilation *t, enum preprocess_what which, struct buf *out, int *status,
		   struct err *err)
{
	bool code = which == PREPROCESS_TEXT;
	struct words command = { 0 };
	struct compiler_result result = { 0 };
	const char *output = sis_temporary_name("preprocessed.i", err);
	if (!output || sis_command_write_text(t, err) < 0)
		return -1;
	sis_words_add(&command, SIS_CMDLINE_MARK);
	if (code)
		sis_command_add_include(t, &command);
	sis_command_add_user_words(t, false, &command);
	sis_command_drop_auxiliary(&command);
	if (code)
		sis_command_add_source_name(t, &command);
	/* also for the source, because sis/sis.h includes the same macros */
	sis_words_add(&command, "-DSIS__VERIFY=1");
	sis_command_add_silence(&command);
	for (const char *const *word =
		     (const char *const[]){ "-E", "-o", output, "-x",
					    t->language->form[FORM_SOURCE].x, NULL };
	     *word; word++)
		sis_words_add(&command, *word);
	sis_words_add(&command, !code ? t->source : t->by_stdin ? "-" : t->file);
	int failed = sis_command_run_captured(t, &command, code && t->by_stdin ? t->file : NULL,
					      &result, err);
	*status = result.status;
	if (!failed && result.status == 0)
		failed = sis_file_read(output, out, err);
	buf_release(&result.messages);
	sis_words_release(&command);
	return failed;
}
