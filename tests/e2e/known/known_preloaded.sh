# SPDX-License-Identifier: BSD-3-Clause
# Programs whose overheads are known, compiled without sisc: those of lib_preloaded.sh, which says
# why the others are none of them.
# ci: runs 70 programs
# asleep: its truth is time asleep, which ends later on a busy machine
# parts: 8
known=$(cd "$(dirname "$0")" && pwd)
. "$known/lib_preloaded.sh"
. "$known/known_sampled.sh"
