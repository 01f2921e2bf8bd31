# SPDX-License-Identifier: BSD-3-Clause
# Interpreters with libraries: the program is unchanged. The tree has the functions of libraries,
# and those of the language if the interpreter writes a perf map. If not, the report says so.
# What is not installed is left out; PACKAGES=all tells so.
# ci: its programs take seconds to start and to compute
# processor: its programs need one to get enough samples
. "$(dirname "$0")/../lib.sh"
export SIS_OVERHEAD=5% OPENBLAS_NUM_THREADS=2

# measure COMMAND...: runs it plain and measured; both must do the same
measure() {
	rm -rf exp
	wanted=${WANTED:-0}
	timeout 120 "$@" >plain.out 2>plain.err
	plain=$?
	timeout 120 "$ANALYZE" run --db run.db --name exp --report report "$@" >run.out 2>run.err
	equal "$name: status" "$? $plain" "$wanted $wanted"
	equal "$name: standard output" "$(cat run.out)" "$(cat plain.out)"
	equal "$name: standard error" "$(cat run.err)" "$(cat plain.err)"
}
# has REGION FILE [PATH]: a sampled function in a file, below a path; all are regular expressions
has() {
	"$ANALYZE" regions --db run.db --json exp 2>/dev/null | jq -r '.[] |
		select(.type == "CR_SAMPLED") | "\(.region)|\(.file)|/\(.path)"' >functions
	check "$name: the tree has $1" grep -E "^($1)\|($2)\|${3:-}" functions
}
# python_with MODULES: a Python that has them
python_with() {
	for python in python3 /usr/bin/python3; do
		"$python" -c "import $1" >/dev/null 2>&1 && return
	done
	return 1
}
an_interpreter=": its own functions are shown, and not those that it executes"

name=numpy
if python_with numpy; then
	source_file solve.py <<'END'
import numpy as np
a = np.random.default_rng(1).random((900, 900))
print(round(sum(np.linalg.solve(a, a).trace() for i in range(4)), 6))
END
	measure "$python" solve.py
	matches "$name: one sentence on Python" "$(cat report)" \
		"^warning: python3[0-9.]* is an interpreter$an_interpreter; .* -X perf$"
	lacks "$name: no advice to compile Python" "$(cat report)" 'not compiled with sisc'
	has '_PyEval_EvalFrameDefault' '.*python.*'
	if grep -q -a openblas exp/stacks-*.sis; then
		has 'dgemm_kernel.*|dgemm_itcopy.*|dtrsm.*' 'libopenblas.*' '.*EvalFrame.*'
		matches "$name: the report names the library" "$(cat report)" ' libopenblas'
		equal "$name: its threads" "$("$ANALYZE" overhead --db run.db --json exp |
			jq .processing_units)" 2
	fi
else
	left_out "$name"
fi

name=R
if command -v Rscript >/dev/null; then
	source_file solve.R <<'END'
set.seed(1)
a <- matrix(rnorm(640000), 800)
s <- 0
for (i in 1:4) s <- s + sum(diag(solve(a, a)))
cat(round(s, 6), "\n")
END
	measure Rscript solve.R
	matches "$name: one sentence" "$(cat report)" \
		"^warning: R is an interpreter$an_interpreter$"
	has 'Rf_eval' '(libR\.so|R)'
	grep -q -a openblas exp/stacks-*.sis &&
		has 'dgemm_kernel.*|dgemm_itcopy.*|dtrsm.*' 'libopenblas.*'
else
	left_out "$name"
fi

name=multiprocessing
if python_with multiprocessing; then
	source_file pool.py <<'END'
import multiprocessing, sys
def work(n):
    return sum(i * i % 7 for i in range(n))
if __name__ == "__main__":
    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
        print(sum(pool.map(work, [400000] * 4)))
    sys.exit(3)
END
	for way in fork spawn; do
		name="multiprocessing, $way"
		WANTED=3 measure "$python" pool.py $way
		check "$name: a profile of each process" \
			[ "$(ls exp/proc-*.sis | grep -c .)" -ge 3 ]
		has '_PyEval_EvalFrameDefault' '.*python.*'
		equal "$name: one sentence for all" "$(grep -c 'is an interpreter' report)" 1
	done
