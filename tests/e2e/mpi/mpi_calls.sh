# SPDX-License-Identifier: BSD-3-Clause
# The wrappers of MPI record messages, requests, collective operations and communicators to the
# last byte. The program is built without sisc first, so that libsis-mpi alone sees every call.
# Built with sisc, calls that repeat take the fast path.
. "$(dirname "$0")/../lib.sh"

lib=$build_dir/lib
"$CC" -I"$TOP/schema" -o records "$HERE/records.c" 2>build.err ||
	give_up "records is built" build.err
"$MPICC" -O1 -o calls "$HERE/calls.c" -L"$lib" -lsis-mpi -lsis -Wl,-rpath,"$lib" \
	-lpthread 2>build.err ||
	give_up "calls is built" build.err

mpi_version=$(printf '#include <mpi.h>\nMPI_VERSION\n' | "$MPICC" -E -P -x c - | tail -n 1)
# since_4 WHAT GOT WANTED OLDER: with an MPI before 4.0, fewer calls are made
since_4() {
	if [ "$mpi_version" -ge 4 ]; then equal "$1" "$2" "$3"; else equal "$1" "$2" "$4"; fi
}

# arrivals: of each message to rank 1 its tag, and its bytes where they are recorded
arrivals() {
	awk '($1 == "RECV" || $1 == "DONE") &&
		$2 == 1 { printf "%s%d:%d", n++ ? " " : "", $6, $7 }' lines
}

# try CASE RANKS [PROGRAM]: runs it; its lines are in `lines`, sorted by rank
try() {
	name="$1${3:+, with sisc}"
	run "$2" 1 "./${3:-calls}" "$1"
	equal "$name: exit status" "$run_status" 0
	equal "$name: output" "$(cat run.out)" done
	./records "$EXP" | sort -k2,2n -s >lines
	equal "$name: profiles" "$(grep -c '^state .* 2 0$' lines)" "$2"
	equal "$name: what must hold" "$(awk -f "$HERE/invariants.awk" lines)" ""
}

# calls_of ROUTINE: calls and message metrics of rank 0
calls_of() {
	awk -v r="$1" '$1 == "call" && $2 == 0 && $3 == r { print $4, $5, $6, $7, $8 }' lines
}
# records_of KIND: how many of rank 0
records_of() { awk -v k="$1" '$1 == k && $2 == 0' lines | wc -l; }

try pingpong 2
equal "sends" "$(calls_of MPI_Send)" "10 10 0 80 0"
equal "receives" "$(calls_of MPI_Recv)" "10 0 10 0 80"

try various 3
equal "all of them" "$(calls_of MPI_Recv)" "3000 0 2957 0 58120"

try waitall 2
equal "batches larger than the stack's" "$(calls_of MPI_Waitall)" "3 0 120 0 120"
equal "a DONE for each" "$(records_of DONE)" 240

try completion 2
equal "any, some, tests, wildcards" "$(records_of DONE)" 9
matches "the sender of a wildcard" "$(cat lines)" "^DONE 0 0\.0 0 1 77 3 "
equal "synchronous sends are marked" "$(awk '$1 == "ISEND" && $2 == 0 && $9 == 2' lines | wc -l)" 4

try persistent 2
equal "starts" "$(calls_of MPI_Startall)" "4 4 0 24 0"
equal "a start each" "$(records_of ISEND) $(records_of IRECV)" "5 4"

try probed 2
equal "typed bytes" "$(calls_of MPI_Sendrecv)" "1 1 1 44 44"
equal "in place" "$(calls_of MPI_Sendrecv_replace)" "1 1 1 12 12"
equal "matched probes" "$(calls_of MPI_Mrecv)" "1 0 1 0 7"

try none 2
equal "to nobody" "$(calls_of MPI_Send)" "1 0 0 0 0"
equal "cancelled" "$(awk '$1 == "DONE" && $2 == 0 { print $7, $9 }' lines)" "0 4"

try collectives 2
equal "broadcast" "$(calls_of MPI_Bcast)" "1 0 0 8 0"
equal "gather in place" "$(calls_of MPI_Gather)" "1 0 0 0 8"
equal "scatter in place" "$(calls_of MPI_Scatter)" "1 0 0 8 0"
equal "all to all" "$(calls_of MPI_Alltoallw)" "1 0 0 8 8"
equal "reduce and scatter" "$(calls_of MPI_Reduce_scatter)" "1 0 0 8 4"
equal "reduction" "$(calls_of MPI_Reduce)" "1 0 0 8 8"
equal "windows" "$(records_of FENCE)" 4
try collectives 4

