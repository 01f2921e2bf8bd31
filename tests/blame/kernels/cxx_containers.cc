/* SPDX-License-Identifier: BSD-3-Clause */
/* flags: -std=c++20. Elements of containers of the library belong to the variable that
 * owns the container.
 *
 * expect: numbers 2/10 at main
 * expect: fixed 1/10 at main
 * expect: owner 1/10 at main
 * expect: shared 1/10 at main
 * expect: table 2/10 at main
 * expect: text 1/10 at main
 * expect: backing 2/10 at main */
#include "kernel.h"

#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

int main(int argc, char **argv)
{
	kernel_begin(argc, argv);
	std::vector<double> numbers, backing(2);
	std::array<double, 4> fixed{};
	auto owner = std::make_unique<double>(1);
	auto shared = std::make_shared<double>(1);
	std::map<int, double> table;
	std::string text = "x";
	std::span<double> view(backing);

	numbers.push_back(mix(1, unit));
	numbers.push_back(2);
	numbers.at(1) = mix(2, unit);
	fixed[2] = mix(3, unit);
	*owner = mix(4, unit);
	*shared += mix(5, unit);
	table[3] = mix(6, unit);
	table.insert({4, mix(7, unit)});
	text += 'a' + (int)mix(8, unit) % 10;
	view[1] = mix(9, unit);
	for (auto at = backing.begin(); at != backing.end(); ++at)
		*at += mix(*at, unit / 2);
	printf("%g %g %g %g %g %zu %s %g\n", numbers[0], numbers.back(), fixed[2], *owner, *shared,
	       table.size(), text.c_str(), backing[0]);
	return 0;
}
