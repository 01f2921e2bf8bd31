// SPDX-License-Identifier: BSD-3-Clause
// memory.h - the shadow of the program's memory, and the objects whose blame is asked.
//
//      shadow    address -> set of what its value needed         changes with each store
//      object    variable of main, global, heap block            keeps all that was ever stored
//
// A pointer that is stored in an object and points to a heap block is an edge, so that heap blocks
// get the names of the variables that lead to them.
#ifndef SIS_TEST_BLAME_MEMORY_H
#define SIS_TEST_BLAME_MEMORY_H

#include "sets.h"

#include <map>
#include <memory>
#include <set>
#include <string>

struct Object {
	enum Kind { Local, Global, Heap } kind;
	std::string name;
	uint32_t set = 0;
	std::set<uint32_t> edges = {}; // heap blocks
};

class Memory {
public:
	explicit Memory(Sets &sets) : sets(sets) {}
	std::vector<Object> objects;

	uint32_t add(Object object)
	{
		objects.push_back(std::move(object));
		return uint32_t(objects.size() - 1);
	}

	// The object lies there from now on.
	void place(uint64_t address, uint64_t size, uint32_t object)
	{
		forget(address, size ? size : 1);
		ranges[address] = { address + (size ? size : 1), object };
	}

	// New storage: its bytes have no history, and no object lies there.
	void clear(uint64_t address, uint64_t size)
	{
		forget(address, size);
		for (uint64_t i = 0; i < size; i++)
			byte(address + i) = 0;
	}

	uint32_t load(uint64_t address, uint64_t size)
	{
		uint32_t set = 0;
		for (uint64_t i = 0; i < size; i++)
			set = sets.join(set, byte(address + i));
		return set;
	}

	void store(uint64_t address, uint64_t size, uint32_t set)
	{
		for (uint64_t i = 0; i < size; i++)
			byte(address + i) = set;
		pointers.erase(pointers.lower_bound(address), pointers.lower_bound(address + size));
		if (Object *object = find(address))
			object->set = sets.join(object->set, set);
	}

	void storePointer(uint64_t address, uint64_t target)
	{
		auto found = at(target);
		if (found != ranges.end() && objects[found->second.object].kind == Object::Heap)
			setPointer(address, found->second.object);
	}

	void copy(uint64_t to, uint64_t from, uint64_t size, uint32_t set)
	{
		std::vector<uint32_t> bytes(size);
		std::vector<std::pair<uint64_t, uint32_t>> found;
		for (uint64_t i = 0; i < size; i++)
			bytes[i] = byte(from + i);
		auto p = pointers.lower_bound(from);
		for (; p != pointers.end() && p->first < from + size; ++p)
			found.push_back(*p);
		pointers.erase(pointers.lower_bound(to), pointers.lower_bound(to + size));
		Object *object = find(to);
		for (uint64_t i = 0; i < size; i++) {
			byte(to + i) = sets.join(bytes[i], set);
			if (object)
				object->set = sets.join(object->set, byte(to + i));
		}
		for (auto &[address, target] : found)
			setPointer(address - from + to, target);
	}

	// The bytes from the address to the end of the object that lies there; 0: no object does.
	uint64_t sizeAt(uint64_t address)
	{
		auto found = at(address);
		return found == ranges.end() ? 0 : found->second.end - address;
	}

private:
	struct Range {
		uint64_t end;
		uint32_t object;
	};
	Sets &sets;
	std::map<uint64_t, Range> ranges;
	std::map<uint64_t, uint32_t> pointers; // address -> heap block
	std::unordered_map<uint64_t, std::unique_ptr<uint32_t[]>> pages;

	std::map<uint64_t, Range>::iterator at(uint64_t address)
	{
		auto next = ranges.upper_bound(address);
		if (next == ranges.begin() || (--next)->second.end <= address)
			return ranges.end();
		return next;
	}
	Object *find(uint64_t address)
	{
		auto found = at(address);
		return found == ranges.end() ? nullptr : &objects[found->second.object];
	}
	void setPointer(uint64_t address, uint32_t block)
	{
		pointers[address] = block;
		if (Object *object = find(address))
			object->edges.insert(block);
	}
	void forget(uint64_t address, uint64_t size)
	{
		auto first = at(address);
		if (first == ranges.end())
			first = ranges.lower_bound(address);
		while (first != ranges.end() && first->first < address + size)
			first = ranges.erase(first);
		pointers.erase(pointers.lower_bound(address), pointers.lower_bound(address + size));
	}
	uint32_t &byte(uint64_t address)
	{
		auto &page = pages[address >> 12];
		if (!page)
			page.reset(new uint32_t[4096]());
		return page[address & 4095];
	}
};

#endif
