/* SPDX-License-Identifier: BSD-3-Clause */
/* page_statements.c - the tables of analysis/page/web/data/tables.ts that are results of SQL
 * statements. Each has a row at the end of this file. Names of tables and columns are the same as
 * there. */
#include "page/view/page_statements.h"

#define F64(name) { name, PAGE_F64, PLAIN }
#define U32(name) { name, PAGE_U32, PLAIN }
#define I32(name) { name, PAGE_I32, PLAIN }
#define U8(name) { name, PAGE_U8, PLAIN }
#define TEXT(name) { name, PAGE_TEXT, PLAIN }
#define ROW(name, of) { name, PAGE_U32, of }

static const struct sql_column unit_columns[] = {
	F64("id"), U32("process"), U32("thread"), TEXT("host"), F64("start_ns"), F64("end_ns"),
	F64("useful_ns"), TEXT("state"),
};
/* Rows are in the order of the graph's units. */
static const char units[] =
	"SELECT u.id, u.process, u.thread, m.host, u.start_ns, u.end_ns, u.useful_ns, u.state "
	"FROM processing_unit u "
	"JOIN node n ON n.id = u.node "
	"JOIN physical_machine m ON m.id = n.physical_machine "
	"WHERE u.experiment = ?1 "
	"ORDER BY (u.process << 24) + u.thread, u.id";

static const struct sql_column critical_columns[] = {
	ROW("node", NODE), ROW("unit", UNIT), F64("ns"),
};
static const char critical[] =
	"SELECT c.drg_node, c.pu, c.ns "
	"FROM drg_node n JOIN critical_path c ON c.drg_node = n.id "
	"WHERE n.experiment = ?1";

static const struct sql_column delay_columns[] = {
	ROW("node", NODE), { "leaf", PAGE_U8, OVERHEAD }, ROW("culprit", UNIT),
	ROW("culprit_node", NODE), F64("ns"), F64("passed_ns"), F64("indirect_ns"),
	F64("wrong_order_ns"), F64("estimated_ns"), F64("no_processor_ns"),
};
static const char delays[] =
	"SELECT d.drg_node, d.leaf, d.culprit, d.culprit_node, d.ns, d.passed_ns, d.indirect_ns, "
	"d.wrong_order_ns, d.estimated_ns, d.no_processor_ns "
	"FROM drg_node n JOIN delay d ON d.drg_node = n.id "
	"WHERE n.experiment = ?1";

static const struct sql_column wait_pair_columns[] = {
	ROW("node", NODE), { "leaf", PAGE_U8, OVERHEAD }, { "victim", PAGE_I32, UNIT_OR_NONE },
	ROW("culprit", UNIT), ROW("culprit_node", NODE), F64("ns"),
};
static const char wait_pairs[] =
	"SELECT w.drg_node, w.leaf, w.victim, w.culprit, w.culprit_node, w.ns "
	"FROM drg_node n JOIN wait_pair w ON w.drg_node = n.id "
	"WHERE n.experiment = ?1";

static const struct sql_column communicator_columns[] = {
	F64("number"), TEXT("name"), F64("size"), TEXT("kind"),
};
static const char communicators[] =
	"SELECT number, name, size, kind FROM communicator WHERE experiment = ?1 ORDER BY number";

static const struct sql_column message_columns[] = {
	ROW("node", NODE), ROW("unit", UNIT), ROW("communicator", COMMUNICATOR), I32("target"),
	F64("calls"), F64("bytes"), F64("ns"), F64("receive_ns"), U8("estimated"),
};
static const char messages[] =
	"SELECT m.drg_node, m.pu, m.communicator, m.target, m.calls, m.bytes, m.ns, m.receive_ns, "
	"m.estimated "
	"FROM drg_node n JOIN message m ON m.drg_node = n.id "
	"WHERE n.experiment = ?1";

static const struct sql_column sampling_columns[] = {
	TEXT("method"), TEXT("metric"), F64("rate"), F64("lost"), F64("samples"), F64("unknown"),
	F64("coarse"), F64("unit"),
};
static const char sampling[] =
	"SELECT method, metric, rate, lost, samples, unknown, coarse, unit "
	"FROM sampling WHERE experiment = ?1";

static const struct sql_column doubt_columns[] = { TEXT("text") };
static const char doubts[] =
	"SELECT text FROM warning WHERE experiment = ?1 AND kind = 'variables' ORDER BY rowid";

static const struct sql_column share_columns[] = {
	U8("is_reason"), TEXT("key"), TEXT("text"), F64("samples"),
};
static const char shares[] =
	"SELECT is_reason, key, text, samples "
	"FROM sample_share WHERE experiment = ?1 ORDER BY is_reason, place";

static const struct sql_column function_columns[] = {
	ROW("unit", UNIT), TEXT("function"), TEXT("file"), U32("line"), F64("own"),
	F64("inclusive"),
};
static const char functions[] =
	"SELECT pu, function, file, line, own, inclusive "
	"FROM function_samples WHERE experiment = ?1 ORDER BY function, file, line, pu";

static const struct sql_column line_columns[] = {
	ROW("unit", UNIT), TEXT("file"), U32("line"), F64("samples"),
};
static const char line_samples[] =
	"SELECT pu, file, line, samples "
	"FROM line_samples WHERE experiment = ?1 AND line > 0 ORDER BY file, line, pu";

/* -- variables --------------------------------------------------------------------------------- */

/* The blame points that the page has: those that are shown by default, and all that have at least a
 * thousandth of the samples. */
