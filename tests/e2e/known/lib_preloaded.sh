# SPDX-License-Identifier: BSD-3-Clause
# lib_preloaded.sh - sets KNOWN to the programs of the folder $known of which everything that is
# judged is known without probes, too. The others:
#
# Without the compiler, calls of GOMP_barrier for explicit and implicit barriers are the same
# (explicit_barrier, lock_barrier, uneven_tasks), and a single or master construct or the last
# section is a part of the function (single, sections, team_sizes, hybrid_inside). Reading by fread
# has no leaf (reading). A function that runs for less than the time between two samples has none
# (short_phase, short_work). Where threads of pthreads work alone (pthread_exit, pthread_late,
# pthread_pools), the runtime compares work of threads by region. In lock_queue, pthread_timed and
# wrong_order_chain the same thread waits for several culprits. pauses includes sis.h.
# shellcheck shell=sh disable=SC2154
unknown=" explicit_barrier lock_barrier lock_queue uneven_tasks single sections team_sizes
	short_phase short_work hybrid_inside pthread_exit pthread_late pthread_pools pthread_timed reading
	wrong_order_chain pauses "
KNOWN=
for file in "$known"/*.c; do
	name=$(basename "$file" .c)
	case $unknown in *[[:space:]]"$name"[[:space:]]*) ;; *) KNOWN="$KNOWN $name" ;; esac
done
