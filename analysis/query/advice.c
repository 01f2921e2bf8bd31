/* SPDX-License-Identifier: BSD-3-Clause */
/* advice.c - what the programmer can do next. Owns the list of actions; one thread. The largest
 * loss of one kind in one region comes first. The kind of the loss decides the advice, and the
 * region says where it applies. */
#include "query/advice.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/escape.h"
#include "base/sort.h"
#include "query/call_paths.h"
#include "source/source.h"

static const struct { enum sis_overhead overhead; const char *advice;
} advice[] = {
	{ OLOSS_UNPAR,
	  "others wait while one works alone; give them a part of it, or overlap it with other "
	  "work" },
	{ OLOSS_PART, "only some work while the others wait; spread the work over all" },
	{ OLOSS_NOCPU,
	  "threads had work and no processor; run no more threads and processes than there are "
	  "processors, and nothing beside them" },
	{ OLOSS_REPL,
	  "each processing unit does all of this work; divide it, or do it once and send the "
	  "result" },
	{ OADD_ALGO,
	  "the parallel version works more than the sequential one; look for one that adds less" },
	{ OADD_COMP,
	  "the same source text runs slower in this build; compare options and messages of the "
	  "compilers" },
	{ OSYNC_IBAR,
	  "threads arrive unevenly; try another schedule, or nowait where the results are not "
	  "needed yet" },
	{ OSYNC_EBAR, "threads arrive unevenly at the barrier; balance the work before it" },
	{ OSYNC_CRIT,
	  "threads queue for the critical section; make it shorter, give it a name of its own, or "
	  "reduce into private variables" },
	{ OSYNC_LOCK, "threads queue for the lock; hold it for a shorter time, or use several" },
	{ OSYNC_ORDERED,
	  "threads wait for their turn; do less in the ordered region, or more before it" },
	{ OSYNC_TASKWAIT,
	  "a waiting thread finds no task to execute; make smaller tasks, or wait later" },
	{ OSYNC_TASKGROUP,
	  "a waiting thread finds no task to execute; make smaller tasks, or wait later" },
	{ OSYNC_PTMUTEX, "threads queue for the lock; hold it for a shorter time, or use several" },
	{ OSYNC_PTCOND,
	  "threads wait for another one; let it signal sooner, or do other work first" },
	{ OSYNC_PTJOIN,
	  "a thread waits for the end of another one; divide the work evenly, or do other work "
	  "meanwhile" },
	{ OSYNC_MBAR,
	  "processes arrive unevenly; balance the work before the barrier, or drop it" },
	{ OSYNC_NXN, "processes arrive unevenly; balance the work before it" },
	{ OSYNC_LATESEND,
	  "receivers wait for late senders; send earlier, or do other work before receiving" },
	{ OSYNC_LATERECV, "senders wait for late receivers; post the receives earlier" },
	{ OSYNC_LATEBCAST, "processes wait for the root; let the root call earlier" },
	{ OSYNC_PSCW,
	  "the other side opens or ends its epoch late; post and complete earlier, or do other "
	  "work before waiting" },
	{ OSYNC_RMALOCK,
	  "processes queue for the lock of a window; hold it for a shorter time, or use a shared "
	  "lock where nothing is changed" },
	{ OSYNC_FINWAIT, "processes end at different times; balance the work" },
	{ OSYNC_UNCONT,
	  "many atomic operations, flushes or locks, although no thread waits; do more work for "
	  "each, or use a reduction" },
	{ OSYNC, "waiting; balance the work before it" },
	{ ODATA_IO,
	  "file access; do less of it, in larger pieces, or at the same time as other work" },
	{ ODATA_LOC, "memory is managed or moved; reuse it, or touch less of it" },
	{ ODATA, "data is moved; send less, in larger pieces, or at the same time as other work" },
	{ OCTRL_SCHED, "handing out iterations costs much; use larger chunks" },
	{ OCTRL,
	  "managing threads or processes costs much; start them less often, with more work each" },
	{ OPROBE,
	  "the measurement itself; leave the smallest regions out (sisc --sis-exclude=NAMES), or "
	  "time one activation in 16 "
	  "(SIS_TIMING=1/16)" },
	{ OTOTAL, "`sis-analyze overhead` shows where it arises" },
};

