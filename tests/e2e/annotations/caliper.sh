# SPDX-License-Identifier: BSD-3-Clause
# Caliper's regions are regions, if the library for annotations is preloaded. The program's calls
# still reach Caliper, also if Caliper was opened late, and if there is no runtime.
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_annotations.sh"

"$CC" -O1 -w -fPIC -shared "$HERE/caliper_stub.c" -o libcaliper.so -Wl,-soname,libcaliper.so ||
	give_up "gcc builds caliper_stub.c"
source_file regions.c <<'END_OF_REGIONS'
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
void cali_begin_region(const char *), cali_end_region(const char *);
void cali_begin_phase(const char *), cali_end_phase(const char *);
void cali_begin_comm_region(const char *), cali_end_comm_region(const char *);
void cali_begin_byname(const char *), cali_end_byname(const char *);
void cali_begin_string_byname(const char *, const char *), cali_begin_int_byname(const char *, int);
void cali_begin_double_byname(const char *, double), cali_begin(uint64_t), cali_end(uint64_t);
void cali_begin_string(uint64_t, const char *), cali_begin_int(uint64_t, int);
void cali_begin_double(uint64_t, double), cali_safe_end_string(uint64_t, const char *);
enum { LOOP, ITERATION, PHASE };
static void *work(void *unused)
{
	for (int i = 0; i < 30; i++) {
		cali_begin_region("in thread");
		cali_end_region("in thread");
	}
	return unused;
}
int main(void)
{
	pthread_t thread[2];
	cali_begin_region("main part");
	cali_begin_phase("assembly");
	cali_begin_comm_region("halo");
	cali_end_comm_region("halo");
	cali_begin_string(LOOP, "rows");
	for (int i = 0; i < 5; i++) {
		cali_begin_int(ITERATION, i);
		cali_begin_region("row");
		cali_end_region("row");
		cali_end(ITERATION);
	}
	cali_safe_end_string(LOOP, "rows");
	cali_end_phase("assembly");
	cali_begin_byname("solver");
	cali_begin_string_byname("kind", "cg");
	cali_begin_int_byname("size", 7);
	cali_begin_double_byname("weight", 0.5);
	cali_end_byname("weight");
	cali_end_byname("size");
	cali_end_byname("solver"); /* "kind" goes on */
	cali_end_byname("kind");
	cali_begin(PHASE);
	cali_begin_double(PHASE, 1.5);
	cali_end(PHASE);
	cali_end(PHASE);
	cali_begin_region(NULL);
	cali_end_region(NULL);
	fflush(stdout);
	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	cali_end_region("main part");
	cali_end_region("never begun");
	return 5;
}
END_OF_REGIONS
"$CC" -O1 regions.c -o plain -pthread -L. -lcaliper -Wl,-rpath,"$T" ||
	give_up "gcc builds regions.c"
build regions --sis-cr=CR_A regions.c -pthread -L. -lcaliper -Wl,-rpath,"$T"
./plain >before.out
sort before.out >before # threads print in any order

# regions_of NAME: what the program did
regions_of() {
	equal "$1: all calls reach Caliper, with the same status" \
		"$(sort run.out | diff - before) $(cat run.err) $run_status" "  5"
	equal "$1: regions and their activations" "$(all_calls)" "$(sort <<'END_OF_WANTED'
in thread 60
main part 1
main part/kind/cg 0
main part/assembly 1
main part/phase 1
main part/assembly/halo 1
main part/assembly/loop/rows 1
main part/assembly/loop/rows/iteration#main 5
main part/assembly/loop/rows/iteration#main/row 5
main part/phase/phase 1
main part/solver 1
main part/solver/kind/cg 1
main part/solver/kind/cg/size 1
main part/solver/kind/cg/size/weight 1
main part/unnamed 1
END_OF_WANTED
		)"
	equal "$1: an end without begin" "$(value annotation_ends_without_begin)" 1
	identity "$1"
}
sed -i '/^main part\/phase 1$/d' /dev/null
run_alone 1 env LD_PRELOAD="$build_dir/lib/libsis.so:$module" ./plain
regions_of preloaded
run_alone 1 env LD_PRELOAD="$module" ./regions
regions_of sisc
run_alone 1 env LD_PRELOAD="$module" ./plain
equal "no runtime: all calls reach Caliper, and nothing is measured" \
	"$(sort run.out | diff - before) $(cat run.err) $run_status" "  5"
refuse "no runtime: no experiment" ls -d "$EXP"

# C++, by the names of its constructors and destructors
source_file classes.cc <<'END_OF_CLASSES'
#include "classes.h"
#include <cstdio>
static void function() { cali::Function f(__func__); cali::ScopeAnnotation s("scope"); }
int main() { for (int i = 0; i < 4; i++) function(); }
END_OF_CLASSES
source_file classes.h <<'END_OF_HEADER'
namespace cali {
struct Function { Function(const char *name); ~Function(); };
struct ScopeAnnotation { explicit ScopeAnnotation(const char *name); ~ScopeAnnotation(); };
}
END_OF_HEADER
source_file library.cc <<'END_OF_LIBRARY'
#include "classes.h"
#include <cstdio>
cali::Function::Function(const char *name) { std::printf("+F %s\n", name); }
cali::Function::~Function() { std::printf("-F\n"); }
cali::ScopeAnnotation::ScopeAnnotation(const char *name) { std::printf("+S %s\n", name); }
cali::ScopeAnnotation::~ScopeAnnotation() { std::printf("-S\n"); }
END_OF_LIBRARY
g++ -fPIC -shared library.cc -o libclasses.so &&
	g++ classes.cc -o classes -L. -lclasses -Wl,-rpath,"$T" || give_up "g++ builds classes.cc"
./classes >before.out
run_alone 1 env LD_PRELOAD="$build_dir/lib/libsis.so:$module" ./classes
equal "C++: all calls reach Caliper" "$(diff run.out before.out) $(cat run.err)" " "
equal "C++: regions" "$(all_calls)" "$(printf 'function 4\nfunction/scope 4')"

# a plugin that brings its own Caliper
source_file plugin.c <<'END_OF_PLUGIN'
void cali_begin_region(const char *), cali_end_region(const char *);
void plugin(void) { cali_begin_region("in plugin"); cali_end_region("in plugin"); }
END_OF_PLUGIN
source_file host.c <<'END_OF_HOST'
#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
	void *opened = dlopen("./plugin.so", RTLD_NOW | RTLD_LOCAL);
	((void (*)(void))dlsym(opened, "plugin"))();
	puts(dlerror() ? "error" : "no error");
	return 0;
}
END_OF_HOST
"$CC" -fPIC -shared plugin.c -o plugin.so -L. -lcaliper -Wl,-rpath,"$T" && "$CC" host.c -o host ||
	give_up "gcc builds plugin.c"
./host >before.out
run_alone 1 env LD_PRELOAD="$build_dir/lib/libsis.so:$module" ./host
equal "a plugin: its calls reach its Caliper" "$(diff run.out before.out) $(cat run.err)" " "
equal "a plugin: its region" "$(all_calls)" "in plugin 1"
