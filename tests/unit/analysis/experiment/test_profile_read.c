/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c */
/* The reader of profile files: what was written comes back; what is damaged is named, never
 * followed. */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unit.h"
#include "experiment/read/profile_read.h"
#include "profile_write.h"

static unsigned char *small_profile(enum sis_state state, size_t *size)
{
	static const char *const names[] = { "main", "inner" };
	struct profile_writer *w = writer_new(0, 1);
	writer_functions(w, names, 2);
	writer_text(w, "warning", "something");
	uint64_t root = writer_thread(w, 0);
	uint64_t main_node = writer_node(w, 0, root, WRITER_FUNCTION(0), 1, 900000000);
	uint64_t inner = writer_node(w, 0, main_node, WRITER_FUNCTION(1), 10, 500000000);
	uint64_t other = writer_node(w, 0, main_node, writer_mpi("MPI_Send"), 3, 1000);
	writer_record(w, 0,
		      (struct sis_record){ .enter = 5,
					   .exit = 10,
					   .node = (void *)(uintptr_t)other,
					   .kind = SIS_RECORD_SEND });
	const struct sis_phase_entry entry = { (void *)(uintptr_t)inner, 77 };
	writer_phase(w, 0, 10, 20, main_node, &entry, 1);
	struct sis_profile_thread *thread = writer_thread_at(w, 0);
	if (state != SIS_STATE_ENDED) {
		thread->current = (void *)(uintptr_t)inner;
		thread->stamp = WRITER_START + 950000000;
	}
	return writer_take(w, state, size);
}

static struct profile parse(unsigned char *bytes, size_t size)
{
	struct profile p;
	struct err err = { 0 };
	ck_assert_msg(profile_parse(&p, "x.sis", bytes, size, &err) == 0, "%s", err.text);
	return p;
}

static void refuses(unsigned char *bytes, size_t size, const char *why)
{
	struct profile p;
	struct err err = { 0 };
	ck_assert_int_ne(profile_parse(&p, "x.sis", bytes, size, &err), 0);
	ck_assert_msg(strstr(err.text, why) && strncmp(err.text, "x.sis: ", 7) == 0,
		      "'%s' instead of '%s'", err.text, why);
}

START_TEST(what_was_written_comes_back)
{
	size_t size;
	unsigned char *bytes = small_profile(SIS_STATE_ENDED, &size);
	struct profile p = parse(bytes, size);
	ck_assert_uint_eq(p.thread.n, 1);
	ck_assert_uint_eq(p.node.n, 4);
	ck_assert_uint_eq(p.thread.at[0].root, 0);
	ck_assert_uint_eq(p.node.at[1].parent, 0);
	ck_assert_uint_eq(p.node.at[2].parent, 1);
	ck_assert_uint_eq(p.node.at[2].calls, 10);
	ck_assert(p.node.at[3].reachable && !p.node.at[3].open);
	ck_assert_uint_eq(p.record.n, 2);
	ck_assert_uint_eq(p.record.at[0].node, 3);
	ck_assert_uint_eq(p.record.at[1].entries, 1);
	ck_assert_uint_eq(p.phase.at[0].node, 2);
	ck_assert_uint_eq(p.phase.at[0].ticks, 77);
	ck_assert_uint_eq(p.tu.n, 1);
	ck_assert_uint_eq(p.comm.n, 1);
	ck_assert_str_eq(p.text.at[0].kind, "warning");
	ck_assert_str_eq(p.text.at[0].text, "something");
	ck_assert_msg(p.size < size / 4, "%zu of %zu bytes are kept", p.size, size);
	profile_release(&p);
}
END_TEST

START_TEST(open_activations_are_flagged)
{
	size_t size;
	unsigned char *bytes = small_profile(SIS_STATE_RUNNING, &size);
	struct profile p = parse(bytes, size);
	ck_assert(p.node.at[1].open && p.node.at[2].open && !p.node.at[3].open);
	profile_release(&p);
}
END_TEST

START_TEST(foreign_files_are_named)
{
	size_t size;
	unsigned char *bytes = calloc(1, 9000);
	memcpy(bytes, "\177ELF and more", 13);
	refuses(bytes, 9000, "not a profile of SIS");
	refuses(calloc(1, 1), 0, "truncated");
	bytes = small_profile(SIS_STATE_ENDED, &size);
	((struct sis_profile_header *)(void *)bytes)->version = SIS_PROFILE_VERSION - 1;
	refuses(bytes, size, "format 4, and only 5 is known here; build and run the program again");
	bytes = small_profile(SIS_STATE_ENDED, &size);
	((struct sis_profile_header *)(void *)bytes)->endian = __builtin_bswap32(
		SIS_PROFILE_ENDIAN);
	refuses(bytes, size, "byte order");
}
END_TEST

START_TEST(a_truncated_file_is_named)
{
	size_t size;
	unsigned char *bytes = small_profile(SIS_STATE_ENDED, &size);
	refuses(bytes, size - 1, "truncated");
	bytes = small_profile(SIS_STATE_ENDED, &size);
	refuses(bytes, 100, "truncated");
}
END_TEST

