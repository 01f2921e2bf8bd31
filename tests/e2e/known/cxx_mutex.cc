/* A thread, started with a lambda, holds the mutex of an object while the initial one waits for it
 * in a method, in the guard's constructor. */
/* build: -pthread */
/* run: 1 1 */
/* truth: 0 0 USEFUL 0.15 */
/* truth: 0 0 OSYNC_PTMUTEX 0.25 */
/* truth: 0 0 OSYNC_PTJOIN 0.1 */
/* truth: 0 1 USEFUL 0.5 */
/* culprit: 0 1 OSYNC_PTMUTEX 0.25 Store::fill */
/* culprit: 0 1 OSYNC_PTJOIN 0.1 Store::tidy */
/* advice: MUTEX Store::size */
/* advice: JOIN main */
#include <mutex>
#include <thread>
#include "known.h"

class Store
{
public:
	void fill()
	{
		const std::lock_guard<std::mutex> guard(mutex);
		work(0.3);
	}
	void tidy() { work(0.2); }
	int size()
	{
		const std::lock_guard<std::mutex> guard(mutex);
		work(0.1);
		return 1;
	}

private:
	std::mutex mutex;
};

int main()
{
	Store store;
	std::thread other([&store] {
		store.fill();
		store.tidy();
	});
	work(0.05);
	int size = store.size();
	other.join();
	return size - 1;
}
