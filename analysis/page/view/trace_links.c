/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_links.c - finds the links between units (trace_links.h). Owns nothing. Called by one
 * thread.
 *
 * LIMIT: records of collective operations have no thread, so their links are those of the initial
 * threads. */
#include "page/view/trace_links.h"

#include <stdlib.h>

#include "base/clamp.h"
#include "base/sort.h"
#include "experiment/timeline/trace_messages.h"

static int64_t after_start(const struct experiment *x, int64_t ns)
{
	int64_t after = clamp_subtract(ns, x->model.start_ns);
	return after > 0 ? after : 0;
}

static void add_link(tile_links *links, const struct experiment *x, struct tile_link link)
{
	link.from_ns = after_start(x, link.from_ns);
	link.to_ns = after_start(x, link.to_ns);
	*vec_push(links) = link;
}

static uint32_t unit_of(const struct experiment *x, uint32_t process, uint32_t slot)
{
	return x->model.process.at[process].first_pu + slot;
}

/* -- messages ---------------------------------------------------------------------------------- */

static bool has_slots(const struct experiment *x, const struct trace_message *from,
		      const struct trace_message *to)
{
	return from->slot < x->model.process.at[from->process].slots &&
		to->slot < x->model.process.at[to->process].slots;
}

/* Sets is_message[operation] for each operation that is a message. */
static void add_messages(tile_links *links, const struct experiment *x, bool *is_message)
{
	trace_messages list;
	trace_messages_list(&list, x);
	for (size_t i = 0; i < list.n && !list.at[i].receives; i++) {
		const struct trace_message *from = &list.at[i], *to;
		if (from->other == NONE)
			continue;
		to = &list.at[from->other];
		is_message[from->operation] = true;
		if (has_slots(x, from, to))
			add_link(links, x, (struct tile_link){
				.kind = LINK_MESSAGE,
				.from = unit_of(x, from->process, from->slot),
				.to = unit_of(x, to->process, to->slot),
				.from_ns = from->ns, .to_ns = to->ns,
				.bytes = from->bytes, .tag = from->tag,
			});
	}
	vec_free(&list);
}

/* -- collective operations --------------------------------------------------------------------- */

/* Among the processes that others waited for, finds the one that came last. Adds a link from it to
 * each process that waited. If nobody was waited for, there are no links. */
static void add_collective(tile_links *links, const struct experiment *x,
			   const struct sync_event *event, size_t n)
{
	const struct sync_event *last = NULL;
	for (size_t i = 0; i < n; i++)
		if (!event[i].acquires && (!last || event[i].time > last->time))
			last = &event[i];
	for (size_t i = 0; last && i < n; i++)
		if (event[i].acquires && event[i].process != last->process)
			add_link(links, x, (struct tile_link){
				.kind = LINK_COLLECTIVE,
				.from = unit_of(x, last->process, 0),
				.to = unit_of(x, event[i].process, 0),
				.from_ns = last->time, .to_ns = event[i].time, .tag = -1,
			});
}

void trace_links_add_operations(tile_links *links, const struct experiment *x)
{
	const struct sync_event *event = x->match.sync_event.at;
	bool *is_message = mem_alloc((size_t)x->match.operations + 1, sizeof *is_message);
	add_messages(links, x, is_message);
	for (size_t i = 0, end; i < x->match.sync_event.n; i = end) {
		for (end = i + 1; end < x->match.sync_event.n; end++)
			if (event[end].operation != event[i].operation)
				break;
		if (!is_message[event[i].operation])
			add_collective(links, x, &event[i], end - i);
	}
	free(is_message);
}

/* -- forks ------------------------------------------------------------------------------------- */

void trace_links_add_forks(tile_links *links, const struct experiment *x,
			   const struct process *process, const team_parts *teams)
{
	for (size_t i = 0; i < teams->n; i++) {
		const struct team_part *part = &teams->at[i];
		if (part->team == NONE || part->team == i)
			continue;
		const struct team_part *fork = &teams->at[part->team];
		add_link(links, x, (struct tile_link){
			.kind = LINK_FORK,
			.from = process->first_pu + fork->slot,
			.to = process->first_pu + part->slot,
			.from_ns = fork->enter, .to_ns = part->enter, .tag = -1,
		});
	}
}

/* -- tiles ------------------------------------------------------------------------------------- */

static int by_time(const void *va, const void *vb)
{
	const struct tile_link *a = va, *b = vb;
	return ORDER(a->from_ns, b->from_ns) ?: ORDER(a->to_ns, b->to_ns) ?:
		ORDER(a->from, b->from) ?: ORDER(a->to, b->to) ?: ORDER(a->kind, b->kind);
}

void trace_links_make_tiles(tile_links *links, struct tiles *tiles)
{
	vec_sort(links, by_time);
	for (size_t i = 0; i < links->n; i += TILE_ITEMS)
		tiles_add_links(tiles, &links->at[i],
				links->n - i < TILE_ITEMS ? links->n - i : TILE_ITEMS);
}