try begun 2
equal "begun: broadcast" "$(calls_of MPI_Ibcast)" "1 0 0 8 0"
equal "begun: gather in place" "$(calls_of MPI_Igather)" "1 0 0 0 8"
equal "begun: scatter in place" "$(calls_of MPI_Iscatter)" "1 0 0 8 0"
equal "begun: all to all" "$(calls_of MPI_Ialltoallw)" "1 0 0 8 8"
equal "begun: reduce and scatter" "$(calls_of MPI_Ireduce_scatter)" "1 0 0 8 4"
equal "begun: nothing of a barrier" "$(calls_of MPI_Ibarrier)" "1 0 0 0 0"
since_4 "begun: a record where it begins and one where it is done" \
	"$(awk '$1 != "POLLS" && ($9 == 32 || $9 == 40) { n[$1 == "DONE", $2]++ }
	END { print n[1, 0], n[0, 0], n[1, 1], n[0, 1] }' lines)" "15 15 15 15" "6 6 6 6"
since_4 "persistent: each time that they are started" \
	"$(awk '$1 == "call" && $2 == 0 && $3 ~ /^MPI_Start/ { print $4, $7, $8 }' lines |
	sort | tr '\n' ' ')" "3 0 48 3 36 36 " ""
try begun 4

# neighbours: of each rank the calls, the bytes sent and received
neighbours() {
	awk -v r="$1" '$1 == "call" && $3 == r { c[$2] += $4; s[$2] += $7; g[$2] += $8 }
		END {
			for (i = 0; i in c; i++)
				printf "%s%d %d %d", i ? ", " : "", c[i], s[i], g[i]
		}' \
		lines
}
try neighbours 4
equal "nobody beyond the border" \
	"$(neighbours MPI_Neighbor_allgather)" \
	"1 8 8, 1 16 16, 1 16 16, 1 8 8"
since_4 "counts by place, and in a graph, of large counts" \
	"$(neighbours MPI_Neighbor_alltoallv)" \
	"2 18 10, 2 18 18, 2 18 18, 2 6 14" \
	"1 12 4, 1 16 16, 1 16 16, 1 4 12"
equal "no border" "$(neighbours MPI_Neighbor_alltoall)" "3 24 24, 3 24 24, 3 24 24, 3 24 24"
equal "itself on both sides, begun" \
	"$(neighbours MPI_Ineighbor_allgather)" \
	"1 12 12, 1 16 16, 1 16 16, 1 12 12"
equal "sources are not targets" \
	"$(neighbours MPI_Neighbor_allgatherv)" \
	"1 12 4, 1 0 4, 1 0 4, 1 4 4"
equal "types by place, begun" "$(neighbours MPI_Ineighbor_alltoallw)" "1 24 8, 1 0 4, 1 0 8, 1 8 12"
since_4 "persistent: nothing where it is prepared" \
	"$(neighbours MPI_Neighbor_alltoallv_init)" \
	"1 0 0, 1 0 0, 1 0 0, 1 0 0" ""
since_4 "persistent: each time that it is started" \
	"$(neighbours MPI_Start)" \
	"3 72 12, 3 0 12, 3 0 24, 3 12 36" ""
equal "they are no messages" "$(awk '$1 ~ /SEND|RECV/ || $1 == "NXN" && $3 != "0.0"' lines)" ""
since_4 "the sources of each rank in a line, a ring, a row of both, a star and a graph" \
	"$(awk '$1 == "NEIGHBOUR" { n[$2] = n[$2] $5 }
		END { print n[0], n[1], n[2], n[3] }' lines)" \
	"1310013123 0202110200 1313221300 22033200" \
	"1310013 020211020 131322130 2203320"
since_4 "a record of each collective, two if it is begun and completed" \
	"$(awk '$1 == "NEIGH" || $1 == "DONE" { n[$1, $9, $2]++ }
		END { print n["NEIGH", 0, 0], n["NEIGH", 32, 0], n["DONE", 32, 0] }' lines)" "7 5 5" "6 2 2"

try communicators 2
equal "no nameless ones" "$(grep -c '^comm [01] - ' lines)" 0
equal "an intercommunicator has another side, by the same number" \
	"$(awk '$1 == "side" { n[$3]++ } END { for (i in n) print n[i] }' lines)" 2
