# SPDX-License-Identifier: BSD-3-Clause
# lib_traced.sh - runs of programs of known/ with a trace, for tests of intervals. After lib.sh.
# shellcheck shell=sh

# run_traced RANKS THREADS NAME: builds a program of known/ and runs it. It works for a tenth of the
# time where it polls, because each poll has events.
run_traced() {
	sed 's/work(0\.2)/work(0.02)/' "$E2E/known/$3.c" >"$3.c"
	build "$3" "$3.c" -fopenmp -pthread "-I$E2E/known" "-I$build_dir/include" \
		--sis-cr=CR_F,CR_OMP,CR_MPI,CR_PTCREATE,CR_PTJOIN,CR_PTMUTEX,CR_PTCOND
	SIS_TRACE=1 run "$1" "$2" "./$3"
}
