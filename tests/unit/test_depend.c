/* Dependency files: what is ours goes, what is the user's has its name, what was read as part of the source joins. */
// link: instrument/depend.c instrument/base.c
#include "unit.h"

#include "depend.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What becomes of a dependency file with `before` in it. */
static const char *corrected(const char *before, const struct dependencies *what)
{
	static struct text after;
	struct err err = { 0 };
	char name[] = "/tmp/sis-depend-XXXXXX";
	int file = mkstemp(name);
	ck_assert_int_ge(file, 0);
	close(file);
	sis_text_release(&after);
	ck_assert_int_eq(sis_file_write(name, before, strlen(before), &err), 0);
	ck_assert_msg(sis_depend_correct(name, what, &err) == 0, "%s", err.text);
	ck_assert_int_eq(sis_file_read(name, &after, &err), 0);
	unlink(name);
	return after.at;
}

START_TEST(text_from_standard_input)
{
	struct words none = { 0 };
	struct dependencies what = { NULL, "a.c", "/p/probe.h", &none, false };
	ck_assert_str_eq(corrected("a.o: /p/probe.h b.h\n", &what), "a.o: a.c b.h\n");
	ck_assert_str_eq(corrected("a.o: b.h \\\n /p/probe.h\n/p/probe.h:\nb.h:\n", &what), "a.o: a.c b.h\nb.h:\n");
} END_TEST

START_TEST(text_from_a_file)
{
	struct words none = { 0 };
	struct dependencies what = { "/tmp/x/0-a.sis.c", "d/my a.c", "/p/probe.h", &none, false };
	ck_assert_str_eq(corrected("a.o: /tmp/x/0-a.sis.c /p/probe.h d/b.h\n", &what), "a.o: d/my\\ a.c d/b.h\n");
} END_TEST

START_TEST(inlined_files_join)
{
	struct words more = { 0 };
	sis_words_add(&more, "b.h");
	sis_words_add(&more, "in c.inc");
	sis_words_add(&more, "d.h");
	struct dependencies what = { NULL, "a.c", "/p/probe.h", &more, false };
	ck_assert_str_eq(corrected("a.o: d.h \\\n  /p/probe.h\n", &what), "a.o: a.c d.h \\\n b.h \\\n in\\ c.inc\n");
	what.phony = true;
	ck_assert_str_eq(corrected("a.o: d.h\nd.h:\n", &what), "a.o: a.c d.h \\\n b.h \\\n in\\ c.inc\nd.h:\nb.h:\nin\\ c.inc:\n");
	ck_assert_str_eq(corrected("a.o:\n", &what), "a.o: a.c \\\n b.h \\\n in\\ c.inc \\\n d.h\nb.h:\nin\\ c.inc:\nd.h:\n");
	sis_words_release(&more);
} END_TEST

UNIT_MAIN("depend", text_from_standard_input, text_from_a_file, inlined_files_join)
