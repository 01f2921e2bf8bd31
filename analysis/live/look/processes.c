/* SPDX-License-Identifier: BSD-3-Clause */
/* processes.c - reads the profiles of a run that goes on. The processes have mapped these files, so
 * the files are up to date. Called by one thread. */
#include "live/look/processes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live/look/alive.h"
#include "live/look/target.h"
#include "experiment/read/idf_read.h"
#include "experiment/read/profile_read.h"
#include "experiment/read/run_paths.h"

/* -- regions that were turned off -------------------------------------------------------------- */

/* The region with an id; NULL if it is not known. If it is known, the caller must release *tu. */
static const struct region *find_region(const struct profile *p, uint32_t id, struct idf_tu *tu)
{
	struct err unread = { 0 };
	for (size_t i = 0; i < p->tu.n; i++) {
		const struct profile_tu *t = &p->tu.at[i];
		if (id < t->first_id || id - t->first_id >= t->count ||
		    idf_read(tu, t->json, t->length, p->path, &unread) != 0)
			continue;
		if (id - t->first_id < tu->region.n)
			return &tu->region.at[id - t->first_id];
		idf_release(tu);
	}
	return NULL;
}

/* `state`: on, off, or the rung of its nodes (profile.h). */
struct turn_line { uint32_t id; char state[16]; const char *by; };

/* Reads a line ID<TAB>RUNG<TAB>TICKS. Returns false if the line is of another kind. */
static bool read_rung(struct turn_line *turn, const struct profile_text *line)
{
	turn->by = "budget";
	return strcmp(line->kind, "rung") == 0 &&
		sscanf(line->text, "%" SCNu32 "\t%15[a-z]", &turn->id, turn->state) == 2;
}

/* Reads row i of `switched`. A region has a row for each cause, and is off if any of its rows says
 * so. Returns false if row i is not about a region, or is not the first row of its region. */
static bool read_switched(struct turn_line *turn, const struct profile *p, size_t i)
{
	const struct sis_switched *s = &p->switched.at[i];
	if (s->what != SIS_SWITCHED_REGION)
		return false;
	bool off = false;
	for (size_t k = 0; k < p->switched.n; k++) {
		const struct sis_switched *other = &p->switched.at[k];
		if (other->what != s->what || other->id != s->id)
			continue;
		if (k < i)
			return false; /* the region was read from an earlier row */
		off |= other->on < other->last;
	}
	*turn = (struct turn_line){ .id = s->id, .by = "rule" };
	strcpy(turn->state, off ? "off" : "on");
	return true;
}

static bool comes_again(const struct profile *p, size_t line, const struct turn_line *turn)
{
	struct turn_line other;
	for (size_t i = line + 1; i < p->text.n; i++)
		if (read_rung(&other, &p->text.at[i]) && other.id == turn->id)
			return true;
	return false;
}

static void take_turn(struct live_process *process, const struct profile *p,
		      const struct turn_line *turn)
{
	struct idf_tu tu = { 0 };
	const struct region *region = find_region(p, turn->id, &tu);
	if (!region)
		return;
	*vec_push(&process->turn) = (struct live_turn){
		.region = mem_string(region->name), .function = mem_string(region->function),
		.by = mem_string(turn->by), .state = mem_string(turn->state),
	};
	idf_release(&tu);
}

/* -- processes --------------------------------------------------------------------------------- */

static void take_profile(live_processes *list, const struct profile *p)
{
	struct turn_line turn;
	struct live_process *process = vec_push(list);
	*process = (struct live_process){ .pid = p->head.pid, .host = mem_string(p->head.host),
					  .runs = alive(&p->head) };
	for (size_t i = 0; i < p->text.n; i++) {
		if (strcmp(p->text.at[i].kind, "control") == 0)
			process->obeyed = strtoll(p->text.at[i].text, NULL, 10);
		if (read_rung(&turn, &p->text.at[i]) && !comes_again(p, i, &turn))
			take_turn(process, p, &turn);
	}
	for (size_t i = 0; i < p->switched.n; i++)
		if (read_switched(&turn, p, i))
			take_turn(process, p, &turn);
}

int live_processes_read(live_processes *list, const char *directory, struct err *err)
{
	int rc = 0;
	run_paths paths;
	*list = (live_processes){ 0 };
	run_paths_find(&paths, directory, live_is_profile);
	for (size_t i = 0; rc == 0 && i < paths.n; i++) {
		struct profile profile;
		rc = profile_read(&profile, paths.at[i], err);
		if (rc == 0) {
			take_profile(list, &profile);
			profile_release(&profile);
		} else if (rc == PROFILE_UNWRITTEN) {
			rc = 0;
		}
	}
	run_paths_release(&paths);
	if (rc == 0 && list->n == 0)
		rc = err_fail(err, "'%s' has no profile of a process; name the directory of a run, "
			      "or a process that is measured", directory);
	if (rc)
		live_processes_release(list);
	return rc;
}

void live_processes_release(live_processes *list)
{
	for (size_t i = 0; i < list->n; i++) {
		struct live_process *process = &list->at[i];
		for (size_t k = 0; k < process->turn.n; k++) {
			free(process->turn.at[k].region);
			free(process->turn.at[k].function);
			free(process->turn.at[k].by);
			free(process->turn.at[k].state);
		}
		vec_free(&process->turn);
		free(process->host);
	}
	vec_free(list);
}
