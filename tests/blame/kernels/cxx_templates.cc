/* SPDX-License-Identifier: BSD-3-Clause */
/* Templates of functions and classes, static members, variables in namespaces.
 *
 * expect: grid::total 1/8 at main
 * expect: Counter<int>::count 1/8 at main
 * expect: stack 2/8 at main
 * expect: wide 1/8 at main
 * expect: narrow 1/8 at main
 * expect: largest 2/8 at main */
#include "kernel.h"

#include <algorithm>
#include <vector>

namespace grid {
double total;
}
template <class T> struct Counter {
	static double count;
	ALONE static void add(long work) { count += mix(1, work); }
};
template <class T> double Counter<T>::count = 0;

template <class T, int N> class Stack {
	T item[N] = {};
	int top = 0;

public:
	void push(const T &x) { item[top++] = x; }
	T back() const { return item[top - 1]; }
};
template <class T> ALONE T work_of(T x, long work) { return (T)(mix((double)x, work) * 100); }

int main(int argc, char **argv)
{
	kernel_begin(argc, argv);
	Stack<double, 8> stack;
	grid::total = mix(1, unit);
	Counter<int>::add(unit);
	for (int i = 0; i < 4; i++)
		stack.push(mix(i, unit / 2));
	double wide = work_of(1.5, unit);
	int narrow = work_of(2, unit);
	std::vector<int> values{ 3, 1, 2, 5 };
	int largest = *std::max_element(values.begin(), values.end(), [](int a, int b) {
		return a < b * mix(1, unit * 2 / 3);
	});
	printf("%g %g %g %g %d %d\n", grid::total, Counter<int>::count, stack.back(), wide, narrow,
	       largest);
	return 0;
}