/* The row of a leaf, or of a node above it. */
static size_t advice_for(enum sis_overhead leaf)
{
	size_t last = sizeof advice / sizeof *advice - 1;
	for (enum sis_overhead o = leaf; o != O_NONE; o = sis_overhead_table[o].parent)
		for (size_t i = 0; i < last; i++)
			if (advice[i].overhead == o)
				return i;
	return last;
}

/* -- which ------------------------------------------------------------------------------------- */

/* Leaves that belong to the system or to MPI's start, and what is not known. OLOSS_NOCPU is an
 * action for the whole run. */
#define LEFT_OUT "'OCTRL_SPAWN', 'OSYNC_INIT', 'OCTRL_MPIMGMT', 'UNMEASURED', 'OLOSS_NOCPU'"

/* Losses by call path. A region that is called from everywhere has many of them, each of which may
 * be too small to be shown (less than ?2 ns, mean over the PUs). So the loss of a region is divided
 * among its call paths only if those that are shown have half of it. */
static const char largest[] =
	"WITH loss AS (SELECT h.region, h.id AS call_path, o.leaf, sum(o.ns) AS ns "
	"FROM drg_node n JOIN overhead o ON o.drg_node = n.id "
	"JOIN temp.call_path_of c ON c.node = n.id JOIN temp.call_path h ON h.id = c.call_path "
	"WHERE n.experiment = ?1 GROUP BY h.id, o.leaf "
	"UNION ALL SELECT region, 0, leaf, ns FROM temp.reference_part WHERE leaf <> 'OUNID'), "
	"part AS (SELECT region, sum(ns) AS ns FROM loss "
	"WHERE leaf NOT IN (" LEFT_OUT ") GROUP BY region, call_path), "
	"divided AS (SELECT q.region FROM part q JOIN experiment e ON e.id = ?1 GROUP BY q.region "
	"HAVING count(*) = 1 "
	"OR 2 * sum(CASE WHEN q.ns / e.p >= ?2 THEN q.ns ELSE 0 END) >= sum(q.ns)), "
	"losses AS (SELECT l.region, CASE WHEN d.region IS NULL THEN 0 ELSE l.call_path END "
	"AS call_path, l.leaf, l.ns FROM loss l LEFT JOIN divided d ON d.region = l.region "
	"WHERE l.leaf NOT IN (" LEFT_OUT ")) "
	"SELECT r.name, r.file, r.directory, r.checksum, r.line_start, l.leaf, sum(l.ns) / e.p, "
	"r.id, l.call_path, h.path, h.name "
	"FROM losses l "
	"JOIN region r ON r.id = l.region "
	"JOIN experiment e ON e.id = ?1 "
	"LEFT JOIN temp.call_path h ON h.id = l.call_path "
	"GROUP BY r.id, l.call_path, l.leaf "
	"HAVING sum(l.ns) > 0 "
	"ORDER BY r.id, l.call_path, sum(l.ns) DESC";

/* Losses that have the same advice are one action, named by the node above them. */
static struct action *find_same(actions *list, int64_t id, int64_t call_path,
				enum sis_overhead leaf)
{
	for (size_t i = list->n; i-- > 0 && list->at[i].region_id == id &&
	     list->at[i].call_path == call_path;)
		if (advice_for(list->at[i].leaf) == advice_for(leaf))
			return &list->at[i];
	return NULL;
}

static char *text_or_null(const struct cell *cell)
{
	return cell->kind == CELL_NULL ? NULL : mem_string(cell->text);
}

