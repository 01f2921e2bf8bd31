/* SPDX-License-Identifier: BSD-3-Clause */
/* page_statements.c - tables of analysis/page/data/tables.ts that are results of statements, one
 * row at the end of this file for each, with the same names of tables and columns. */
#include "view/page_statements.h"

static const struct sql_column unit_columns[] = {
	{ "id", PAGE_F64, PLAIN },	 { "process", PAGE_U32, PLAIN },
	{ "thread", PAGE_U32, PLAIN },	 { "host", PAGE_TEXT, PLAIN },
	{ "start_ns", PAGE_F64, PLAIN }, { "end_ns", PAGE_F64, PLAIN },
	{ "useful_ns", PAGE_F64, PLAIN }, { "state", PAGE_TEXT, PLAIN },
};
/* In the order of the graph's units. */
static const char units[] =
	"SELECT u.id, u.process, u.thread, m.host, u.start_ns, u.end_ns, u.useful_ns, u.state "
	"FROM processing_unit u "
	"JOIN node n ON n.id = u.node "
	"JOIN physical_machine m ON m.id = n.physical_machine "
	"WHERE u.experiment = ?1 "
	"ORDER BY (u.process << 24) + u.thread, u.id";

static const struct sql_column critical_columns[] = {
	{ "node", PAGE_U32, NODE },
	{ "unit", PAGE_U32, UNIT },
	{ "ns", PAGE_F64, PLAIN },
};
static const char critical[] =
	"SELECT c.drg_node, c.pu, c.ns "
	"FROM drg_node n JOIN critical_path c ON c.drg_node = n.id "
	"WHERE n.experiment = ?1";

static const struct sql_column delay_columns[] = {
	{ "node", PAGE_U32, NODE },
	{ "leaf", PAGE_U8, OVERHEAD },
	{ "culprit", PAGE_U32, UNIT },
	{ "culprit_node", PAGE_U32, NODE },
	{ "ns", PAGE_F64, PLAIN },
	{ "passed_ns", PAGE_F64, PLAIN },
	{ "indirect_ns", PAGE_F64, PLAIN },
	{ "wrong_order_ns", PAGE_F64, PLAIN },
	{ "estimated_ns", PAGE_F64, PLAIN },
	{ "no_processor_ns", PAGE_F64, PLAIN },
};
static const char delays[] =
	"SELECT d.drg_node, d.leaf, d.culprit, d.culprit_node, d.ns, d.passed_ns, d.indirect_ns, "
	"d.wrong_order_ns, d.estimated_ns, d.no_processor_ns "
	"FROM drg_node n JOIN delay d ON d.drg_node = n.id "
	"WHERE n.experiment = ?1";

static const struct sql_column wait_pair_columns[] = {
	{ "node", PAGE_U32, NODE },
	{ "leaf", PAGE_U8, OVERHEAD },
	{ "victim", PAGE_I32, UNIT_OR_NONE },
	{ "culprit", PAGE_U32, UNIT },
	{ "culprit_node", PAGE_U32, NODE },
	{ "ns", PAGE_F64, PLAIN },
};
static const char wait_pairs[] =
	"SELECT w.drg_node, w.leaf, w.victim, w.culprit, w.culprit_node, w.ns "
	"FROM drg_node n JOIN wait_pair w ON w.drg_node = n.id "
	"WHERE n.experiment = ?1";

static const struct sql_column communicator_columns[] = {
	{ "number", PAGE_F64, PLAIN },
	{ "name", PAGE_TEXT, PLAIN },
	{ "size", PAGE_F64, PLAIN },
	{ "kind", PAGE_TEXT, PLAIN },
};
static const char communicators[] =
	"SELECT number, name, size, kind FROM communicator WHERE experiment = ?1 ORDER BY number";