#define KEPT \
	"(b.parent IS NULL OR b.is_chosen OR b.is_top OR 1000 * b.samples >= " \
	"coalesce((SELECT samples FROM sampling WHERE experiment = ?1), 0))"
/* These blame points and their variables, each with its row in the page. */
#define POINTS \
	"WITH p AS (SELECT b.*, row_number() OVER (ORDER BY b.path, b.id) - 1 AS row " \
	"FROM blame_point b WHERE b.experiment = ?1 AND " KEPT ")"
#define VARIABLES \
	POINTS ", v AS (SELECT v.*, p.row AS point, " \
	"row_number() OVER (ORDER BY p.row, v.id) - 1 AS row " \
	"FROM p JOIN variable v ON v.blame_point = p.id)"

const char page_points_left_out[] =
	"SELECT count(*) FROM blame_point b WHERE b.experiment = ?1 AND NOT " KEPT;

static const struct sql_column point_columns[] = {
	F64("id"), U8("is_root"), TEXT("path"), TEXT("function"), TEXT("file"), U32("line"),
	F64("samples"), U8("is_chosen"), U8("is_top"), U8("is_cut"),
};
static const char points[] =
	POINTS
	"SELECT id, parent IS NULL, path, function, file, line, samples, is_chosen, is_top, is_cut "
	"FROM p ORDER BY row";

static const struct sql_column variable_columns[] = {
	U32("point"), TEXT("kind"), TEXT("name"), TEXT("field"), TEXT("type"), TEXT("file"),
	U32("line"),
};
static const char variables[] =
	VARIABLES "SELECT point, kind, name, field, type, file, line FROM v ORDER BY row";

static const struct sql_column blame_columns[] = {
	U32("variable"), ROW("unit", UNIT), F64("explicit"), F64("implicit"), F64("parts"),
	F64("base"), F64("blocked"), F64("weight"),
};
static const char blame[] =
	VARIABLES
	"SELECT v.row, m.pu, sum(m.explicit), sum(m.implicit), sum(m.parts), sum(m.base), "
	"sum(m.is_blocked * m.parts), sum(m.weight) "
	"FROM v JOIN blame m ON m.variable = v.id "
	"GROUP BY v.row, m.pu ORDER BY v.row, m.pu";

static const struct sql_column variable_overhead_columns[] = {
	U32("variable"), ROW("unit", UNIT), { "leaf", PAGE_U8, OVERHEAD }, TEXT("routine"),
	F64("ns"), F64("bytes"), F64("calls"),
};
static const char variable_overheads[] =
	VARIABLES
	"SELECT v.row, o.pu, o.leaf, o.routine, o.ns, o.bytes, o.calls "
	"FROM v JOIN variable_overhead o ON o.variable = v.id ORDER BY v.row, o.pu";

/* -- memory ------------------------------------------------------------------------------------ */

static const struct sql_column memory_columns[] = {
	TEXT("kind"), TEXT("name"), TEXT("function"), TEXT("container"),
	TEXT("container_function"), TEXT("type"), TEXT("file"), U32("line"), TEXT("path"),
	TEXT("module"), F64("bytes"),
};
static const char memory[] =
	"SELECT kind, name, function, container, container_function, type, file, line, path, "
	"module, bytes FROM memory WHERE experiment = ?1 ORDER BY id";

static const struct sql_column memory_use_columns[] = {
	U32("memory"), ROW("unit", UNIT), F64("allocations"), F64("freed"), F64("bytes"),
	F64("most_bytes"), F64("largest_bytes"), F64("life_ns"), F64("samples"),
};
static const char memory_uses[] =
	"WITH m AS (SELECT id, row_number() OVER (ORDER BY id) - 1 AS row FROM memory "
	"WHERE experiment = ?1) "
	"SELECT m.row, u.pu, u.allocations, u.freed, u.bytes, u.most_bytes, u.largest_bytes, "
	"u.life_ns, u.samples FROM m JOIN memory_use u ON u.memory = m.id ORDER BY m.row, u.pu";

/* -- the cost of measuring --------------------------------------------------------------------- */

static const struct sql_column turned_down_columns[] = {
	ROW("region", REGION), U32("process"), TEXT("rung"), F64("time_ns"),
};
static const char turned_down[] =
	"SELECT region, process, rung, time_ns "
	"FROM turned_down WHERE experiment = ?1 ORDER BY region, process, number";

#define COLUMNS(list) list, sizeof list / sizeof *list
const struct sql_table page_statements[PAGE_STATEMENTS] = {
	{ "unit", COLUMNS(unit_columns), units },
	{ "critical", COLUMNS(critical_columns), critical },
	{ "delay", COLUMNS(delay_columns), delays },
	{ "wait_pair", COLUMNS(wait_pair_columns), wait_pairs },
	{ "communicator", COLUMNS(communicator_columns), communicators },
	{ "message", COLUMNS(message_columns), messages },
	{ "sampling", COLUMNS(sampling_columns), sampling },
	{ "doubt", COLUMNS(doubt_columns), doubts },
	{ "sample_share", COLUMNS(share_columns), shares },
	{ "function_samples", COLUMNS(function_columns), functions },
	{ "line_samples", COLUMNS(line_columns), line_samples },
	{ "blame_point", COLUMNS(point_columns), points },
	{ "variable", COLUMNS(variable_columns), variables },
	{ "blame", COLUMNS(blame_columns), blame },
	{ "variable_overhead", COLUMNS(variable_overhead_columns), variable_overheads },
	{ "memory", COLUMNS(memory_columns), memory },
	{ "memory_use", COLUMNS(memory_use_columns), memory_uses },
	{ "turned_down", COLUMNS(turned_down_columns), turned_down },
};
