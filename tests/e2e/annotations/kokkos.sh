# SPDX-License-Identifier: BSD-3-Clause
# Kernels and regions of a real Kokkos are regions. The program prints the same.
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_annotations.sh"
headers=/usr/include/trilinos
[ -e $headers/Kokkos_Core.hpp ] || { skip "kokkos" "no libtrilinos-kokkos-dev here"; exit 0; }
export KOKKOS_PROFILE_LIBRARY="$module" KOKKOS_TOOLS_LIBS="$module"

source_file kernels.cc <<'END_OF_KERNELS'
#include <Kokkos_Core.hpp>
#include <cstdio>
int main(int argc, char **argv)
{
	Kokkos::initialize(argc, argv);
	{
		Kokkos::View<double *> a("a", 1000), b("b", 1000);
		double sum = 0;
		Kokkos::Profiling::pushRegion("time step");
		for (int i = 0; i < 7; i++) {
			Kokkos::parallel_for(
				"axpy", 1000, KOKKOS_LAMBDA(int k) { a(k) += b(k) + k; });
			Kokkos::parallel_reduce(
				"dot", 1000,
				KOKKOS_LAMBDA(int k, double &x) { x += a(k) * a(k); }, sum);
		}
		Kokkos::Profiling::pushRegion("inner");
		Kokkos::parallel_scan(
			"sum", 1000, KOKKOS_LAMBDA(int k, double &x, bool last) {
				x += a(k);
				if (last)
					b(k) = x;
			});
		Kokkos::Profiling::popRegion();
		Kokkos::deep_copy(a, b);
		Kokkos::Profiling::popRegion();
		Kokkos::Profiling::popRegion();
		std::printf("%g %g\n", sum, a(999));
	}
	Kokkos::finalize();
}
END_OF_KERNELS
g++ -O1 -w -I$headers kernels.cc -o kernels -ltrilinos_kokkoscore >build.err 2>&1 ||
	give_up "g++ builds kernels.cc" build.err
before=$(env -u KOKKOS_PROFILE_LIBRARY -u KOKKOS_TOOLS_LIBS ./kernels)

run_alone 1 env LD_PRELOAD="$build_dir/lib/libsis.so" ./kernels
equal "prints the same" "$(cat run.out run.err) $run_status" "$before 0"
equal "kernels and regions, and their activations" \
	"$(all_calls | grep -v View::initialization)" "$(cat <<'END_OF_WANTED'
time step 1
time step/Kokkos::deep_copy/a=b 1
time step/Kokkos::parallel_for/axpy 7
time step/Kokkos::parallel_reduce/dot 7
time step/inner 1
time step/inner/Kokkos::parallel_scan/sum 1
END_OF_WANTED
	)"
equal "an end without begin" "$(value annotation_ends_without_begin)" 1
identity kokkos
run_alone 1 ./kernels
equal "no runtime: prints the same, and nothing is measured" \
	"$(cat run.out run.err) $run_status $(ls -d "$EXP" 2>/dev/null)" "$before 0 "

# The functions that this Kokkos does not call: fences have kernels' arguments, sections may
# overlap, and tools say whether they need fences around kernels.
source_file newer.c <<'END_OF_NEWER'
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
	void *tool = dlopen(getenv("KOKKOS_TOOLS_LIBS"), RTLD_NOW | RTLD_GLOBAL);
	struct { char fencing, padding[255]; } settings;
	uint64_t id = 4711;
	memset(&settings, 1, sizeof settings);
	((void (*)(uint32_t, void *))dlsym(tool, "kokkosp_request_tool_settings"))(1, &settings);
	for (int i = 0; i < 3; i++) {
		((void (*)(const char *, uint32_t, uint64_t *))dlsym(tool, "kokkosp_begin_fence"))(
			"wait for all", 0, &id);
		((void (*)(uint64_t))dlsym(tool, "kokkosp_end_fence"))(id);
	}
	((void (*)(uint32_t))dlsym(tool, "kokkosp_start_profile_section"))(7);
	printf("%d %d\n", settings.fencing, settings.padding[0]);
	return 0;
}
END_OF_NEWER
"$CC" newer.c -o newer || give_up "gcc builds newer.c"
run_alone 1 env LD_PRELOAD="$build_dir/lib/libsis.so" ./newer
equal "the tool needs no fences, and changes nothing else" "$(cat run.out run.err)" "0 1"
equal "fences, and a section" \
	"$(all_calls) $(value annotations_without_region)" "Kokkos::fence/wait for all 3 1"
