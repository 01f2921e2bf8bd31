/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_comm.c - communicators, and windows, which are treated as communicators of their own. Finds
 * the id of a handle, and a name that is the same for all members. Called by any thread. The call
 * that makes or first uses a communicator adds it to the table.
 *
 * The name (leader, number) needs no message. All members call the collectives of a communicator in
 * the same order. So the serial of the call that makes a new communicator, mixed with the name of
 * its parent, is the same number in all members. One MPI_Comm_split makes several communicators.
 * These communicators differ by their leader, which is the world rank of their rank 0. This has
 * three advantages: the program's communication does not change, threads may make communicators at
 * the same time, and no process depends on one that is not measured.
 *
 * A lookup follows one of 256 chains without a lock. Entries are never freed, but may be reused. So
 * the key is stored last (release) and read first (acquire).
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "output/profile/store.h"
#include "adapters/mpi/mpi_fast_path.h"
#include "adapters/mpi/mpi_request.h"

enum {
	BUCKETS = 256,
	/* communicators that get a chunk: one page each, 64 MiB in all; operations on later ones
	 * are not matched */
	DESCRIBED = 16384,
	SELF_NUMBER = 1,
};

static struct sis_mpi_comm *_Atomic bucket[BUCKETS];
struct sis_mpi_comm sis__mpi_world = { .leader = UINT32_MAX };
static MPI_Group world_group = MPI_GROUP_NULL;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* held while an entry is made */
static uint32_t next_id = 1;

#define WIN_KEY(win) (SIS_KEY(win) | 1)

static uint64_t mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ (b + SIS_HASH_MULTIPLIER)) * SIS_HASH_SECOND;
	h = (h ^ h >> 32) * 0xc4ceb9fe1a85ec53u;
	return (h ^ h >> 29) | 2; /* neither 0 (no name) nor SELF_NUMBER */
}

/* -- members ----------------------------------------------------------------------------------- */

/* World ranks of a group; UINT32_MAX for a process outside sis__mpi_world. The result is NULL if
 * there is no memory or the group is empty. */
static uint32_t *world_ranks(MPI_Group group, int *size)
{
	if (PMPI_Group_size(group, size) != MPI_SUCCESS || *size <= 0)
		return NULL;
	int *here = malloc(2 * (size_t)*size * sizeof *here);
	if (!here)
		return NULL;
	int *there = here + *size;
	for (int i = 0; i < *size; i++) {
		here[i] = i;
		there[i] = MPI_UNDEFINED;
	}
	if (world_group != MPI_GROUP_NULL)
		PMPI_Group_translate_ranks(group, *size, here, world_group, there);
	uint32_t *ranks = (uint32_t *)here;
	for (int i = 0; i < *size; i++)
		ranks[i] = there[i] == MPI_UNDEFINED ? UINT32_MAX : (uint32_t)there[i];
	return ranks;
}

static uint32_t *members(MPI_Comm comm, int *size, bool remote)
{
	MPI_Group group;
	if ((remote ? PMPI_Comm_remote_group(comm, &group) : PMPI_Comm_group(comm, &group)) !=
	    MPI_SUCCESS)
		return NULL;
	uint32_t *ranks = world_ranks(group, size);
	PMPI_Group_free(&group);
	return ranks;
}

/* The hash does not depend on the order of members. So it is the same on both sides of an
 * intercommunicator. */
static uint64_t members_hash(MPI_Comm comm)
{
	int inter = 0, size = 0;
	uint64_t hash = 0;
	MPI_Group group[2] = { MPI_GROUP_NULL, MPI_GROUP_NULL };
	PMPI_Comm_test_inter(comm, &inter);
	PMPI_Comm_group(comm, &group[0]);
	if (inter)
		PMPI_Comm_remote_group(comm, &group[1]);
	for (int g = 0; g <= inter; g++) {
		uint32_t *ranks = world_ranks(group[g], &size);
		for (int i = 0; ranks && i < size; i++)
			hash += mix(ranks[i], SELF_NUMBER);
		free(ranks);
		PMPI_Group_free(&group[g]);
	}
	return hash;
}

/* -- the table --------------------------------------------------------------------------------- */

