# SPDX-License-Identifier: BSD-3-Clause
# Programs whose overheads are known, compiled without sisc: all but those in which something cannot
# be known without probes.
# ci: runs 70 programs
# asleep: its truth is time asleep, which ends later on a busy machine
# parts: 8
#
# Without the compiler, calls of GOMP_barrier for explicit and implicit barriers are the same
# (explicit_barrier, lock_barrier, lock_queue, uneven_tasks), and a single construct or the last
# section is a part of the function (single, sections, team_sizes). Reading by fread has no leaf
# (reading). A function that runs for less than the time between two samples has none (short_phase,
# short_work). In hybrid_inside, and where threads of pthreads work alone (pthread_exit,
# pthread_late, pthread_pools), the runtime compares work of threads by region. pthread_timed and
# wrong_order_chain have waits of the same thread with several culprits. pauses includes sis.h.
here=$(cd "$(dirname "$0")" && pwd)
unknown=" explicit_barrier lock_barrier lock_queue uneven_tasks single sections team_sizes short_phase
	short_work hybrid_inside pthread_exit pthread_late pthread_pools pthread_timed reading
	wrong_order_chain pauses "
KNOWN=
for file in "$here"/*.c; do
	name=$(basename "$file" .c)
	case $unknown in *[[:space:]]"$name"[[:space:]]*) ;; *) KNOWN="$KNOWN $name" ;; esac
done
. "$here/known_sampled.sh"
