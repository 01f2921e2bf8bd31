/* A writer waits for a reader, then a reader for a writer, at a std::shared_mutex. */
/* build: -pthread -std=c++17 */
/* run: 1 1 */
/* truth: 0 0 USEFUL 0.2 */
/* truth: 0 0 OSYNC_PTMUTEX 0.4 */
/* truth: 0 1 USEFUL 0.6 */
/* culprit: 0 1 OSYNC_PTMUTEX 0.2 Table::lookup */
/* culprit: 0 1 OSYNC_PTMUTEX 0.2 Table::rebuild */
/* advice: MUTEX main */
#include <mutex>
#include <shared_mutex>
#include <thread>
#include "known.h"

class Table
{
public:
	void lookup()
	{
		std::shared_lock lock(mutex);
		work(0.3);
	}
	void rebuild()
	{
		std::unique_lock lock(mutex);
		work(0.3);
	}
	void touch() { std::unique_lock lock(mutex); }
	void peek() { std::shared_lock lock(mutex); }

private:
	std::shared_mutex mutex;
};

int main()
{
	Table table;
	std::thread other([&] {
		table.lookup();
		table.rebuild();
	});
	work(0.1);
	table.touch();
	work(0.1);
	table.peek();
	other.join();
	return 0;
}
