/* One thread waits for a lock of OpenMP that the other one holds, in a guard of the program's
 * own. */
/* build: -fopenmp */
/* run: 1 2 */
/* truth: 0 1 OSYNC_LOCK 0.25 */
/* truth: 0 0 USEFUL 0.3 */
/* truth: 0 1 USEFUL 0.05 */
/* culprit: 0 0 OSYNC_LOCK 0.25 Journal::write */
/* advice: LOCK omp_set_lock */
#include <omp.h>
#include "known.h"

class Lock
{
public:
	Lock() { omp_init_lock(&lock); }
	~Lock() { omp_destroy_lock(&lock); }
	void set() { omp_set_lock(&lock); }
	void unset() { omp_unset_lock(&lock); }

private:
	omp_lock_t lock;
};

class Guard
{
public:
	explicit Guard(Lock &of) : lock(of) { lock.set(); }
	~Guard() { lock.unset(); }

private:
	Lock &lock;
};

struct Journal {
	Lock lock;
	void write() { work(0.3); }
};

int main()
{
	Journal journal;
#pragma omp parallel
	{
		const bool first = omp_get_thread_num() == 0;
		if (!first)
			work(0.05);
		const Guard guard(journal.lock);
		if (first)
			journal.write();
	}
	return 0;
}
