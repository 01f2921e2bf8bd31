/* A consumer waits for what a producer puts into a queue, a template with a condition variable. */
/* build: -pthread */
/* run: 1 1 */
/* truth: 0 0 USEFUL 0.1 */
/* truth: 0 0 OSYNC_PTCOND 0.5 */
/* truth: 0 1 USEFUL 0.6 */
/* culprit: 0 1 OSYNC_PTCOND 0.3 Producer::first */
/* culprit: 0 1 OSYNC_PTCOND 0.2 Producer::second */
/* advice: CONDITION Queue<int>::take */
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>
#include "known.h"

template <typename T> class Queue
{
public:
	void put(T item)
	{
		{
			std::unique_lock<std::mutex> lock(mutex);
			items.push(item);
		}
		filled.notify_one();
	}
	T take()
	{
		std::unique_lock<std::mutex> lock(mutex);
		filled.wait(lock, [this] { return !items.empty(); });
		T item = items.front();
		items.pop();
		return item;
	}

private:
	std::mutex mutex;
	std::condition_variable filled;
	std::queue<T> items;
};

struct Producer {
	Queue<int> &to;
	void first() { work(0.3); }
	void second() { work(0.3); }
	void operator()()
	{
		first();
		to.put(1);
		second();
		to.put(2);
	}
};

int main()
{
	Queue<int> queue;
	std::thread producer(Producer{ queue });
	int sum = queue.take();
	work(0.1);
	sum += queue.take();
	producer.join();
	return sum - 3;
}