static struct sis_mpi_comm *_Atomic *chain(uint64_t key)
{
	return &bucket[sis_hash_top(key, 8)];
}

static struct sis_mpi_comm *find_comm(uint64_t key)
{
	struct sis_mpi_comm *c = atomic_load_explicit(chain(key), memory_order_acquire);
	while (c && atomic_load_explicit(&c->key, memory_order_acquire) != key)
		c = atomic_load_explicit(&c->next, memory_order_acquire);
	return c;
}

/* A free entry in the key's chain, or a new entry that is added to the chain without a key. */
static struct sis_mpi_comm *entry_for(uint64_t key)
{
	struct sis_mpi_comm *c = find_comm(key);
	if (!c)
		c = *chain(key);
	while (c && c->key != 0 && c->key != key)
		c = c->next;
	if (c) {
		atomic_store_explicit(&c->key, 0, memory_order_release);
		return c;
	}
	c = calloc(1, sizeof *c);
	if (c) {
		c->next = *chain(key);
		atomic_store_explicit(chain(key), c, memory_order_release);
	}
	return c;
}

/* Writes the communicator's chunk. The chunk of sis__mpi_world lists no members. */
static void describe(struct sis_mpi_comm *c, const uint32_t *ranks, uint32_t parent)
{
	uint64_t bytes = sizeof(struct sis_profile_comm) + (ranks ? c->size * sizeof *ranks : 0);
	struct sis_chunk *chunk = c->id < DESCRIBED
					  ? sis__chunk_new(SIS_CHUNK_COMM, SIS_NO_SLOT, bytes)
					  : NULL;
	c->described = NULL;
	if (!chunk)
		return;
	struct sis_profile_comm *d = (struct sis_profile_comm *)(chunk + 1);
	*d = (struct sis_profile_comm){
		.id = c->id,
		.size = c->size,
		.rank = (uint32_t)c->rank,
		.leader = c->leader,
		.number = c->number,
		.is_world = !ranks,
		.is_inter = c->inter,
		.parent = parent,
	};
	if (ranks)
		memcpy(d + 1, ranks, c->size * sizeof *ranks);
	/* release: readers of the file of a running process see the whole chunk or nothing */
	__atomic_store_n(&chunk->used, bytes, __ATOMIC_RELEASE);
	c->described = d;
}

/* Writes the other side of an intercommunicator as a communicator of its own, because the peers of
 * messages belong to it. This communicator has no leader, because the two sides have different
 * leaders. */
static void describe_remote(struct sis_mpi_comm *c, const uint32_t *ranks, int size)
{
	struct sis_mpi_comm remote = { .number = c->number,
				       .leader = UINT32_MAX,
				       .id = next_id++,
				       .size = (uint32_t)size,
				       .rank = c->rank,
				       .inter = true };
	describe(&remote, ranks, c->id);
	c->remote = remote.described;
}

/* Adds `key` with the members of `comm`, without a name if `number` is 0. A communicator without a
 * parent was made without a wrapper, so another thread may have added it already. Returns NULL if
 * there is no memory. */
static struct sis_mpi_comm *take_in(uint64_t key, MPI_Comm comm, uint64_t number, uint32_t parent)
{
	int inter = 0, rank = 0, size = 0, remote_size = 0;
	PMPI_Comm_test_inter(comm, &inter);
	PMPI_Comm_rank(comm, &rank);
	uint32_t *ranks = members(comm, &size, false);
	if (!ranks)
		return NULL;
	uint32_t *others = inter ? members(comm, &remote_size, true) : NULL;
	pthread_mutex_lock(&lock);
	struct sis_mpi_comm *c = parent == SIS_UNMATCHED ? find_comm(key) : NULL;
	if (!c && (c = entry_for(key))) {
		c->id = next_id++;
		c->size = (uint32_t)size;
		c->rank = rank;
		c->inter = inter;
		c->number = number;
		c->leader = number ? ranks[0] : UINT32_MAX;
		c->serial = 0;
		describe(c, ranks, parent);
		c->remote = NULL;
		/* the entry's neighbours belong to a communicator that was freed */
		free(atomic_exchange_explicit(&c->neighbours, NULL, memory_order_relaxed));
		if (others)
			describe_remote(c, others, remote_size);
		atomic_store_explicit(&c->key, key, memory_order_release);
	}
	pthread_mutex_unlock(&lock);
	free(ranks);
	free(others);
	return c;
}

