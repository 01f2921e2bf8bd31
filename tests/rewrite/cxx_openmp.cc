/* flags: -std=c++17 -fopenmp -O1 --sis-cr=CR_F,CR_OMP,CR_FOR */
#include <cstdio>
#include <vector>
struct Sum {
	std::vector<int> data = std::vector<int>(100, 1);
	int of_team(int from) const
	{
		int sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 10)
		for (auto i = data.begin() + from; i < data.end(); ++i)
			sum += *i;
		return sum;
	}
	template <class T> T of_tasks(T start)
	{
#pragma omp parallel default(none) shared(start)
#pragma omp single
		for (int i = 0; i < 4; i++) {
#pragma omp task shared(start)
			{
#pragma omp critical
				start += data[i];
			}
		}
		return start;
	}
};
int main()
{
	Sum sum;
	int found = 0;
#pragma omp parallel for
	for (int &x : sum.data)
		x++;
#pragma omp parallel
	{
		try {
			if (sum.data.size() == 100)
				throw 1;
		} catch (int n) {
#pragma omp atomic
			found |= n;
		}
	}
	std::printf("%d %d %d\n", sum.of_team(50), sum.of_tasks(1L) == 9, found);
	return 0;
}