static const struct sql_column message_columns[] = {
	{ "node", PAGE_U32, NODE },	       { "unit", PAGE_U32, UNIT },
	{ "communicator", PAGE_U32, COMMUNICATOR }, { "target", PAGE_I32, PLAIN },
	{ "calls", PAGE_F64, PLAIN },	       { "bytes", PAGE_F64, PLAIN },
	{ "ns", PAGE_F64, PLAIN },	       { "receive_ns", PAGE_F64, PLAIN },
	{ "estimated", PAGE_U8, PLAIN },
};
static const char messages[] =
	"SELECT m.drg_node, m.pu, m.communicator, m.target, m.calls, m.bytes, m.ns, m.receive_ns, "
	"m.estimated "
	"FROM drg_node n JOIN message m ON m.drg_node = n.id "
	"WHERE n.experiment = ?1";

static const struct sql_column sampling_columns[] = {
	{ "method", PAGE_TEXT, PLAIN },	 { "metric", PAGE_TEXT, PLAIN },
	{ "rate", PAGE_F64, PLAIN },	 { "lost", PAGE_F64, PLAIN },
	{ "samples", PAGE_F64, PLAIN },	 { "unknown", PAGE_F64, PLAIN },
	{ "coarse", PAGE_F64, PLAIN },	 { "unit", PAGE_F64, PLAIN },
};
static const char sampling[] =
	"SELECT method, metric, rate, lost, samples, unknown, coarse, unit "
	"FROM sampling WHERE experiment = ?1";

static const struct sql_column doubt_columns[] = { { "text", PAGE_TEXT, PLAIN } };
static const char doubts[] =
	"SELECT text FROM warning WHERE experiment = ?1 AND kind = 'variables' ORDER BY rowid";

static const struct sql_column share_columns[] = {
	{ "is_reason", PAGE_U8, PLAIN },
	{ "key", PAGE_TEXT, PLAIN },
	{ "text", PAGE_TEXT, PLAIN },
	{ "samples", PAGE_F64, PLAIN },
};
static const char shares[] =
	"SELECT is_reason, key, text, samples "
	"FROM sample_share WHERE experiment = ?1 ORDER BY is_reason, place";

static const struct sql_column function_columns[] = {
	{ "unit", PAGE_U32, UNIT },   { "function", PAGE_TEXT, PLAIN },
	{ "file", PAGE_TEXT, PLAIN }, { "line", PAGE_U32, PLAIN },
	{ "own", PAGE_F64, PLAIN },   { "inclusive", PAGE_F64, PLAIN },
};
static const char functions[] =
	"SELECT pu, function, file, line, own, inclusive "
	"FROM function_samples WHERE experiment = ?1 ORDER BY function, file, line, pu";

/* -- variables --------------------------------------------------------------------------------- */

/* Blame points that are shown without being asked for, and all with a thousandth of the samples. */
#define KEPT \
	"(b.parent IS NULL OR b.is_chosen OR b.is_top OR 1000 * b.samples >= " \
	"coalesce((SELECT samples FROM sampling WHERE experiment = ?1), 0))"
/* They and their variables with the rows that they have in the page. */
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
	{ "id", PAGE_F64, PLAIN },	 { "is_root", PAGE_U8, PLAIN },
	{ "path", PAGE_TEXT, PLAIN },	 { "function", PAGE_TEXT, PLAIN },
	{ "file", PAGE_TEXT, PLAIN },	 { "line", PAGE_U32, PLAIN },
	{ "samples", PAGE_F64, PLAIN },	 { "is_chosen", PAGE_U8, PLAIN },
	{ "is_top", PAGE_U8, PLAIN },	 { "is_cut", PAGE_U8, PLAIN },
};
static const char points[] =
	POINTS
	"SELECT id, parent IS NULL, path, function, file, line, samples, is_chosen, is_top, is_cut "
	"FROM p ORDER BY row";

static const struct sql_column variable_columns[] = {
	{ "point", PAGE_U32, PLAIN },  { "kind", PAGE_TEXT, PLAIN },
	{ "name", PAGE_TEXT, PLAIN },  { "field", PAGE_TEXT, PLAIN },
	{ "type", PAGE_TEXT, PLAIN },  { "file", PAGE_TEXT, PLAIN },
	{ "line", PAGE_U32, PLAIN },
};
static const char variables[] =
	VARIABLES "SELECT point, kind, name, field, type, file, line FROM v ORDER BY row";

