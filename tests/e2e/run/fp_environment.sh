# SPDX-License-Identifier: BSD-3-Clause
# The runtime computes with doubles, and the program does not notice: neither the flags of its
# floating-point environment nor its rounding mode change, and its traps are not sprung.
. "$(dirname "$0")/../lib.sh"
includes="-I$build_dir/include"
cp "$HERE/fp_environment.c" prog.c
"$CC" -O2 -g -fopenmp -pthread prog.c -o plain $includes -lm 2>build.err ||
	give_up "the program compiles" build.err
build probes prog.c -O2 -g -fopenmp -pthread $includes -lm --sis-cr=CR_A
build blamed prog.c -O2 -g -fopenmp -pthread $includes -lm --sis-cr=CR_A --sis-blame
unset SIS_OVERHEAD SIS_ASLEEP
export SIS_LOG=quiet

# same WHAT COMMAND...: prints what the program prints without SIS, in each of $modes
same() {
	what=$1
	shift
	for mode in $modes; do
		rm -rf exp
		"$@" "$mode" >out 2>err
		equal "$what, $mode: status" $? 0
		equal "$what, $mode: output" "$(cat out err)" "$(cat "wanted.$mode")"
	done
}
modes="flags traps up"
for mode in $modes; do
	./plain $mode >wanted.$mode 2>plain.err || give_up "$mode: the program runs" plain.err
done
lacks "the program itself sets no flag" "$(cat wanted.*)" ' [^0 ]+ [0-9a-f]+$'

for setting in SIS_LOG=quiet SIS_TRACE=1 "SIS_TRACE=1 SIS_WRITER=sync" SIS_OVERHEAD=1% \
	SIS_TIMING=1/16 SIS_TIMING=sample SIS_PMETRIC=MINFLT,UTIME SIS_SENSORS=20ms; do
	same "$setting" env $setting SIS_OUTPUT=exp ./probes
done
same "SIS_BLAME=1" env SIS_BLAME=1 SIS_OUTPUT=exp ./blamed
same "run" "$ANALYZE" run --db run.db --name exp --report report ./plain
same "run, SIS_TRACE=1" env SIS_TRACE=1 \
	"$ANALYZE" run --db run.db --name exp --report report ./plain

# -- libomp, which loses digits itself
if command -v clang-19 >/dev/null; then
	modes="flags up"
	clang-19 -O2 -fopenmp -pthread prog.c -o plain_clang $includes -lm 2>build.err ||
		give_up "the program compiles with clang" build.err
	SISC_CC=clang-19 build probes_clang prog.c -O2 -fopenmp -pthread $includes -lm --sis-cr=CR_A
	for mode in $modes; do ./plain_clang $mode >wanted.$mode; done
	for setting in SIS_LOG=quiet SIS_TRACE=1; do
		same "clang, $setting" env $setting SIS_OUTPUT=exp ./probes_clang
	done
fi

# -- messages
build ranks prog.c -O2 -fopenmp -pthread -DWITH_MPI $includes -lm --sis-cr=CR_A
"$MPICC" -O2 -fopenmp -pthread -DWITH_MPI prog.c -o plain_ranks $includes -lm 2>build.err ||
	give_up "the program with MPI compiles" build.err
for mode in flags traps up; do
	"$MPIEXEC" -n 2 ./plain_ranks $mode 2>&1 | sort >wanted.$mode
	for setting in SIS_LOG=quiet SIS_TRACE=1 SIS_OVERHEAD=1%; do
		rm -rf exp
		env $setting SIS_OUTPUT=exp "$MPIEXEC" -n 2 ./ranks $mode 2>&1 | sort >out
		equal "ranks, $setting, $mode" "$(cat out)" "$(cat wanted.$mode)"
	done
done
