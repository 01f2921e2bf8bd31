/* SPDX-License-Identifier: BSD-3-Clause */
/* flags: -std=c++17. Other names of a variable: references, captures of lambdas, range-for,
 * structured bindings.
 *
 * expect: plain 2/11 at main
 * expect: byReference 1/11 at main
 * expect: list 2/11 at main
 * expect: copied 2/11 at main
 * expect: pair 1/11 at main
 * expect: limit 1/11 at main
 * expect: swapped 2/11 at main */
#include "kernel.h"

#include <utility>
#include <vector>

static ALONE void set(double &x, long work) { x = mix(x, work); }
struct Limit { double value; };
static ALONE Limit limit_of(long work) { return { mix(2, work) }; }

int main(int argc, char **argv)
{
	kernel_begin(argc, argv);
	double plain = 1, byReference = 1, copied = 1, swapped = 2, other = 3;
	std::vector<double> list(4);
	std::pair<double, double> pair(1, 2);

	double &alias = plain;
	alias = mix(1, unit);
	set(plain, unit);
	auto changes = [&byReference](long work) { byReference = mix(2, work); };
	changes(unit);
	for (double &x : list)
		x = mix(x, unit / 2);
	auto computes = [copied, work = 2 * unit] { return mix(copied, work); };
	copied = computes();
	auto &[first, second] = pair;
	second = mix(first, unit);
	auto [limit] = limit_of(unit);
	swapped = mix(3, 2 * unit);
	std::swap(swapped, other);
	std::swap(swapped, other);
	printf("%g %g %g %g %g %g %g\n", plain, byReference, list[3], copied, pair.second,
	       limit, swapped);
	return 0;
}
