/* SPDX-License-Identifier: BSD-3-Clause */
/* team_alloc.c - memory for the members of teams: blocks of anonymous memory that are kept and used
 * again. Called by forking threads. Without malloc, which may be the program's own and
 * instrumented.
 *
 * Its idea: a short list behind a lock that no thread waits for. A thread that does not get the
 * lock maps a new block. So if a thread ends with the lock (fork, exit), that costs memory, but no
 * thread hangs. Each slot keeps the memory of one team of one, without a lock: a program with one
 * thread may fork a million of them.
 */
#include "omp/omp_team.h"

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

static struct block *block_new(unsigned size)
{
	size_t bytes = sizeof(struct block) + size * sizeof(struct sis_team);
	bytes = (bytes + SIS_PAGE - 1) / SIS_PAGE * SIS_PAGE;
	struct block *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (block == MAP_FAILED)
		return NULL;
	block->bytes = bytes;
	block->capacity = (unsigned)((bytes - sizeof(struct block)) / sizeof(struct sis_team));
	return block;
}

struct sis_team *sis__team_alloc(unsigned size)
{
	struct block *block = spare_find(size);
	if (!block)
		block = block_new(size);
	return block ? (struct sis_team *)(block + 1) : NULL;
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