equal "all named alike but MPI_COMM_SELF and rank 0's own" \
	"$(awk '$1 == "comm" { n[$3]++ } END { for (i in n) if (n[i] == 1) k++; print k + 0 }' \
		lines)" \
	"$(awk '$1 == "comm" && $4 == 1' lines | wc -l)"
try communicators 4

try threads 2
equal "threads" "$(calls_of MPI_Isend | awk '{ n += $1; m += $2 } END { print n, m }')" "6400 6400"

try memory 2
equal "exposed and opened" \
	"$(calls_of MPI_Win_wait) $(calls_of MPI_Win_complete)" \
	"1 0 0 0 0 1 0 0 0 0"
equal "locked" "$(calls_of MPI_Win_unlock)" "3 0 0 0 0"
equal "a request of a window is no message" "$(records_of DONE)" 0
equal "what was moved" "$(records_of PUT) $(records_of GET) $(records_of ACCUMULATE)" "1 1 4"
equal "who opened to whom, who had what locked" \
	"$(for kind in POST START COMPLETE WAIT LOCK UNLOCK FLUSH; do
		records_of $kind
	done | tr "\n" " ")" \
	"1 1 1 1 4 4 1 "
equal "fences, and what is collective on windows" "$(records_of FENCE)" 4
try file 2
equal "a request of a file is no message, but that of a collective is completed" \
	"$(records_of DONE) $(calls_of MPI_File_iread_at)" \
	"1 1 0 0 0 0"
equal "opened, written twice, synchronized, closed: collective on a file" "$(records_of FILE)" 5
try partitioned 2
since_4 "a message with the last of its parts" "$(calls_of MPI_Pready)" "8 2 0 64 0" ""
since_4 "is what is received" \
	"$(awk '$1 == "call" && $2 == 1 && $3 == "MPI_Wait" { print $4, $6, $8 }' lines)" \
	"2 2 64" ""
since_4 "and no other message" \
	"$(awk '$1 == "ISEND" || $1 == "IRECV" || $1 == "DONE" { n[$2]++; f[$2] = $9 }
		END { print n[0], f[0], n[1], f[1] }' lines)" \
	"4 65 4 64" "   "

SISC_CC=$MPICC build measured_calls "$HERE/calls.c" -O1 -lpthread

for program in calls measured_calls; do
	run 2 1 ./$program cut
	./records "$EXP" | sort -k2,2n -s >lines
	equal "what was too long for its buffer has been received all the same ($program)" \
		"$(cat run.out) $(arrivals)" \
		"done 0:0 0:5 1:0 1:5 2:0 2:5 3:0 3:5 4:0 4:5 5:0 5:5 6:0 6:5"
	equal "messages are counted as often as they were sent ($program)" \
		"$(awk '$1 == "call" { sent += $5; received += $6 } END { print sent, received }' \
			lines)" "14 14"
done

for program in calls measured_calls; do
	run 2 1 ./$program given_up
	./records "$EXP" | sort -k2,2n -s >lines
	equal "what is given up is done if it was cancelled ($program)" \
		"$(awk '$1 == "DONE" { print $4, $5, $8, $9 }' lines | tr '\n' ' ')" \
		"1 -1 2 12 1 -1 3 12 "
	equal "so that each message has its receive ($program)" \
		"$(query '.[0].warnings | length' show "$EXP")" \
		0
done

for name in pingpong various waitall completion persistent probed collectives communicators \
	threads memory errors operator begun; do
	try $name "$([ $name = various ] && echo 3 || echo 2)" measured_calls
done

try neighbours 4 measured_calls
since_4 "with neighbours, by call site" \
	"$(query '[.[] | select(.process == 0 and (.region | test("eighbor|Start"))) |
	"\(.region) \(.calls) \(.metrics.BYTES_S) \(.metrics.BYTES_R)"] | sort | join(", ")' \
	regions "$EXP")" \
	"MPI_Ineighbor_allgather 1 12 12, MPI_Ineighbor_alltoallw 1 24 8, \
MPI_Neighbor_allgather 1 8 8, MPI_Neighbor_allgatherv 1 12 4, \
MPI_Neighbor_alltoall 3 24 24, MPI_Neighbor_alltoallv 1 12 4, \
MPI_Neighbor_alltoallv_c 1 6 6, MPI_Neighbor_alltoallv_init 1 null null, \
MPI_Start 3 72 12" \
	"MPI_Ineighbor_allgather 1 12 12, MPI_Ineighbor_alltoallw 1 24 8, \
MPI_Neighbor_allgather 1 8 8, MPI_Neighbor_allgatherv 1 12 4, \
MPI_Neighbor_alltoall 3 24 24, MPI_Neighbor_alltoallv 1 12 4"

