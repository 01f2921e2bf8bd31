/* team_alloc.c - memory for the members of teams: blocks of anonymous memory that are kept and
 * used again. Called by forking threads; not malloc, which may be the program's own and
 * instrumented.
 *
 * Its idea: a short list behind a lock that nobody waits for. Whoever does not get it maps a new
 * block, so a thread that died with the lock (fork, exit) costs memory and never a hang.
 */
#include "omp/omp_team.h"

#include <pthread.h>
#include <sys/mman.h>

struct crew { /* head of a block; the members follow */
	struct crew *next;
	size_t bytes;
	unsigned capacity;
} __attribute__((aligned(128)));

static struct crew *spare;
static pthread_mutex_t spare_lock = PTHREAD_MUTEX_INITIALIZER;

static struct crew *spare_find(unsigned size)
{
	struct crew *found = NULL;
	if (pthread_mutex_trylock(&spare_lock))
		return NULL;
	for (struct crew **link = &spare; *link; link = &(*link)->next)
		if ((*link)->capacity >= size) {
			found = *link;
			*link = found->next;
			break;
		}
	pthread_mutex_unlock(&spare_lock);
	return found;
}

static struct crew *crew_new(unsigned size)
{
	size_t bytes = sizeof(struct crew) + size * sizeof(struct sis_team);
	bytes = (bytes + SIS_PAGE - 1) / SIS_PAGE * SIS_PAGE;
	struct crew *crew = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (crew == MAP_FAILED)
		return NULL;
	crew->bytes = bytes;
	crew->capacity = (unsigned)((bytes - sizeof(struct crew)) / sizeof(struct sis_team));
	return crew;
}

struct sis_team *sis__crew_take(unsigned size)
{
	struct crew *crew = spare_find(size);
	if (!crew)
		crew = crew_new(size);
	return crew ? (struct sis_team *)(crew + 1) : NULL;
}

void sis__crew_give(struct sis_team *member)
{
	struct crew *crew = (struct crew *)member - 1;
	if (pthread_mutex_trylock(&spare_lock)) {
		munmap(crew, crew->bytes);
		return;
	}
	crew->next = spare;
	spare = crew;
	pthread_mutex_unlock(&spare_lock);
}
