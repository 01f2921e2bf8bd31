/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c */
/* Damage that the reader lets pass must be survived by all that follows: whole experiments of
 * damaged profiles are built and classified. Sanitizers see what a crash does not show. */
#include <stdlib.h>
#include <string.h>

#include "repository/import/analyze.h"
#include "repository/import/run_directory.h"
#include "experiment/model/build.h"
#include "experiment/model/experiment.h"
#include "profile_write.h"
#include "unit.h"

enum { RANKS = 3, ROUNDS = 1000, MS = 1000000 };

static unsigned long random_state = 20261121;

static unsigned long next_random(void)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return random_state >> 33;
}

/* A rank that works, sends to the next or receives, and comes to a barrier with a phase; a second
 * slot idles. */
static unsigned char *rank_profile(int rank, size_t *size)
{
	static const char *const names[] = { "main", "serial", "MPI_Bcast" };
	struct profile_writer *w = writer_new(rank, RANKS);
	writer_times(w, 0, 100 * MS);
	writer_functions(w, names, 3);
	uint64_t root = writer_thread(w, 0),
		 main_node = writer_node(w, 0, root, WRITER_FUNCTION(0), 1, 90 * MS);
	uint64_t work = writer_node(w, 0, main_node, WRITER_FUNCTION(rank ? 2 : 1), 1,
				    (uint64_t)(10 + 10 * rank) * MS);
	uint64_t message = writer_node(w, 0, main_node, writer_mpi(rank ? "MPI_Recv" : "MPI_Send"),
				       1, 5 * MS);
	uint64_t barrier = writer_node(w, 0, main_node, writer_mpi("MPI_Barrier"), 1, 40 * MS);
	uint64_t team = writer_thread(w, 1);
	writer_node(w, 1, team, RT_PARALLEL, 1, 20 * MS);
	struct sis_phase_entry ran[] = { { (void *)(uintptr_t)work, 10 * MS },
					 { (void *)(uintptr_t)main_node, MS } };
	writer_record(w, 0,
		      (struct sis_record){ .enter = 30 * MS,
					   .exit = 35 * MS,
					   .node = (void *)(uintptr_t)message,
					   .peer = rank ? 0 : 1,
					   .tag = 1,
					   .kind = rank ? SIS_RECORD_RECV : SIS_RECORD_SEND });
	writer_phase(w, 0, 0, (uint64_t)(40 + rank) * MS, barrier, ran, 2);
	writer_record(w, 0,
		      (struct sis_record){ .enter = (uint64_t)(40 + rank) * MS,
					   .exit = 80 * MS,
					   .peer = -1,
					   .node = (void *)(uintptr_t)barrier,
					   .kind = SIS_RECORD_BARRIER,
					   .serial = 1 });
	writer_text(w, "warning", "made by hand");
	return writer_take(w, SIS_STATE_RUNNING, size);
}

/* Where the header or a chunk begins: the pages behind hold nothing. */
static size_t some_page(const unsigned char *bytes, size_t size)
{
	size_t page;
	do
		page = next_random() % (size / SIS_PAGE) * SIS_PAGE;
	while (page && ((const struct sis_chunk *)(bytes + page))->magic != SIS_CHUNK_MAGIC);
	return page;
}

static void damage(unsigned char *bytes, size_t size)
{
	for (unsigned long flips = next_random() % 5; flips; flips--) {
		size_t page = some_page(bytes, size);
		bytes[page + next_random() % (page ? 1024 : sizeof(struct sis_profile_header))] ^=
			1u << next_random() % 8;
	}
}

static void try_experiment(void)
{
	struct experiment x = { 0 };
	struct err err = { 0 };
	x.run.directory = mem_string("made");
	x.run.run_id = mem_string("run");
	x.run.program = mem_string("/p/prog");
	for (int rank = 0; rank < RANKS; rank++) {
		size_t size;
		struct profile p;
		unsigned char *bytes = rank_profile(rank, &size);
		damage(bytes, size);
		if (profile_parse(&p, "x.sis", bytes, size, &err) == 0)
			vec_push(&x.model.process.fill)->profile = p;
	}
	if (x.model.process.n && experiment_build(&x, &x.model, &x.warning, &err) == 0)
		analyze(&x);
	experiment_release(&x);
}

START_TEST(damaged_profiles_make_experiments_or_errors)
{
	for (int i = 0; i < ROUNDS; i++)
		try_experiment();
}
END_TEST

UNIT_MAIN("damage", damaged_profiles_make_experiments_or_errors)
