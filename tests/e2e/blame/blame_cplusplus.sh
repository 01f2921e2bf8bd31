# SPDX-License-Identifier: BSD-3-Clause
# Names of C++ in variable blame, and the memory of containers. blame_kernels has the shares.
# processor: every run needs one of its own to get enough samples
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_blame.sh"

cat >names.cc <<'END_OF_SOURCE'
#include "kernel.h"
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace grid {
double total;
namespace {
double hidden;
}
template <class T> struct Counter { static T count; };
template <class T> T Counter<T>::count;

template <class T> class Field {
public:
	explicit Field(int n) : data(n) {}
#pragma sis blame
	ALONE void update(long work)
	{
		data[1] = mix(1, work);
		last.second = mix(2, work);
	}
	std::vector<T> data;
	std::pair<T, T> last;
};
} // namespace grid

struct Particle { double mass, speed; };
#pragma sis blame
static ALONE void move(Particle &particle, const std::string &name, long work)
{
	particle.speed = mix((double)name.size(), work);
}
static ALONE std::pair<double, double> limits(long work) { return { 1, mix(2, work) }; }

int main(int argc, char **argv)
{
	kernel_begin(argc, argv);
	grid::Field<double> field(4);
	std::vector<Particle> particles(3);
	auto owner = std::make_unique<Particle>();
	field.update(unit);
	move(particles[1], "name", unit);
	owner->mass = mix(3, unit);
	auto [low, high] = limits(unit);
	grid::total = mix(4, unit);
	grid::hidden = mix(5, unit);
	grid::Counter<double>::count = mix(6, unit);
	printf("%g %g %g %g %g %g\n", field.data[1] + field.last.second, particles[1].speed,
	       owner->mass, low + high, grid::total + grid::hidden, grid::Counter<double>::count);
	return 0;
}
END_OF_SOURCE
# names POINT: what has samples there, and its type; a field has a dot before it
names() {
	query "[.[] | select(.blame_point == \"$1\" and .partitioned > 5 and
		(.kind | IN(\"all\", \"other\", \"output\") | not)) |
		if .field_of then \".\(.variable)\" else \"\(.variable): \(.type)\" end] | sort |
		.[]" blame "$EXP" --fields
}
for compiler in "${CXX:-g++}" clang++-19; do
	for level in -O0 -O2; do
		way="$compiler $level"
		built names "$compiler" -std=c++17 "$level" names.cc
		sampled 1000hz ./names 20000000
		equal "$way, main" "$(names main)" "\
.field.data
.field.last.second
.owner->mass
.particles->speed
[low, high]: {...}
field: grid::Field<double>
grid::(anonymous)::hidden: double
grid::Counter<double>::count: double
grid::total: double
owner: std::unique_ptr<Particle>
particles: std::vector<Particle>"
		equal "$way, a method" "$(names 'main/grid::Field<double>::update')" \
			".grid::Field<double>::data
.grid::Field<double>::last.second
this: grid::Field<double> *"
		equal "$way, references" "$(names main/move)" ".particle.speed
particle: Particle &"
	done
done

# -- memory ---------------------------------------------------------------------------------------
cat >memory.cc <<'END_OF_SOURCE'
#include <cstdio>
#include <map>
#include <memory>
#include <new>
#include <vector>

enum { N = 4096 };
struct Mesh {
	std::vector<long> nodes, cells;
	Mesh() : nodes(N) { cells.resize(N); }
};
template <class T> struct Field {
	T *data;
	explicit Field(int n) : data(new T[n]()) {}
	~Field() { delete[] data; }
};
/* so that the compiler does not remove the memory */
static void keep(const void *at) { __asm__ volatile("" : : "r"(at) : "memory"); }
static __attribute__((noinline)) void *too_much(size_t bytes) { return ::operator new(bytes); }

int main()
{
	std::vector<long> grown, sized(N);
	for (int i = 0; i < N; i++)
		grown.push_back(i);
	Mesh mesh;
	Field<long> field(N);
	auto owner = std::make_unique<long[]>(N);
	std::map<int, std::vector<long>> table;
	table[1].assign(N, 2);
	try {
		too_much(~(size_t)0 / 2 - 4096);
	} catch (const std::bad_alloc &) {
		std::puts("no memory");
	}
	std::vector<long> after(N); /* recorded as before the exception */
	keep(after.data());
	keep(owner.get());
	printf("%ld\n", grown[1] + sized[2] + mesh.cells[3] + field.data[5] + after[0]);
	return 0;
}
END_OF_SOURCE
blocks() {
	query '[.[] | select(.kind == "heap") |
		"\(.memory),\(.container) \(.path) \(.allocations)-\(.freed) \(.largest_bytes)"] |
		sort | .[]' blame "$EXP" --memory
}
for compiler in "${CXX:-g++}" clang++-19; do
	for level in -O0 -O2; do
		built memory "$compiler" -std=c++17 "$level" memory.cc
		sampled 1000hz ./memory ""
		equal "$compiler $level: the program prints the same" "$(cat run.out)" "no memory
1"
		equal "$compiler $level: memory" "$(blocks)" "\
Field<long>::data,field main/Field<long>::Field 1-1 32768
Mesh::cells,mesh main/Mesh::Mesh 1-1 32768
Mesh::nodes,mesh main/Mesh::Mesh 1-1 32768
after,after main 1-1 32768
grown,grown main 6-6 32768
owner,owner main 1-1 32768
sized,sized main 1-1 32768
table,table main 1-1 32768"
	done
done
built memory "${CXX:-g++}" -std=c++17 -O2 -static memory.cc
equal "static: it prints the same" "$(SIS_OUTPUT=static ./memory)" "no memory
1"
