// SPDX-License-Identifier: BSD-3-Clause
// sets.h - sets of elements as numbers: equal sets have the same number, and unions are remembered.
// Set 0 is empty.
#ifndef SIS_TEST_BLAME_SETS_H
#define SIS_TEST_BLAME_SETS_H

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <unordered_map>
#include <vector>

class Sets {
public:
	Sets() { number({}); }
	uint32_t one(uint32_t element) { return number({ element }); }
	const std::vector<uint32_t> &elements(uint32_t set) const { return *sets[set]; }

	uint32_t join(uint32_t a, uint32_t b)
	{
		if (a == b || !b)
			return a;
		if (!a)
			return b;
		if (a > b)
			std::swap(a, b);
		uint64_t key = uint64_t(a) << 32 | b;
		auto found = joined.find(key);
		if (found != joined.end())
			return found->second;
		std::vector<uint32_t> both;
		std::set_union(sets[a]->begin(), sets[a]->end(), sets[b]->begin(), sets[b]->end(),
			std::back_inserter(both));
		return joined[key] = number(std::move(both));
	}

private:
	uint32_t number(std::vector<uint32_t> elements)
	{
		auto [place, isNew] =
			numbers.try_emplace(std::move(elements), uint32_t(sets.size()));
		if (isNew)
			sets.push_back(&place->first);
		return place->second;
	}
	std::map<std::vector<uint32_t>, uint32_t> numbers;
	std::vector<const std::vector<uint32_t> *> sets;
	std::unordered_map<uint64_t, uint32_t> joined;
};

#endif
