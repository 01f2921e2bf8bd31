# SPDX-License-Identifier: BSD-3-Clause
# A third of the programs of known.sh that use MPI, with Open MPI, beside the MPI library of mpicc.
# make check-long runs all of them.
# asleep: its truth is time asleep, which ends later on a busy machine
# parts: 4
MPI=openmpi KNOWN_THIRD=1
command -v mpicc.$MPI >/dev/null || { echo "ok 1 - Open MPI # SKIP no mpicc.$MPI" && exit; }
. "$(dirname "$0")/known.sh"
