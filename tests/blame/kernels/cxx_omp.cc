/* SPDX-License-Identifier: BSD-3-Clause */
/* flags: -fopenmp. OpenMP in a method and in a template: threads write elements of containers.
 *
 * expect: field 2/4 at main
 * expect: list 1/4 at main
 * expect: sum 1/4 at main */
#include "kernel.h"

#include <vector>

class Field {
	std::vector<double> data;

public:
	explicit Field(int n) : data(n) {}
	ALONE void update(long work)
	{
#pragma omp parallel for
		for (int i = 0; i < (int)data.size(); i++)
			data[i] = mix(i, work / (long)data.size());
	}
	double operator[](int i) const { return data[i]; }
};

template <class T> ALONE T sum_of(const std::vector<T> &list, long work)
{
	T sum = 0;
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < (int)list.size(); i++)
		sum += mix(list[i], work / (long)list.size());
	return sum;
}

int main(int argc, char **argv)
{
	kernel_begin(argc, argv);
	Field field(4);
	std::vector<double> list(4);
	field.update(2 * unit);
#pragma omp parallel for
	for (int i = 0; i < 4; i++)
		list[i] = mix(i, unit / 4);
	double sum = sum_of(list, unit);
	printf("%g %g %g\n", field[1], list[2], sum);
	return 0;
}
