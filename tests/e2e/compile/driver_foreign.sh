# SPDX-License-Identifier: BSD-3-Clause
# Objects of sisc that another command links, such as mpicxx. The program runs as without sisc
# and says why it is not measured. It is measured if sisc links it under any name. A runtime that
# comes later with a library changes nothing.
# ci: it compiles many programs
. "$(dirname "$0")/../lib.sh"

source_file part.c <<'END'
#include <mpi.h>
#include <stdio.h>
/* a linker that has threads' variables makes up an address for what is nowhere */
static _Thread_local int depth;
static int below(int n) { depth++; return n > 0 ? n + below(n - 1) : depth; }
__attribute__((constructor(101))) static void early(void) { printf("%d\n", below(2)); }
int part(int argc, char **argv);
int part(int argc, char **argv)
{
	int sum = 0;
	MPI_Init(&argc, &argv);
#pragma sis measure disable
	sum += below(3);
#pragma sis measure enable
#pragma omp parallel for num_threads(2) reduction(+ : sum)
	for (int i = 0; i < 20; i++) {
#pragma omp critical
		sum += below(0) != below(0);
	}
	MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	printf("%s %d\n", argc > 1 ? argv[1] : "none", sum);
	MPI_Finalize();
	return argc + 3;
}
END
source_file main.cc <<'END'
#include <iostream>
extern "C" int part(int argc, char **argv);
int main(int argc, char **argv) { std::cout << "C++" << std::endl; return part(argc, argv); }
END

warning='^sis: warning: this program is not measured: it was linked without the runtime; '
warning=${warning}'link it with sisc'
# outcome PROGRAM [VARIABLE=VALUE...]: of a run of 2 ranks; what it says on standard error is in
# run.err
outcome() {
	program=$1
	shift
	rm -rf exp
	env SIS_OUTPUT="$T/exp" "$@" timeout 60 "$MPIEXEC" -n 2 "$program" x >run.out 2>run.err
	echo "status $?" >>run.out
	sort run.out
}

for compile in "-O2" "-O0" "-O2 -fPIC" "-O2 -fno-pie"; do
	case $compile in *no-pie) mode=-no-pie ;; *) mode= ;; esac
	# shellcheck disable=SC2086
	"$SISC" -Wall -Wextra -Wno-unknown-pragmas -fopenmp $compile -c part.c 2>build.err ||
		give_up "sisc $compile" build.err
	equal "$compile: sisc says nothing" "$(cat build.err)" ""
	# shellcheck disable=SC2086
	"$MPICC" -fopenmp $compile -c part.c -o plain.o &&
		"$MPICXX" -fopenmp $mode main.cc plain.o -o plain || give_up "plain $compile"
	wanted=$(outcome ./plain)
	# shellcheck disable=SC2086
	check "$compile: mpicxx links it" "$MPICXX" -fopenmp $mode main.cc part.o -o foreign
	equal "$compile: it runs as ever" "$(outcome ./foreign)" "$wanted"
	matches "$compile: it says why it is not measured" "$(cat run.err)" "$warning"
	equal "$compile: once, not each rank" "$(wc -l <run.err)" 1
	check "$compile: no experiment" test ! -e exp
	equal "$compile: a runtime that is preloaded" \
		"$(outcome ./foreign \
			LD_PRELOAD="$build_dir/lib/libsis-mpi.so:$build_dir/lib/libsis.so")" \
		"$wanted"
done
equal "SIS_LOG=quiet" "$(outcome ./foreign SIS_LOG=quiet; cat run.err)" "$wanted"
equal "SIS_ENABLE=0" "$(outcome ./foreign SIS_ENABLE=0; cat run.err)" "$wanted"

# -- linked by us, by another name or with another compiler
regions() {
	query '[.[] | select(.region == "part" or .region == "MPI_Allreduce")] | group_by(.region) |
		map("\(.[0].region) \(map(.calls) | add)") | join(", ")' regions "$T/exp"
}
"$SISC" -fopenmp -O2 -c part.c || give_up "sisc"
for link in "$SISC++" "$SISC --sis-cc=$MPICXX" "env SISC_CC=$MPICXX $SISC"; do
	name=$(echo "$link" | sed "s,$build_dir/bin/,,g")
	# shellcheck disable=SC2086
	check "$name links it" $link -fopenmp main.cc part.o -o ours
	equal "$name: runs" "$(outcome ./ours)" "$wanted"
	equal "$name: is measured" "$(regions)" "MPI_Allreduce 2, part 2"
done
check "SISC_CXX" env SISC_CXX="$MPICXX -DNONE" "$SISC++" -fopenmp main.cc part.o -o ours
equal "to sisc++ a .c file is C++" \
	"$(echo 'static_assert(true, ""); auto x = 3;' >cxx.c && "$SISC++" -c cxx.c 2>&1)" \
	""

# -- a program in Fortran
source_file alone.f90 <<'END'
program alone
  print *, 'Fortran'
end program
END
source_file main.f90 <<'END'
program main
  interface
    subroutine shout() bind(c)
    end subroutine
  end interface
  call shout()
