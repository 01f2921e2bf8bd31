# SPDX-License-Identifier: BSD-3-Clause
# Programs that define routines of the C library themselves: the runtime calls these, and they
# have probes.
. "$(dirname "$0")/../lib.sh"

cp "$HERE/own_routines.c" own.c
build own own.c -O1 -w -fno-builtin -fno-tree-loop-distribute-patterns \
	--sis-cr=CR_F,CR_L,CR_STMT,CR_S
run_alone 1 timeout -s KILL 20 ./own
equal "the program ends" "$run_status" 0
equal "it prints what it does without sisc" "$(cat run.out)" "abc 10"
calls=$(query '[.[] | select(.region == "memcpy" and .type == "CR_F") | .calls] | add // 0' \
	regions "$EXP")
check "its own routine is measured, $calls times" [ "$calls" -ge 10 ]
identity "own routines"
