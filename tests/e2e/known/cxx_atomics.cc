/* The initial thread waits for the other one at a latch, a semaphore, a barrier and an atomic of
 * C++20, which call the system's futex. */
/* build: -std=c++20 -pthread */
/* run: 1 1 */
/* truth: 0 0 USEFUL 0.1 */
/* truth: 0 0 OSYNC_PTCOND 0.8 */
/* truth: 0 1 USEFUL 0.9 */
/* culprit: 0 1 OSYNC_PTCOND 0.2 count_late */
/* culprit: 0 1 OSYNC_PTCOND 0.25 release_late */
/* culprit: 0 1 OSYNC_PTCOND 0.15 come_late */
/* culprit: 0 1 OSYNC_PTCOND 0.2 store_late */
/* advice: CONDITION main */
#include <atomic>
#include <barrier>
#include <latch>
#include <semaphore>
#include <thread>
#include "known.h"

static std::latch started(1);
static std::binary_semaphore ready(0);
static std::barrier<> both(2);
static std::atomic<long> stored(0);

static void count_late() { work(0.3); }
static void release_late() { work(0.25); }
static void come_late() { work(0.15); }
static void store_late() { work(0.2); }

static void other()
{
	count_late();
	started.count_down();
	release_late();
	ready.release();
	come_late();
	both.arrive_and_wait();
	store_late();
	stored = 1;
	stored.notify_one();
}

int main()
{
	std::thread thread(other);
	work(0.1);
	started.wait();
	ready.acquire();
	both.arrive_and_wait();
	stored.wait(0);
	thread.join();
	return 0;
}