START_TEST(a_flipped_bit_in_a_payload_names_the_chunk)
{
	size_t size;
	unsigned char *bytes = small_profile(SIS_STATE_ENDED, &size);
	for (size_t at = SIS_PAGE; at < size; at += SIS_PAGE) {
		struct sis_chunk *c = (void *)(bytes + at);
		if (c->magic == SIS_CHUNK_MAGIC && c->kind == SIS_CHUNK_NODES)
			bytes[at + sizeof *c + 100] ^= 4;
	}
	refuses(bytes, size, "chunk 'nodes'");
}
END_TEST

START_TEST(parents_in_a_circle_lead_nowhere)
{
	size_t size;
	struct profile_writer *w = writer_new(0, 1);
	uint64_t root = writer_thread(w, 0);
	uint64_t a = writer_node(w, 0, root, CR_A, 1, 10), b = writer_node(w, 0, a, CR_A, 1, 5);
	writer_node_at(w, a)->parent = (void *)(uintptr_t)b;
	writer_thread_at(w, 0)->current = (void *)(uintptr_t)b;
	unsigned char *bytes = writer_take(w, SIS_STATE_RUNNING, &size);
	struct profile p = parse(bytes, size);
	ck_assert(p.node.at[0].reachable && !p.node.at[1].reachable && !p.node.at[2].reachable);
	profile_release(&p);
}
END_TEST

static unsigned long next_random(unsigned long *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* Parses a copy with some bits flipped, or cut: any outcome but a crash or a read outside
 * (sanitizers see it). */
static void try_damaged(enum sis_state state, unsigned long *random)
{
	size_t size;
	struct profile p;
	struct err err = { 0 };
	unsigned char *bytes = small_profile(state, &size);
	for (unsigned flips = 1 + next_random(random) % 6; flips; flips--) {
		size_t page = next_random(random) % (size / SIS_PAGE) * SIS_PAGE;
		size_t at = page +
			next_random(random) % (page ? 512 : sizeof(struct sis_profile_header));
		bytes[at] ^= 1u << next_random(random) % 8;
	}
	if (next_random(random) % 4 == 0)
		size = next_random(random) % size;
	unsigned char *exact = malloc(size ? size : 1);
	memcpy(exact, bytes, size);
	free(bytes);
	if (profile_parse(&p, "x.sis", exact, size, &err) == 0)
		profile_release(&p);
	else
		ck_assert_msg(strncmp(err.text, "x.sis: ", 7) == 0 && strchr(err.text, ';'), "%s",
			      err.text);
}

START_TEST(damage_of_any_kind_is_survived)
{
	unsigned long random = 4711;
	for (int i = 0; i < 3000; i++)
		try_damaged(i % 3 ? SIS_STATE_RUNNING : SIS_STATE_ENDED, &random);
}
END_TEST

/* A process that runs: its file is mapped, and the bytes in use change all the time. */
struct growing { struct sis_profile_header *header; uint64_t size; atomic_bool stop; };

static void *grow(void *argument)
{
	struct growing *g = argument;
	while (!atomic_load_explicit(&g->stop, memory_order_relaxed)) {
		__atomic_store_n(&g->header->size, SIS_PAGE, __ATOMIC_RELAXED);
		__atomic_store_n(&g->header->size, g->size, __ATOMIC_RELAXED);
	}
	return NULL;
}

START_TEST(a_file_that_grows_while_it_is_read_is_whole)
{
	char path[UNIT_PATH];
	size_t size;
	unsigned char *bytes = small_profile(SIS_STATE_RUNNING, &size);
	int fd = mkstemp(unit_template(path));
	ck_assert_int_eq(write(fd, bytes, size), (ssize_t)size);
	struct growing g = { .size = size };
	g.header = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ck_assert_ptr_ne(g.header, MAP_FAILED);
	pthread_t writer;
	ck_assert_int_eq(pthread_create(&writer, NULL, grow, &g), 0);
	size_t before = 0;
	/* it was seen to change so often, or there is one processor for both */
	for (int i = 0, changes = 0; i < 4000 && changes < 100; i++) {
		struct profile p;
		struct err err = { 0 };
		ck_assert_msg(profile_read(&p, path, &err) == 0, "%s", err.text);
		ck_assert(p.node.n == 0 || p.node.n == 4);
		changes += p.node.n != before;
		before = p.node.n;
		profile_release(&p);
	}
	atomic_store_explicit(&g.stop, true, memory_order_relaxed);
	pthread_join(writer, NULL);
	munmap(g.header, size);
	close(fd);
	unlink(path);
	free(bytes);
}
END_TEST

UNIT_MAIN("profile_read", what_was_written_comes_back, open_activations_are_flagged,
	  foreign_files_are_named, a_truncated_file_is_named,
	  a_flipped_bit_in_a_payload_names_the_chunk, parents_in_a_circle_lead_nowhere,
	  damage_of_any_kind_is_survived, a_file_that_grows_while_it_is_read_is_whole)
