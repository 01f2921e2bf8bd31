/* The initial thread waits for a future whose value another thread computes. */
/* build: -pthread */
/* run: 1 1 */
/* truth: 0 0 USEFUL 0.1 */
/* truth: 0 0 OSYNC_PTJOIN 0.3 */
/* truth: 0 1 USEFUL 0.4 */
/* culprit: 0 1 OSYNC_PTJOIN 0.3 Model::predict */
/* advice: JOIN main */
#include <future>
#include "known.h"

struct Model {
	int predict(int n) const
	{
		work(0.4);
		return n;
	}
};

int main()
{
	const Model model;
	std::future<int> value = std::async(std::launch::async,
					    [&model] { return model.predict(7); });
	work(0.1);
	return value.get() - 7;
}
