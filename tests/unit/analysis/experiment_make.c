/* SPDX-License-Identifier: BSD-3-Clause */
/* experiment_make.c - from writers to a classified experiment, in memory. Tests only. */
#include "experiment_make.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/classify/classify.h"
#include "repository/import/analyze.h"
#include "experiment/model/build.h"

struct made_rank make_rank(int rank, int size)
{
	static const char *const names[] = { "main", "serial", "work" };
	struct made_rank r = { .w = writer_new(rank, size) };
	writer_functions(r.w, names, 3);
	r.root = writer_thread(r.w, 0);
	r.main = writer_node(r.w, 0, r.root, WRITER_FUNCTION(0), 1, 1000 * MS);
	return r;
}

uint64_t make_call(const struct made_rank *rank, const char *routine, int ms)
{
	return writer_node(rank->w, 0, rank->main, writer_mpi(routine), 1, (uint64_t)ms * MS);
}

/* A call with a record of an operation with `peer`. */
static void add_call(const struct made_rank *rank, enum sis_record_kind kind, const char *routine,
		     int enter, int exit, int peer, uint64_t serial)
{
	uint64_t node = make_call(rank, routine, exit - enter);
	struct sis_record record = make_record(kind, node, enter, exit);
	record.peer = peer;
	record.serial = serial;
	writer_record(rank->w, 0, record);
}

void make_send(const struct made_rank *rank, int enter, int exit, int to)
{
	add_call(rank, SIS_RECORD_SEND, "MPI_Send", enter, exit, to, 0);
}

void make_receive(const struct made_rank *rank, int enter, int exit, int from)
{
	add_call(rank, SIS_RECORD_RECV, "MPI_Recv", enter, exit, from, 0);
}

void make_barrier(const struct made_rank *rank, int enter, int exit, uint64_t serial)
{
	add_call(rank, SIS_RECORD_BARRIER, "MPI_Barrier", enter, exit, -1, serial);
}

struct sis_record make_record(enum sis_record_kind kind, uint64_t node, int enter, int exit)
{
	return (struct sis_record){ .enter = (uint64_t)enter * MS,
				    .exit = (uint64_t)exit * MS,
				    .node = (void *)(uintptr_t)node,
				    .kind = kind };
}

void make_process(struct experiment *x, struct profile_writer *w, enum sis_state state)
{
	size_t size;
	struct err err = { 0 };
	unsigned char *bytes = writer_take(w, state, &size);
	struct profile p;
	ck_assert_msg(profile_parse(&p, "made.sis", bytes, size, &err) == 0, "%s", err.text);
	vec_push(&x->model.process.fill)->profile = p;
}

enum { ROUNDING_NS = 1000 };

/* No victim waited longer at a node than is booked there. */
static void check_victims(const struct experiment *x)
{
	struct map by_key = { 0 };
	VEC(int64_t) left = { 0 };
	for (size_t i = 0; i < x->classify.booking.n; i++) {
		const struct booking *b = &x->classify.booking.at[i];
		bool fresh;
		uint32_t k = map_put(&by_key, (uint64_t)b->node << 32 | b->leaf, b->pu, left.n,
				     &fresh);
		if (fresh)
			*vec_push(&left) = 0;
		left.at[k] += b->ns;
	}
	for (size_t i = 0; i < x->causes.wait_pair.n; i++) {
		const struct wait_pair *w = &x->causes.wait_pair.at[i];
		const struct delay_cost *d = &x->causes.delay_cost.at[w->cost];
		uint32_t k = map_get(&by_key, (uint64_t)d->node << 32 | d->leaf, w->victim);
		int64_t rest = (k == MAP_NONE ? 0 : left.at[k]) - w->ns;
		ck_assert_int_ge(rest, -ROUNDING_NS);
		if (k != MAP_NONE)
			left.at[k] = rest;
	}
	map_free(&by_key), vec_free(&left);
}

/* The pairs of each delay cost add up to it. */
static void check_pairs(const struct experiment *x)
{
	int64_t *ns = calloc(x->causes.delay_cost.n + 1, sizeof *ns);
	for (size_t i = 0; i < x->causes.wait_pair.n; i++) {
		const struct wait_pair *w = &x->causes.wait_pair.at[i];
		ck_assert_int_ne(w->victim, x->causes.delay_cost.at[w->cost].culprit);
		ck_assert_int_gt(w->ns, 0);
		ns[w->cost] += w->ns;
	}
	for (size_t i = 0; i < x->causes.delay_cost.n; i++)
		if (x->causes.delay_cost.at[i].culprit_node != NONE)
			ck_assert_int_eq(ns[i], x->causes.delay_cost.at[i].ns);
	free(ns);
	check_victims(x);
}

void make_classified(struct experiment *x)
{
	struct err err = { 0 };
	if (!x->run.directory)
		x->run.directory = mem_string("made");
	x->run.run_id = mem_string("run");
	x->run.program = mem_string("/p/prog");
	ck_assert_msg(experiment_build(x, &x->model, &x->warning, &err) == 0, "%s", err.text);
	analyze(x);
	for (uint32_t i = 0; i < x->model.pu.n; i++)
		ck_assert_int_le(classify_identity_error(x, i), classify_tolerance(x));
	check_pairs(x);
}

void make_ranks_classified(struct experiment *x, const struct made_rank *rank, int n)
{
	for (int i = 0; i < n; i++)
		make_process(x, rank[i].w, SIS_STATE_ENDED);
	make_classified(x);
}

int64_t make_booked(const struct experiment *x, uint32_t process, uint32_t slot,
		    enum sis_overhead leaf)
{
	uint32_t pu = x->model.process.at[process].first_pu + slot;
	int64_t ns = leaf == O_NONE ? x->classify.pu.at[pu].useful_ns : 0;
	for (size_t i = 0; leaf != O_NONE && i < x->classify.booking.n; i++)
		if (x->classify.booking.at[i].pu == pu && x->classify.booking.at[i].leaf == leaf)
			ns += x->classify.booking.at[i].ns;
	return ns;
}

int make_cost(const struct experiment *x, enum made_cost field, const char *place, int process,
	      int slot, const char *cause)
{
	uint32_t pu = x->model.process.at[process].first_pu + (uint32_t)slot;
	int64_t ns = 0;
	for (size_t i = 0; i < x->causes.delay_cost.n; i++) {
		const struct delay_cost *d = &x->causes.delay_cost.at[i];
		const int64_t value[] = { d->ns, d->passed_ns, d->indirect_ns, d->wrong_order_ns,
					  d->estimated_ns };
		if (d->culprit_node != NONE && d->culprit == pu &&
		    strcmp(region_of_node(x, d->node)->name, place) == 0 &&
		    strcmp(region_of_node(x, d->culprit_node)->name, cause) == 0)
			ns += value[field];
	}
	return (int)((ns + MS / 2) / MS);
}

bool make_warned(const struct experiment *x, const char *text)
{
	for (size_t i = 0; i < x->warning.n; i++)
		if (strstr(x->warning.at[i].text, text))
			return true;
	return false;
}