struct sis_mpi_comm *sis__mpi_comm_slow(MPI_Comm comm)
{
	struct sis_mpi_comm *c = find_comm(SIS_KEY(comm));
	return SIS_LIKELY(c != NULL) ? c : take_in(SIS_KEY(comm), comm, 0, SIS_UNMATCHED);
}

/* There may be sessions before MPI_Init, and threads may begin several at the same time. */
bool sis__mpi_comm_world(MPI_Group group, int rank, int size, bool self)
{
	pthread_mutex_lock(&lock);
	bool first = sis__mpi_world.leader == UINT32_MAX, spare = world_group != MPI_GROUP_NULL;
	if (!spare)
		world_group = group;
	if (first) {
		sis__mpi_world.size = (uint32_t)size;
		sis__mpi_world.rank = rank;
		sis__mpi_world.leader = 0;
		describe(&sis__mpi_world, NULL, SIS_UNMATCHED);
		sis__mpi_may_be_quick = true;
	}
	pthread_mutex_unlock(&lock);
	if (spare)
		PMPI_Group_free(&group);
	if (self)
		take_in(SIS_KEY(MPI_COMM_SELF), MPI_COMM_SELF, SELF_NUMBER, SIS_UNMATCHED);
	return first;
}

void sis__mpi_comm_end(void)
{
	if (world_group != MPI_GROUP_NULL)
		PMPI_Group_free(&world_group);
}

/* -- made, named, freed ------------------------------------------------------------------------ */

/* The number of the communicator that collective `serial` on `c` makes; 0: `c` has no name. The two
 * sides of an intercommunicator have the same number and different leaders. */
static uint64_t child_number(const struct sis_mpi_comm *c, uint64_t serial)
{
	if (c->leader == UINT32_MAX)
		return 0;
	return mix(c->inter ? c->number : mix(c->number, c->leader), serial);
}

void sis__mpi_collective_on(struct sis_mpi_call *call, enum sis_record_kind kind,
			    struct sis_mpi_comm *comm, int root, uint64_t serial)
{
	sis__mpi_collective_of(call, kind, comm, root, serial);
}

void sis__mpi_comm_new(struct sis_mpi_call *call, MPI_Comm parent, MPI_Comm made)
{
	struct sis_mpi_comm *c = sis__mpi_comm(parent);
	if (!c)
		return;
	uint64_t serial = sis__mpi_comm_serial(c);
	sis__mpi_collective_on(call, SIS_RECORD_NXN, c, -1, serial);
	if (made != MPI_COMM_NULL)
		take_in(SIS_KEY(made), made, child_number(c, serial), c->id);
}

/* The new handle must not be used before its request is complete. */
void sis__mpi_comm_idup(MPI_Comm parent, MPI_Comm *made, MPI_Request request)
{
	struct sis_mpi_comm *c = sis__mpi_comm(parent);
	if (!c)
		return;
	struct sis_mpi_request pending = {
		.kind = SIS_REQUEST_COMM,
		.bytes = child_number(c, sis__mpi_comm_serial(c)),
		.made = made,
		.comm = c->id,
		.active = true,
	};
	sis__mpi_request_add(SIS_KEY(request), &pending);
}

void sis__mpi_comm_idup_done(MPI_Comm made, uint32_t parent, uint64_t number)
{
	if (made != MPI_COMM_NULL)
		take_in(SIS_KEY(made), made, number, parent);
}

struct part { /* counts the communicators that were made with the same members and the same tag */
	struct part *next;
	uint64_t hash, count;
};

/* Only members of the new communicator call the routine, so the parent's serial cannot be used. The
 * number of the new communicator is made from its members, the tag, and how many communicators with
 * these members and this tag were made so far, this one included. */