end program
END
printf '#include <stdio.h>\nvoid shout(void);\nvoid shout(void) { puts("C"); }\n' >shout.c
fortran="$SISC --sis-cc=${MPIF90:-mpif90}"
note='^sisc: note: alone: functions in Fortran are not measured, only MPI and OpenMP$'
check "Fortran alone: links" sh -c "$fortran alone.f90 -o alone 2>build.err"
matches "Fortran alone: a note says so" "$(cat build.err)" "$note"
equal "Fortran alone: in one line" "$(wc -l <build.err)" 1
equal "Fortran alone: runs" "$(./alone)" " Fortran"
equal "to compile it says nothing" "$($fortran -c alone.f90 main.f90 2>&1)" ""
matches "its object, linked" "$($fortran alone.o -o alone 2>&1)" "$note"
equal "--sis-off knows" "$($fortran --sis-off alone.o -o alone 2>&1)" ""
equal "with C that has probes there is nothing to say" \
	"$("$SISC" -c shout.c && $fortran main.o shout.o -o main 2>&1)" \
	""
run_alone 1 ./main
equal "and it is measured" \
	"$(cat run.out) $(query '[.[] | select(.type == "CR_F") | .region] | join(" ")' regions \
		"$EXP")" \
	"C shout"

# -- the runtime comes with a library of the program
source_file apart.c <<'END'
int apart(int n);
int apart(int n) { int s = 0; for (int i = 0; i < n; i++) s += i * i; return s; }
END
source_file with.c <<'END'
#include <stdio.h>
static _Thread_local int depth;
int apart(int n);
static int below(int n) { depth++; return n > 0 ? n + below(n - 1) : depth; }
int main(void)
{
	int sum = apart(5), most = below(4);
	printf("%d %d\n", sum, most);
	return 0;
}
END
for flags in "-fPIE -pie" "-fno-pie -no-pie"; do
	# shellcheck disable=SC2086
	{
		"$SISC" -shared -fPIC apart.c -o libapart.so && "$SISC" ${flags% *} -c with.c
	} || give_up "a library"
	# shellcheck disable=SC2086
	gcc $flags with.o -L. -lapart -Wl,-rpath,"$T" -Wl,-rpath-link,"$build_dir/lib" -o with ||
		give_up "gcc $flags"
	run_alone 1 ./with
	equal "the library's runtime, $flags: runs" "$(cat run.out)" "30 15"
	matches "the library's runtime, $flags: the library is measured" \
		"$(query '.[] | select(.type == "CR_F") | .region' regions "$EXP")" '^"?apart'
done

# -- the probes themselves: with our link, once in each program and library; without it, those of
# the runtime
probes_of() { # PROGRAM: what its probes lead to
	objdump -d "$1" | awk '/<sis__enter(_miss)?>:$/ { p = 1 } /^$/ { p = 0 } p' |
		grep -o 'sis__enter_slow\|sis__far_enter' | sort -u
}
calls_of() { query "[.[] | select(.region == \"$1\") | .calls] | add" regions "$EXP"; }
"$SISC" -fPIC -c apart.c with.c &&
	"$SISC" -shared apart.o -o libapart.so &&
	"$SISC" with.o -L. -lapart -Wl,-rpath,"$T" -o with ||
	give_up "a library and a program"
equal "the probes of a program are in it" "$(probes_of with)" sis__enter_slow
equal "those of a library, too" "$(probes_of libapart.so)" sis__enter_slow
for how in -shared --shared -Wl,-shared "-Xlinker -shared"; do
	# shellcheck disable=SC2086
	check "a library by $how is linked" "$SISC" -fPIC $how apart.o -o libhow.so
	lacks "it finds its thread as libraries do, $how" "$(nm libhow.so)" sis__self_local
done
matches "a program finds it nearer" "$(nm with)" sis__self_local
gcc -shared apart.o -o libapart.so || give_up "gcc -shared"
equal "a library that others link finds the runtime's" "$(probes_of libapart.so)" sis__far_enter
run_alone 1 ./with
equal "it runs" "$(cat run.out)" "30 15"
equal "it is measured in a program that has the runtime" "$(calls_of apart)" 1
equal "so is the program" "$(calls_of below)" 5

# -- a library that prefers its own symbols to those of the program: both share the state of a
# thread
cp "$HERE/driver_foreign_deep.c" deep.c
"$SISC" -shared --sis-cr=CR_F apart.o -o libapart.so &&
	"$SISC" --sis-cr=CR_F deep.c -ldl -lpthread -o deep || give_up "a program and its library"
run_alone 1 ./deep
equal "of both threads, below the program's function" \
	"$(query '[.[] | select(.region == "apart" and (.path | test("outer/apart$"))) | .calls] |
		sort | join(" ")' regions "$EXP")" "10 10"

# -- a program with more data than the offset of an instruction reaches
source_file far_off.c <<'END'
static char huge[2300000000];
static int touch(int n)
{
	return n ? touch(n - 1) : (huge[sizeof huge - 1] = 7);
}
int main(void) { return touch(9) == 7 ? 0 : 1; }
END
if gcc -mcmodel=large far_off.c -o far_off 2>check.out && ./far_off; then
	check "-mcmodel=large is linked" "$SISC" --sis-cr=CR_P,CR_F -mcmodel=large far_off.c \
		-o far_off
	run_alone 1 ./far_off
	equal "it runs" "$run_status" 0
	equal "it is measured" "$(calls_of touch)" 10
fi

# -- other ways to link
"$SISC" -fPIC -c with.c apart.c || give_up "sisc -fPIC"
check "a library without undefined symbols" gcc -shared apart.o -Wl,-z,defs -o libapart.so
if echo 'int main(void) { return 0; }' | gcc -static -x c - -o none 2>/dev/null; then
	check "-static: links" gcc -static with.o apart.o -o with
	equal "-static: runs" "$(./with 2>run.err)" "30 15"
	matches "-static: says why" "$(cat run.err)" "$warning"
fi
