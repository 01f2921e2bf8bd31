/* SPDX-License-Identifier: BSD-3-Clause */
/* Exceptions: the work for what is thrown reaches the variable of the handler.
 *
 * expect: failure 2/4 at main
 * expect: checked 2/4 at main */
#include "kernel.h"

#include <stdexcept>
#include <vector>

struct Failure {
	double residual;
};
static ALONE void solve(long work)
{
	double residual = mix(1, work);
	throw Failure{ residual };
}

int main(int argc, char **argv)
{
	double result = 0, checked = 0;
	std::vector<double> list(3);
	kernel_begin(argc, argv);
	try {
		solve(2 * unit);
	} catch (const Failure &failure) {
		result = failure.residual;
	}
	try {
		checked = mix(2, 2 * unit);
		list.at(unit) = 1;
	} catch (const std::out_of_range &) {
		checked += 1;
	}
	printf("%g %g\n", result, checked);
	return 0;
}