static int take_action(void *arg, const struct cell *row, struct err *err)
{
	const char *file = row[1].text, *directory = row[2].text;
	enum sis_overhead leaf = sis_overhead_by_name(row[5].text, strlen(row[5].text));
	struct action *same = find_same(arg, row[7].integer, row[8].integer, leaf);
	(void)err;
	if (same) {
		same->leaf = advice[advice_for(leaf)].overhead;
		same->ns = clamp_add(same->ns, row[6].integer);
		return 0;
	}
	*vec_push((actions *)arg) = (struct action){
		.region_id = row[7].integer,
		.region = mem_string(row[0].text),
		.file = mem_string(file),
		.checksum = mem_string(row[3].text),
		.path = directory[0] ? mem_print("%s/%s", directory, file) : mem_string(file),
		.line = row[4].integer,
		.call_path = row[8].integer,
		.call_path_text = text_or_null(&row[9]),
		.call_path_name = text_or_null(&row[10]),
		.leaf = leaf,
		.ns = row[6].integer,
	};
	return 0;
}

/* A lack of processors comes first. */
static int by_size(const void *va, const void *vb)
{
	const struct action *a = va, *b = vb;
	return -ORDER(a->leaf == OLOSS_NOCPU, b->leaf == OLOSS_NOCPU) ?: ORDER(b->ns, a->ns) ?:
		ORDER(a->region_id, b->region_id) ?: ORDER(a->call_path, b->call_path);
}

static void release_action(struct action *a)
{
	free(a->region), free(a->file), free(a->path), free(a->checksum);
	free(a->call_path_text), free(a->call_path_name);
	cause_release(&a->cause);
}

static int load_cause(struct action *a, struct repo *repo, int64_t experiment, struct err *err)
{
	const struct wait_place waits = { a->region_id, a->call_path, a->leaf, a->ns };
	return cause_load(&a->cause, repo, experiment, &waits, err);
}

/* Threads without a processor also start late, come late and wake up late. If they are more than
 * the processors, any such loss may be due to this. */
static bool is_explained(const struct action *a, int64_t lack, bool crowded)
{
	return (sis_overhead_in(a->leaf, OCTRL) || sis_overhead_in(a->leaf, OSYNC)) &&
		(crowded || a->ns <= lack);
}

static void remove_explained(actions *list, int64_t lack, bool crowded)
{
	size_t kept = 0;
	for (size_t i = 0; i < list->n; i++)
		if (is_explained(&list->at[i], lack, crowded))
			release_action(&list->at[i]);
		else
			list->at[kept++] = list->at[i];
	list->n = kept;
}

static int add_lack(actions *list, struct repo *repo, int64_t experiment, int64_t lack,
		    struct err *err)
{
	int64_t root = 0;
	if (repo_number(repo, &root, err, "SELECT region FROM drg_node WHERE experiment = ? "
			"AND parent IS NULL", "i", experiment) < 0)
		return ERR_FAILED;
	*vec_push(list) = (struct action){ .region_id = root,
					   .region = mem_string("run"),
					   .file = mem_string(""),
					   .path = mem_string(""),
					   .checksum = mem_string(""),
					   .leaf = OLOSS_NOCPU,
					   .ns = lack };
	return 0;
}

int actions_load(actions *list, struct repo *repo, int64_t experiment, const struct overheads *o,
		 bool crowded, struct err *err)
{
	int64_t worth = o->t_p / ACTIONS_WORTH, lack = o->ns[OLOSS_NOCPU];
	if (call_paths_load(repo, experiment, err) ||
	    repo_each(repo, take_action, list, err, largest, "ii", experiment, worth))
		return ERR_FAILED;
	if (lack >= worth) {
		remove_explained(list, lack, crowded);
		if (add_lack(list, repo, experiment, lack, err))
			return ERR_FAILED;
	}
	vec_sort(list, by_size);
	while (list->n > ACTIONS_MOST || (list->n && list->at[list->n - 1].ns < worth))
		release_action(&list->at[--list->n]);
	for (size_t i = 0; i < list->n; i++)
		if (load_cause(&list->at[i], repo, experiment, err))
			return ERR_FAILED;
	return 0;
}