try file 2 measured_calls
equal "bytes of files, also of what is only begun" \
	"$(query '[.[] | select(.process == 0 and .metrics.IOBYTES_R != null)
	| "\(.region) \(.metrics.IOBYTES_R) \(.metrics.IOBYTES_W)"] | sort | join(", ")' regions \
	"$EXP")" \
	"MPI_File_iread_at 8 0, MPI_File_iwrite_at_all 0 4, MPI_File_write_at_all 0 8"

name=muted
run 2 1 ./calls muted
./records "$EXP" | sort -k2,2n -s >lines
equal "measured: before and after" \
	"$(awk '$1 == "BARRIER" && $2 == 0 { print $3 != "0.0", $8 }' lines | tr '\n' ' ')" \
	"0 0 1 0 0 3 0 4 "
equal "the numbers agree with rank 1's" \
	"$(awk '$1 == "BARRIER" && $2 == 1 { print $3 != "0.0", $8 }' lines | tr '\n' ' ')" \
	"0 0 0 1 1 0 0 3 0 4 "

try errors 2
equal "after a jump" "$(calls_of MPI_Barrier)" "2 0 0 0 0"
try operator 2
equal "calls inside calls pass through" "$(calls_of MPI_Comm_size)" "1 0 0 0 0"

source_file pcontrol.c <<'END'
#include <mpi.h>
static int work(int n) { for (int i = 0; i < n + 9; i++) n ^= i; return n; }
static void resume(void) { MPI_Pcontrol(1); work(1); }
static void pause_it(void) { MPI_Pcontrol(0); work(2); }
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	pause_it();
	work(3);
	resume();
	work(4);
	MPI_Finalize();
	return 0;
}
END
build pcontrol pcontrol.c -O1
run 1 1 ./pcontrol
equal "MPI_Pcontrol in different functions: what is between them is left out" \
	"$(query '[.[] | select(.type == "CR_F") | "\(.region) \(.calls)"] | sort | join(", ")' \
		regions "$EXP")" "pause_it 1, work 1"
lacks "MPI_Pcontrol in different functions: and nothing else" \
	"$(query '.[0].warnings[]' show "$EXP")" \
	"matched no open"

# -- ends that are not MPI_Finalize --------------------------------------------------------------
# If processes end before they connect to mpiexec, SIGPIPE may kill mpiexec, with any program.
for _ in 1 2 3 4 5 6 7 8 9 10; do
	run 2 1 ./calls noinit
	[ "$run_status" = 141 ] || break
done
equal "no MPI_Init: exit status" "$run_status" 3
equal "no MPI_Init: nothing is left" "$(ls -d "$EXP" 2>/dev/null)" ""
run 2 1 ./calls aborted
equal "MPI_Abort: exit status" "$run_status" 7
matches "MPI_Abort: state" "$(./records "$EXP")" "^state 1 4 7$"
run 1 1 ./calls nofinalize
equal "no MPI_Finalize: measured" \
	"$(./records "$EXP" | awk '$1 == "call" && $3 == "MPI_Init_thread" { print $4 }')" \
	1

run 2 1 ./calls leaves
equal "left by _exit after MPI_Finalize: all have come there" \
	"$(./records "$EXP" | grep -c '^FINALIZE')" \
	2
lacks "and none is missed by the others" \
	"$(query '.[0].warnings[]' show "$EXP")" \
	"could not be matched"

# -- one experiment, although processes start in different directories ---------------------------
mkdir a b
"$MPIEXEC" -n 1 -wdir "$T/a" "$T/calls" pingpong : -n 1 -wdir "$T/b" "$T/calls" \
	pingpong >run.out 2>run.err
# mpiexec of Open MPI itself goes to the directory of the processes that it starts
[ "${MPI:-}" != openmpi ] || mv a/sis-* b/sis-* . 2>/dev/null
equal "two directories, one experiment" \
	"$(ls -d sis-*/proc-* | wc -l) $(ls a b | grep -c sis)" \
	"2 0"
rm -r sis-*
SIS_OUTPUT=$T/half "$MPIEXEC" -n 1 ./calls pingpong : -n 1 env SIS_ENABLE=0 "$T/calls" \
	pingpong >run.out 2>run.err
equal "one process off" \
	"$(./records "$T/half" | awk '$1 == "call" && $3 == "MPI_Send" { print $2, $4 }')" \
	"0 10"

echo "1..$number"
