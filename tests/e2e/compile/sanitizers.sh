# SPDX-License-Identifier: BSD-3-Clause
# Sanitizers find no fault of ours in measured programs, and the programs are measured.
. "$(dirname "$0")/../lib.sh"

cp "$HERE/sanitizers.c" threads.c
# Without MPI: UCX, which is behind it here, has handlers of its own in threads that end, and the
# thread sanitizer does not survive these.
SISC_CC=gcc
export SISC_CC
for sanitizer in thread address undefined leak; do
	build "$sanitizer" threads.c -O1 -g -pthread -fsanitize=$sanitizer \
		--sis-cr=CR_F,CR_L,CR_A,CR_P
	for trace in 0 1; do
		SIS_TRACE=$trace run_alone 1 "./$sanitizer"
		equal "$sanitizer, trace $trace: ends, and says what it says" \
			"$run_status $(cat run.out) $(head -n 3 run.err)" \
			"0 12000 "
		equal "$sanitizer, trace $trace: is measured" \
			"$(query '[.[] | select(.region == "work") | .calls] | add' regions \
				"$EXP")" \
			60
	done
done