void actions_release(actions *list)
{
	for (size_t i = 0; i < list->n; i++)
		release_action(&list->at[i]);
	vec_free(list);
}

/* -- as text and JSON -------------------------------------------------------------------------- */

static void print_action(const struct action *a, FILE *out)
{
	escape_print(out, "%s", a->call_path_name ? a->call_path_name : a->region);
	if (a->line)
		escape_print(out, " (%s:%lld)", a->file, (long long)a->line);
	fprintf(out, ", %s, %.3f s to win: %s.", sis_overhead_table[a->leaf].name,
		(double)a->ns / 1e9, advice[advice_for(a->leaf)].advice);
	cause_print(&a->cause, out);
	putc('\n', out);
}

/* A warning, as a sentence. */
static void print_hint(const char *text, FILE *out)
{
	escape_line(out, "%c%s.", toupper((unsigned char)text[0]), text[0] ? text + 1 : text);
}

void actions_print_first(const actions *list, const struct overheads *o, FILE *out)
{
	if (!o->complete)
		escape_line(out, "Find out why the run did not end: `sis-analyze show %s` names "
			    "the regions that were open.", o->name);
	else if (!list->n && o->hint.n)
		print_hint(o->hint.at[0], out);
	else if (!list->n)
		fprintf(out, "No overhead that the program could change is above 2 %% of the run: "
			"look for a faster algorithm.\n");
	else
		print_action(&list->at[0], out);
}

/* Prints the line and its neighbours, if the source is still the one that was compiled. */
static void print_excerpt(const struct action *a, bool color, FILE *out)
{
	struct source source;
	if (!a->line)
		return;
	source_open(&source, a->path, a->checksum);
	for (int64_t line = a->line - 1; line <= a->line + 1; line++) {
		if (line < 1 || line > (int64_t)source.line.n)
			continue;
		bool meant = line == a->line;
		fprintf(out, "   %c %s%5lld | ", meant ? '>' : ' ', meant && color ? "\033[1m" : "",
			(long long)line);
		escape_put(source.line.at[line - 1], SIS_ESCAPE_LINE, out);
		fputs(meant && color ? "\033[0m\n" : "\n", out);
	}
	if (source.state == SOURCE_CHANGED)
		escape_line(out, "     (%s has changed since it was compiled)", a->file);
	else if (source.state != SOURCE_UNCHANGED)
		escape_line(out, "     (%s is not shown: %s)", a->file,
			    source_state_reason(source.state));
	source_release(&source);
}

void actions_print(const actions *list, const struct overheads *o, bool color, FILE *out)
{
	if (!o->complete || !list->n)
		actions_print_first(list, o, out);
	for (size_t i = 0; i < list->n; i++) {
		if (list->n > 1)
			fprintf(out, "%zu. ", i + 1);
		print_action(&list->at[i], out);
		if (i == 0 || list->at[i].region_id != list->at[i - 1].region_id)
			print_excerpt(&list->at[i], color, out);
	}
	bool first_told = o->complete && !list->n;
	for (size_t i = first_told; i < o->hint.n; i++)
		print_hint(o->hint.at[i], out);
}

void actions_json(const actions *list, struct json *json)
{
	json_open(json, '[');
	for (size_t i = 0; i < list->n; i++) {
		const struct action *a = &list->at[i];
		json_open(json, '{');
		json_field_string(json, "region", a->region);
		json_field_string(json, "file", a->file);
		json_field_integer(json, "line_start", a->line);
		json_field_string(json, "overhead", sis_overhead_table[a->leaf].name);
		json_field_seconds(json, "seconds", a->ns);
		json_field_string(json, "advice", advice[advice_for(a->leaf)].advice);
		json_key(json, "cause"), cause_json(&a->cause, json);
		json_field_string(json, "path", a->call_path_text);
		json_close(json, '}');
	}
	json_close(json, ']');
}
