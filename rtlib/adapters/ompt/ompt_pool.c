/* SPDX-License-Identifier: BSD-3-Clause */
/* ompt_pool.c - blocks of one size for data that lives from one callback of libomp to another:
 * parallel regions, tasks. Called by threads of any team. A thread often gives back a block that
 * another thread has taken.
 *
 * The idea: every thread has a list of free blocks. When the list is long, a part of it goes to a
 * list that all threads share. No thread waits for the lock of the shared list: if the lock is
 * taken, the thread maps memory or keeps its blocks. If a thread ends while it has the lock (fork,
 * exit), memory is lost, but no thread hangs.
 */
#include "adapters/ompt/ompt.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

enum { PART = 64, SLAB = PART * SIS_BLOCK };

struct block {
	struct block *next;
	struct block *next_part; /* in the first block of a part in `shared` */
	unsigned count;          /* number of blocks from here on in this thread's list */
};

static struct block *shared;   /* parts of PART blocks */
static pthread_mutex_t shared_lock = PTHREAD_MUTEX_INITIALIZER;
static __thread struct block *own;

static struct block *take_part(void)
{
	if (pthread_mutex_trylock(&shared_lock))
		return NULL;
	struct block *part = shared;
	if (part)
		shared = part->next_part;
	pthread_mutex_unlock(&shared_lock);
	return part;
}

static bool give_part(struct block *part)
{
	if (pthread_mutex_trylock(&shared_lock))
		return false;
	part->next_part = shared;
	shared = part;
	pthread_mutex_unlock(&shared_lock);
	return true;
}

static void push(struct block *block)
{
	block->next = own;
	block->count = own ? own->count + 1 : 1;
	own = block;
}

/* A thread that ends moves its blocks to the shared list. */
void sis__ompt_thread_end(union sis_ompt_data *thread)
{
	(void)thread;
	if (own && give_part(own))
		own = NULL;
}

void *sis__block_take(void)
{
	if (!own)
		own = take_part();
	if (!own) {
		char *slab = mmap(NULL, SLAB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				  -1, 0);
		for (unsigned i = 0; slab != MAP_FAILED && i < PART; i++)
			push((struct block *)(slab + i * SIS_BLOCK));
	}
	struct block *block = own;
	if (!block)
		return NULL;
	own = block->next;
	memset(block, 0, SIS_BLOCK);
	return block;
}

void sis__block_give(void *block)
{
	push(block);
	if (own->count < 2 * PART || own->count % PART != 0)
		return;
	/* The older blocks go to the shared list; the blocks that were used last stay here. */
	struct block *last = own;
	for (unsigned i = 1; i < PART; i++)
		last = last->next;
	if (!give_part(last->next))
		return;
	last->next = NULL;
	unsigned count = PART;
	for (struct block *kept = own; kept; kept = kept->next)
		kept->count = count--;
}
