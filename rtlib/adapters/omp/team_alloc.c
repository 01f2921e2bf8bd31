/* SPDX-License-Identifier: BSD-3-Clause */
/* team_alloc.c - memory for the members of teams: blocks of anonymous memory that are kept and used
 * again. Called by forking threads. malloc is not used, because the program may have its own, which
 * may be instrumented.
 *
 * The idea: free blocks are in a short list with a lock. No thread waits for the lock: if it is
 * taken, the thread maps a new block. If a thread ends while it has the lock (fork, exit), memory
 * is lost, but no thread hangs. Each slot keeps the memory of one team of one, without a lock,
 * because a program with one thread may fork a million such teams.
 */
#include "adapters/omp/omp_team.h"

#include <pthread.h>
#include <sys/mman.h>

struct block { /* the head of a block; the members follow */
	struct block *next;
	size_t bytes;
	unsigned capacity;
} __attribute__((aligned(128)));

static struct block *spare;
static pthread_mutex_t spare_lock = PTHREAD_MUTEX_INITIALIZER;

static struct block *spare_find(unsigned size)
{
	struct block *found = NULL;
	if (pthread_mutex_trylock(&spare_lock))
		return NULL;
	for (struct block **link = &spare; *link; link = &(*link)->next)
		if ((*link)->capacity >= size) {
			found = *link;
			*link = found->next;
			break;
		}
	pthread_mutex_unlock(&spare_lock);
	return found;
}

struct sis_team *sis__team_alloc(unsigned size)
{
	struct block *block = spare_find(size);
	if (block)
		return (struct sis_team *)(block + 1);
	size_t bytes = sizeof(struct block) + size * sizeof(struct sis_team);
	bytes = (bytes + SIS_PAGE - 1) / SIS_PAGE * SIS_PAGE;
	block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (block == MAP_FAILED)
		return NULL;
	block->bytes = bytes;
	block->capacity = (unsigned)((bytes - sizeof(struct block)) / sizeof(struct sis_team));
	return (struct sis_team *)(block + 1);
}

void sis__team_free(struct sis_team *member)
{
	struct block *block = (struct block *)member - 1;
	if (pthread_mutex_trylock(&spare_lock)) {
		munmap(block, block->bytes);
		return;
	}
	block->next = spare;
	spare = block;
	pthread_mutex_unlock(&spare_lock);
}

struct sis_team *sis__team_alloc_one(struct sis_thread *thread)
{
	struct sis_team *member = thread->spare_team;
	thread->spare_team = NULL;
	return member ? member : sis__team_alloc(1);
}

void sis__team_free_one(struct sis_thread *thread, struct sis_team *member)
{
	if (thread->spare_team)
		sis__team_free(member);
	else
		thread->spare_team = member;
}
