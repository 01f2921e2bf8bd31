# SPDX-License-Identifier: BSD-3-Clause
# The start of the runtime leaves nothing in the memory that malloc returns to the program.
. "$(dirname "$0")/../lib.sh"
gcc -O1 "$HERE/fresh_memory.c" -o plain || give_up "the program does not compile"
SISC_CC=gcc "$SISC" -O1 "$HERE/fresh_memory.c" -o measured || give_up "sisc does not compile it"
wanted=$(./plain)
export SIS_LOG=quiet
equal "the experiment's directory has the time in its name" "$(./measured)" "$wanted"
equal "the directory is new" "$(SIS_OUTPUT=out ./measured)" "$wanted"
equal "the directory is used again" "$(SIS_OUTPUT=out ./measured)" "$wanted"
mkdir other && : >other/file
equal "the directory has other files" "$(SIS_OUTPUT=other ./measured)" "$wanted"
equal "with samples" "$(SIS_BLAME=1 SIS_OUTPUT=blame ./measured)" "$wanted"
equal "in a time zone" "$(TZ=Europe/Vienna ./measured)" "$wanted"