else
	left_out "$name"
fi

source_file ranks.py <<'END'
import time
from mpi4py import MPI
world = MPI.COMM_WORLD
if world.Get_rank() == 0:
    time.sleep(0.3)
world.Barrier()
if world.Get_rank() == 0:
    print("ranks", world.Get_size())
END
ranks=0
for mpi in mpich openmpi; do
	name="mpi4py, $mpi"
	options=
	[ $mpi = mpich ] || options="--allow-run-as-root --oversubscribe"
	# mpi4py is built for one of them; with the other one each process is alone
	command -v mpiexec.$mpi >/dev/null && python_with mpi4py &&
		[ "$(timeout 60 mpiexec.$mpi $options -n 2 "$python" ranks.py 2>/dev/null)" = \
			"ranks 2" ] || continue
	ranks=2
	measure mpiexec.$mpi $options -n 2 "$python" ranks.py
	equal "$name: a profile of each rank" "$(ls exp/proc-*.sis exp/ranks.sis 2>/dev/null |
		grep -c .)" "$([ -f exp/ranks.sis ] && echo 1 || echo 2)"
	equal "$name: rank 1 waited" "$("$ANALYZE" waits --db run.db --json exp |
		jq '[.[] | select(.region == "MPI_Barrier") | .seconds] | add > 0.1')" true
done
[ $ranks = 2 ] || left_out mpi4py

# -- perf maps -------------------------------------------------------------------------------------
# The programs write their process's number into the file `pids`, so that their maps are removed.
# mapped FUNCTION FILE: the function has a name
mapped() {
	has "$1" "$2" "${3:-}"
	lacks "$name: no name is missing" "$(cat report)" 'is an interpreter'
	while read -r pid; do rm -f "/tmp/perf-$pid.map"; done <pids
	rm -f pids
}
name="Python with a perf map"
mapping=
for python in python3 python3.12 python3.13 python3.14; do
	"$python" -c 'import sys; sys.activate_stack_trampoline' >/dev/null 2>&1 &&
		mapping=$python && break
done
if [ -n "$mapping" ]; then
	source_file loops.py <<'END'
import os
class Work:
    def inner(self, n):
        return sum(i * i % 7 for i in range(n))
def outer(k):
    return sum(map(Work().inner, [200000] * k))
print(outer(10))
open("pids", "a").write("%d\n" % os.getpid())
END
	measure "$mapping" -X perf loops.py
	mapped 'Work\.inner' '.*/loops\.py' '.*<module>/outer/.*Work\.inner'
fi # Debian 12 has no such Python, so that it is missing is not said

name=node
if command -v node >/dev/null; then
	source_file loops.js <<'END'
function inner(n) { let t = 0; for (let i = 0; i < n; i++) t += i * i % 7; return t; }
function outer(k) { let s = 0; for (let i = 0; i < k; i++) s += inner(1000000); return s; }
console.log(outer(60));
require('fs').appendFileSync('pids', process.pid + '\n');
END
	measure node --perf-basic-prof loops.js
	mapped 'JS:.*inner.*' jit
else
	left_out "$name"
fi

name=Java
if command -v javac >/dev/null; then
	source_file Loops.java <<'END'
import java.nio.file.*;
public class Loops {
	static long inner(int n) { long t = 0; for (int i = 0; i < n; i++) t += i % 7; return t; }
	public static void main(String[] a) throws Exception
	{
		long s = 0;
		for (int k = 0; k < 60; k++) s += inner(2000000);
		System.out.println(s);
		Files.writeString(Path.of("pids"), ProcessHandle.current().pid() + "\n",
			StandardOpenOption.CREATE, StandardOpenOption.APPEND);
	}
}
END
	javac Loops.java || give_up "Loops.java is compiled"
	measure java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit Loops
	mapped 'long Loops\.inner\(int\)' jit
else
	left_out "$name"
fi
echo "1..$number"
