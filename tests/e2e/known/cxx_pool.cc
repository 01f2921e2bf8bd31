/* Three members of a pool work for different times. The pool is an object that joins them in its
 * destructor. Before and after, the initial thread works alone. */
/* build: -pthread */
/* run: 1 1 */
/* truth: 0 0 USEFUL 0.3 */
/* truth: 0 0 OSYNC_PTJOIN 0.3 */
/* truth: 0 1 USEFUL 0.1 */
/* truth: 0 1 OLOSS_PART 0.1 */
/* truth: 0 1 OLOSS_UNPAR 0.4 */
/* truth: 0 2 USEFUL 0.2 */
/* truth: 0 2 OLOSS_UNPAR 0.4 */
/* truth: 0 3 USEFUL 0.3 */
/* truth: 0 3 OLOSS_UNPAR 0.3 */
/* culprit: 0 2 OLOSS_PART 0.05 Pool<Item>::member */
/* culprit: 0 3 OLOSS_PART 0.05 Pool<Item>::member */
/* culprit: 0 0 OLOSS_UNPAR 0.9 main */
/* culprit: 0 3 OLOSS_UNPAR 0.2 Pool<Item>::member */
/* advice: UNPAR_SERIAL work */
/* advice: JOIN lambda@46 in Pool<Item>::~Pool */
/* advisable: PART_THREADS work */
#include <algorithm>
#include <semaphore.h>
#include <thread>
#include <vector>
#include "known.h"

struct Item {
	double seconds;
	void compute() { work(seconds); }
};

template <typename T> class Pool
{
public:
	explicit Pool(std::vector<T> &items)
	{
		sem_init(&there, 0, 0);
		for (T &item : items) {
			threads.emplace_back([this, &item] { member(item); });
			sem_wait(&there); /* so that their units are in this order */
		}
	}
	~Pool()
	{
		std::for_each(threads.begin(), threads.end(),
			      [](std::thread &thread) { thread.join(); });
	}

private:
	void member(T &item)
	{
		sem_post(&there);
		item.compute();
	}
	std::vector<std::thread> threads;
	sem_t there;
};

int main()
{
	std::vector<Item> items = { { 0.1 }, { 0.2 }, { 0.3 } };
	work(0.2);
	{
		Pool<Item> pool(items);
	}
	work(0.1);
	return 0;
}