static const struct sql_column blame_columns[] = {
	{ "variable", PAGE_U32, PLAIN }, { "unit", PAGE_U32, UNIT },
	{ "explicit", PAGE_F64, PLAIN }, { "implicit", PAGE_F64, PLAIN },
	{ "parts", PAGE_F64, PLAIN },	 { "base", PAGE_F64, PLAIN },
	{ "blocked", PAGE_F64, PLAIN },	 { "weight", PAGE_F64, PLAIN },
};
static const char blame[] =
	VARIABLES
	"SELECT v.row, m.pu, sum(m.explicit), sum(m.implicit), sum(m.parts), sum(m.base), "
	"sum(m.is_blocked * m.parts), sum(m.weight) "
	"FROM v JOIN blame m ON m.variable = v.id "
	"GROUP BY v.row, m.pu ORDER BY v.row, m.pu";

static const struct sql_column variable_overhead_columns[] = {
	{ "variable", PAGE_U32, PLAIN }, { "unit", PAGE_U32, UNIT },
	{ "leaf", PAGE_U8, OVERHEAD },	 { "routine", PAGE_TEXT, PLAIN },
	{ "ns", PAGE_F64, PLAIN },	 { "bytes", PAGE_F64, PLAIN },
	{ "calls", PAGE_F64, PLAIN },
};
static const char variable_overheads[] =
	VARIABLES
	"SELECT v.row, o.pu, o.leaf, o.routine, o.ns, o.bytes, o.calls "
	"FROM v JOIN variable_overhead o ON o.variable = v.id ORDER BY v.row, o.pu";

/* -- memory ------------------------------------------------------------------------------------ */

static const struct sql_column memory_columns[] = {
	{ "kind", PAGE_TEXT, PLAIN },	   { "name", PAGE_TEXT, PLAIN },
	{ "function", PAGE_TEXT, PLAIN },  { "container", PAGE_TEXT, PLAIN },
	{ "container_function", PAGE_TEXT, PLAIN },
	{ "type", PAGE_TEXT, PLAIN },	   { "file", PAGE_TEXT, PLAIN },
	{ "line", PAGE_U32, PLAIN },	   { "path", PAGE_TEXT, PLAIN },
	{ "module", PAGE_TEXT, PLAIN },	   { "bytes", PAGE_F64, PLAIN },
};
static const char memory[] =
	"SELECT kind, name, function, container, container_function, type, file, line, path, "
	"module, bytes FROM memory WHERE experiment = ?1 ORDER BY id";

static const struct sql_column memory_use_columns[] = {
	{ "memory", PAGE_U32, PLAIN },	      { "unit", PAGE_U32, UNIT },
	{ "allocations", PAGE_F64, PLAIN },   { "freed", PAGE_F64, PLAIN },
	{ "bytes", PAGE_F64, PLAIN },	      { "most_bytes", PAGE_F64, PLAIN },
	{ "largest_bytes", PAGE_F64, PLAIN }, { "life_ns", PAGE_F64, PLAIN },
	{ "samples", PAGE_F64, PLAIN },
};
static const char memory_uses[] =
	"WITH m AS (SELECT id, row_number() OVER (ORDER BY id) - 1 AS row FROM memory "
	"WHERE experiment = ?1) "
	"SELECT m.row, u.pu, u.allocations, u.freed, u.bytes, u.most_bytes, u.largest_bytes, "
	"u.life_ns, u.samples FROM m JOIN memory_use u ON u.memory = m.id ORDER BY m.row, u.pu";

/* -- the cost of measuring --------------------------------------------------------------------- */

static const struct sql_column turned_down_columns[] = {
	{ "region", PAGE_U32, REGION },
	{ "process", PAGE_U32, PLAIN },
	{ "rung", PAGE_TEXT, PLAIN },
	{ "time_ns", PAGE_F64, PLAIN },
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
	{ "blame_point", COLUMNS(point_columns), points },
	{ "variable", COLUMNS(variable_columns), variables },
	{ "blame", COLUMNS(blame_columns), blame },
	{ "variable_overhead", COLUMNS(variable_overhead_columns), variable_overheads },
	{ "memory", COLUMNS(memory_columns), memory },
	{ "memory_use", COLUMNS(memory_use_columns), memory_uses },
	{ "turned_down", COLUMNS(turned_down_columns), turned_down },
};
