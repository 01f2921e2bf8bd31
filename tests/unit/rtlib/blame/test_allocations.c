/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/rtlib/rt_support.c lib/libsis.so */
/* Allocations as the wrappers report them, by many threads at once while samples are taken: all are
 * in the file, each once. */
#include "unit.h"

#include "experiment/read/stacks_read.h"
#include "rt_support.h"
#include "sis/memory_calls.h"

#include <dirent.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 400, BLOCKS = 16, BYTES = 2000 };
/* The thread sanitizer does not expect its own code to be interrupted by a handler that it checks.
 * */
#ifdef __SANITIZE_THREAD__
enum { RATE = 1 };
#else
enum { RATE = 10000 };
#endif
static struct stacks stacks;

static void *new_block(size_t bytes)
{
	sis_memory_enter();
	char *block = malloc(bytes);
	sis_memory_leave();
	sis_memory_new(block, bytes, __builtin_return_address(0));
	for (size_t i = 0; i < bytes; i++)
		block[i] = (char)i;
	return block;
}

static void free_block(void *block)
{
	sis_memory_free(block);
	free(block);
}

static void *resize(void *block, size_t bytes)
{
	struct sis_memory_taken taken;
	sis_memory_take(block, &taken);
	sis_memory_enter();
	block = realloc(block, bytes);
	sis_memory_leave();
	sis_memory_put(&taken, block, bytes, __builtin_return_address(0));
	return block;
}

static void map_and_unmap(void)
{
	char *at = mmap(NULL, 8 * SIS_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			0);
	sis_memory_mapped(at, 8 * SIS_PAGE, __builtin_return_address(0));
	sis_memory_unmap(at + 2 * SIS_PAGE, SIS_PAGE);
	munmap(at + 2 * SIS_PAGE, SIS_PAGE);
	sis_memory_unmap(at, 8 * SIS_PAGE);
	munmap(at, 8 * SIS_PAGE);
}

static void *work(void *unused)
{
	void *block[BLOCKS];
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < BLOCKS; i++)
			block[i] = new_block(BYTES);
		for (int i = 0; i < BLOCKS; i += 4)
			block[i] = resize(block[i], i % 8 ? BYTES / 2 : BYTES * 3);
		for (int i = 0; i < BLOCKS; i++)
			free_block(block[i]);
		map_and_unmap();
	}
	return unused;
}

static void many_threads(void)
{
	pthread_t thread[THREADS];
	sis__config.blame.rate = RATE;
	sis__config.blame.least_bytes = 16;
	rt_unit();
	sis_memory_wrapped();
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

/* False: there is none, since the kernel refuses to sample. */
static bool read_samples(const char *directory)
{
	struct err err = { 0 };
	DIR *dir = opendir(directory);
	bool found = false;
	for (struct dirent *entry; !found && (entry = readdir(dir));) {
		char path[600];
		snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
		if (strncmp(entry->d_name, "stacks-", 7) != 0)
			continue;
		ck_assert_int_eq(stacks_read(&stacks, path, &err), 0);
		found = stacks.head.method != SIS_METHOD_LOOK;
	}
	closedir(dir);
	return found;
}

START_TEST(threads)
{
	struct rt_run run;
	uint64_t allocations = 0, freed = 0, alive = 0, accesses = 0, samples = 0, allocated = 0;
	rt_run(&run, many_threads);
	ck_assert_int_eq(run.status, 0);
	if (read_samples(run.directory)) {
		for (size_t i = 0; i < stacks.memory.n; i++) {
			allocations += stacks.memory.at[i].in.allocations;
			freed += stacks.memory.at[i].in.freed;
			alive += stacks.memory.at[i].in.alive;
			ck_assert_uint_ne(stacks.memory.at[i].stack, NONE);
		}
		for (size_t i = 0; i < stacks.access.n; i++) {
			accesses += stacks.access.at[i].in.count;
			if (stacks.access.at[i].in.kind == SIS_ACCESS_ALLOCATED)
				allocated += stacks.access.at[i].in.count;
		}
		for (size_t i = 0; i < stacks.sampled.n; i++)
			if (stacks.sampled.at[i].tid)
				samples += stacks.sampled.at[i].samples;
		/* a block that moved is one more */
		ck_assert_uint_ge(allocations, THREADS * ROUNDS * (BLOCKS + 1));
		ck_assert_uint_le(allocations, THREADS * ROUNDS * (BLOCKS + 1 + BLOCKS / 4));
		ck_assert_uint_eq(allocations, freed);
		ck_assert_uint_eq(alive, 0);
		ck_assert_uint_eq(stacks.head.memory_lost, 0);
		ck_assert_uint_eq(accesses, samples);
		ck_assert(allocated > 0 || RATE == 1);
		stacks_release(&stacks);
	}
	rt_free(&run);
}
END_TEST

UNIT_MAIN("allocations", threads)
