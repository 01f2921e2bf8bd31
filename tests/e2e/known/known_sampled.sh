# SPDX-License-Identifier: BSD-3-Clause
# Programs whose overheads are known, compiled without sisc and measured by preloading the runtime:
# samples tell work that only some processes have from work that is uneven, and culprits are
# functions. KNOWN names other programs of this folder. known_preloaded.sh has all of them.
# asleep: its truth is time asleep, which ends later on a busy machine
# parts: 4
PRELOAD=1
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_known.sh"

PART=${PART:-1 1}
number=0
judged=0
for name in ${KNOWN:-late_broadcast late_sender_beside some_work two_phases lock critical \
	pthread_waits pthread_locks}; do
	number=$((number + 1))
	[ $((number % ${PART#* })) = $((${PART% *} - 1)) ] || continue
	judged=$((judged + 1))
	known_build "$name" "$HERE/$name.c" -g -O1
	known_judge "$name" "$HERE/$name.c" "$name"
done
[ $judged -gt 0 ] || ok "no program of this part was asked for"
