/* cmd_counters.c - `sis-analyze counters`: which metrics can be measured on this machine, and why the rest cannot. The
 * runtime's own program answers (lib/sis/sis-counters): it looks where a measured program would look. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"

static const struct cli_option options[] = {
	{ "--native", NULL, "also the processor's own events, which PAPI(name) measures" },
	{ NULL, NULL, NULL },
};

enum { FIELDS = 5 };
static const struct column columns[] = {
	{ "metric", "metric", CELL_TEXT }, { "available", "there", CELL_BOOL }, { "source", "source", CELL_TEXT },
	{ "unit", "unit", CELL_TEXT }, { "description", "what it is, or why it cannot be measured", CELL_TEXT },
};

/* Beside this program's own folder. */
static int find_helper(char *path, size_t size, struct err *err)
{
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	self[length < 0 ? 0 : length] = '\0';
	for (int up = 0; up < 2 && strrchr(self, '/'); up++)
		*strrchr(self, '/') = '\0';
	snprintf(path, size, "%s/lib/sis/sis-counters", self);
	return access(path, X_OK) == 0 ? 0 : err_fail(err, "cannot find '%s'; install sis-analyze with the runtime", path);
}

static void add_line(struct table *table, char *line)
{
	line[strcspn(line, "\n")] = '\0';
	for (int i = 0; i < FIELDS; i++) {
		char *next = strchr(line, '\t');
		if (next && i + 1 < FIELDS)
			*next++ = '\0';
		if (columns[i].kind == CELL_BOOL)
			table_integer(table, *line == '1');
		else
			table_text(table, line);
		line = next ? next : line + strlen(line);
	}
}

static int ask(struct table *table, const char *helper, bool native, struct err *err)
{
	char *line = NULL, *command = mem_print("'%s'%s", helper, native ? " --native" : "");
	size_t size = 0;
	FILE *answer = popen(command, "r");
	free(command);
	while (answer && getline(&line, &size, answer) > 0)
		add_line(table, line);
	free(line);
	int status = answer ? pclose(answer) : -1;
	return status == 0 && table_rows(table) ? 0 :
		err_fail(err, "'%s' does not answer; install the runtime again", helper);
}

static int run(struct context *c, struct err *err)
{
	char helper[PATH_MAX + 32];
	struct table table;
	table_init(&table, columns, FIELDS);
	int rc = find_helper(helper, sizeof helper, err);
	rc = rc ? rc : ask(&table, helper, cli_get(&c->cli, "--native") != NULL, err);
	if (rc == 0)
		table_print(&table, c->format, stdout);
	table_release(&table);
	return rc;
}

const struct command cmd_counters = {
	"counters", "[--native]", "List what can be measured on this machine, and why the rest cannot",
	"Metrics are asked for in directives (pmetric), with sisc --sis-pmetric, or for a whole run with SIS_PMETRIC.\n"
	"Example: sis-analyze counters",
	options, 0, run,
};