static void take_in_part(MPI_Comm made, uint64_t tag, uint32_t parent)
{
	static struct part *parts;
	if (made == MPI_COMM_NULL)
		return;
	uint64_t hash = mix(members_hash(made), tag);
	pthread_mutex_lock(&lock);
	struct part *p = parts;
	while (p && p->hash != hash)
		p = p->next;
	if (!p && (p = calloc(1, sizeof *p))) {
		p->hash = hash;
		p->next = parts;
		parts = p;
	}
	uint64_t ordinal = p ? ++p->count : 0;
	pthread_mutex_unlock(&lock);
	take_in(SIS_KEY(made), made, ordinal ? mix(hash, ordinal) : 0, parent);
}

/* For MPI_Comm_create_group and MPI_Intercomm_create. */
void sis__mpi_comm_part(MPI_Comm parent, int tag, MPI_Comm made)
{
	struct sis_mpi_comm *c = sis__mpi_comm(parent);
	take_in_part(made, (uint64_t)tag, c ? c->id : SIS_UNMATCHED);
}

/* For MPI_Comm_create_from_group. */
void sis__mpi_comm_of_group(const char *tag, MPI_Comm made)
{
	take_in_part(made, sis_checksum(tag, strlen(tag)), SIS_UNMATCHED);
}

static struct sis_mpi_ended ends(const struct sis_mpi_comm *c)
{
	return c ? (struct sis_mpi_ended){ .id = c->id, .inter = c->inter }
		 : (struct sis_mpi_ended){ .id = SIS_UNMATCHED };
}

/* Removes the key, unless a new communicator or window already has it. */
static void forget(uint64_t key, const struct sis_mpi_ended *ended)
{
	pthread_mutex_lock(&lock);
	struct sis_mpi_comm *c = find_comm(key);
	if (c && c->id == ended->id)
		atomic_store_explicit(&c->key, 0, memory_order_release);
	pthread_mutex_unlock(&lock);
}

struct sis_mpi_ended sis__mpi_comm_ends(MPI_Comm comm)
{
	return ends(find_comm(SIS_KEY(comm)));
}

void sis__mpi_comm_free(MPI_Comm comm, const struct sis_mpi_ended *ended)
{
	forget(SIS_KEY(comm), ended);
}

void sis__mpi_comm_name(MPI_Comm comm, const char *name)
{
	struct sis_mpi_comm *c = sis__mpi_comm(comm);
	if (c && c->described)
		strncpy(c->described->name, name, sizeof c->described->name - 1);
	if (c && c->remote)
		strncpy(c->remote->name, name, sizeof c->remote->name - 1);
}

/* -- windows ----------------------------------------------------------------------------------- */

void sis__mpi_win_new(struct sis_mpi_call *call, MPI_Comm parent, MPI_Win made)
{
	struct sis_mpi_comm *c = sis__mpi_comm(parent);
	if (!c)
		return;
	uint64_t serial = sis__mpi_comm_serial(c);
	sis__mpi_collective_on(call, SIS_RECORD_FENCE, c, -1, serial);
	take_in(WIN_KEY(made), parent, child_number(c, serial), c->id);
}

struct sis_mpi_comm *sis__mpi_win(MPI_Win win)
{
	return find_comm(WIN_KEY(win));
}

/* If no wrapper has seen the window being made, its members are not known. Then its fences are
 * timed, but not matched. */
void sis__mpi_fence(struct sis_mpi_call *call, MPI_Win win)
{
	struct sis_mpi_comm *c = sis__mpi_win(win);
	if (c)
		sis__mpi_collective_on(call, SIS_RECORD_FENCE, c, -1, sis__mpi_comm_serial(c));
}

struct sis_mpi_ended sis__mpi_win_ends(MPI_Win win)
{
	struct sis_mpi_comm *c = sis__mpi_win(win);
	struct sis_mpi_ended ended = ends(c);
	if (c)
		ended.serial = sis__mpi_comm_serial(c);
	return ended;
}

void sis__mpi_win_free(struct sis_mpi_call *call, MPI_Win win, const struct sis_mpi_ended *ended)
{
	struct sis_mpi_comm was = { .id = ended->id, .inter = ended->inter };
	if (ended->id != SIS_UNMATCHED)
		sis__mpi_collective_on(call, SIS_RECORD_FENCE, &was, -1, ended->serial);
	forget(WIN_KEY(win), ended);
}
