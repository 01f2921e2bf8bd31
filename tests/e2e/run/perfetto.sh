# SPDX-License-Identifier: BSD-3-Clause
# sis-analyze export --format perfetto shows the events of a trace, with places in the source, types
# of regions and messages, in a file that is hardly larger than the trace.
. "$(dirname "$0")/../lib.sh"

TAB=$(printf '\t')
cp "$HERE/trace_ranks.c" ranks.c
cp "$HERE/trace_steps.c" steps.c
cp "$HERE/trace_ring.c" ring.c
build ranks ranks.c -O1 -fopenmp "-I$build_dir/include" --sis-cr=CR_F,CR_A,CR_OMP,CR_MPI
build steps "-I$E2E/include" steps.c -O1 "-I$build_dir/include" --sis-cr=CR_P,CR_A
build ring ring.c -O1 --sis-cr=CR_F,CR_MPI
$CC -O1 "$HERE/perfetto_read.c" -o perfetto_read >build.err 2>&1 ||
	give_up "builds the reader" build.err

# perfetto [OPTION...]: what is in the trace, into `events`
perfetto() {
	analyze export "$EXP" --format perfetto "$@" -o run.pftrace.gz 2>export.err ||
		cat export.err
	gzip -dc run.pftrace.gz | ./perfetto_read >events
}
# sound WHAT [OPTION...]: nothing is wrong, and there are events
sound() {
	what=$1 && shift
	perfetto "$@"
	equal "$what: nothing is wrong" "$(grep '^wrong' events)" ""
	check "$what: it has events" grep -q "^B$TAB" events
}
lines() { grep -c "^$1" events; }
traced() { SIS_TRACE=1 run_alone 1 "$@"; }

# -- regions, threads, values
SIS_TRACE=1 run 2 2 ./ranks
sound "two ranks"
equal "processes and threads" \
	"$(grep "^[PT]$TAB" events | sed 's/ (pid.*//' | tr "$TAB" ' ' | paste -sd,)" \
	"P 1 rank 0,T 1 1 thread 0,T 1 2 thread 1,$(
		)P 4097 rank 1,T 4097 4097 thread 0,T 4097 4098 thread 1"
equal "types and places of regions" \
	"$(grep "^S${TAB}4097$TAB" events | cut -f3- | sort -u | tr "$TAB" ' ')" \
	"MPI_Comm_rank CR_MPICOMM ranks.c:14 main
MPI_Finalize CR_MPIINIT ranks.c:30 main
MPI_Init CR_MPIINIT ranks.c:13 main
MPI_Recv CR_MPIRECV ranks.c:27 main
fork RT_FORK :0 
implicit barrier RT_IBAR :0 
inner CR_A ranks.c:19 main
join RT_JOIN :0 
main CR_P ranks.c:10 main
omp parallel for@17 CR_OMPPAFOR ranks.c:17 main
step CR_A ranks.c:16 main
work CR_F ranks.c:4 work"
equal "what the program says, by thread" \
	"$(awk -F'\t' '$1 == "C" && $4 == "progress" { n[$2]++; sum[$2] += $5 }
		END { for (t in n) print t, n[t], sum[t] }' events | sort -n | paste -sd,)" \
	"1 100 4950,4097 100 4950"
equal "bytes, peer and tag of messages" \
	"$(grep "^A$TAB" events | sort | uniq -c | awk '{ print $1, $2, $3, $4, $5, $6 }')" \
	"100 A 1 MPI_Send send.bytes 4
100 A 1 MPI_Send send.peer 1
100 A 1 MPI_Send send.tag 0
100 A 4097 MPI_Recv receive.bytes 4
100 A 4097 MPI_Recv receive.peer 0
100 A 4097 MPI_Recv receive.tag 0"
equal "a flow for each message" \
	"$(grep "^F$TAB" events | cut -f3- | sort | uniq -c | awk '{ print $1, $2, $3, $4, $5 }')" \
	"100 1 4097 MPI_Send MPI_Recv"
equal "the file is compressed by gzip" "$(gzip -t run.pftrace.gz && echo yes)" yes
sound "one thread of it" --process 1 --thread 0
equal "one thread of it: no other" "$(cut -f2 events | sort -u)" 4097
equal "one thread of it: no flow without its begin" "$(lines F)" 0
from=$(awk -F'\t' '$1 ~ /[BE]/ && $4 == "step" { printf "%.9f\n", $3 / 1e9 }' events |
	sort -n | sed -n 101p)
sound "a window of it" --window "$from:"
check "a window of it: less than all" test "$(lines B)" -gt 1000 -a "$(lines B)" -lt 8000
equal "a window of it: what was open before begins with it" "$(grep -c "^B.*main$" events)" 2

# -- calls that send and receive, or receive several messages
SIS_TRACE=1 run 3 1 ./ring
sound "a ring"
equal "a ring: flows between the right ranks" \
	"$(grep "^F$TAB" events | cut -f3- | sort | uniq -c |
		awk '{ print $1, $2 "->" $3, $4, $5 }')" \
	"10 1->4097 MPI_Isend MPI_Waitall
10 1->4097 MPI_Sendrecv MPI_Sendrecv
10 1->8193 MPI_Isend MPI_Waitall
10 4097->1 MPI_Isend MPI_Waitall
10 4097->8193 MPI_Isend MPI_Waitall
10 4097->8193 MPI_Sendrecv MPI_Sendrecv
10 8193->1 MPI_Isend MPI_Waitall
10 8193->1 MPI_Sendrecv MPI_Sendrecv
10 8193->4097 MPI_Isend MPI_Waitall"
equal "a ring: what one call sends and receives, and what it receives from several" \
	"$(grep "^A${TAB}1$TAB" events | sort | uniq -c | awk '{ print $1, $4, $5, $6 }')" \
	"10 MPI_Isend send.bytes 40
10 MPI_Isend send.bytes 80
10 MPI_Isend send.peer 1
10 MPI_Isend send.peer 2
10 MPI_Isend send.tag 1
10 MPI_Isend send.tag 2
10 MPI_Sendrecv receive.bytes 1048576
10 MPI_Sendrecv receive.peer 2
10 MPI_Sendrecv receive.tag 5
10 MPI_Sendrecv send.bytes 1048576
10 MPI_Sendrecv send.peer 1
10 MPI_Sendrecv send.tag 5
10 MPI_Waitall receive[0].bytes 40
10 MPI_Waitall receive[0].peer 1
10 MPI_Waitall receive[0].tag 1
10 MPI_Waitall receive[1].bytes 80
10 MPI_Waitall receive[1].peer 2
10 MPI_Waitall receive[1].tag 2"

# -- size
traced ./steps 5000
perfetto
trace=$(cat "$EXP"/trace-*.sis | wc -c) file=$(wc -c <run.pftrace.gz)
check "a million events: $file bytes of a trace of $trace" test "$file" -lt $((trace * 10))
equal "a million events: nothing is said" "$(cat export.err)" ""
equal "a million events: all are there" "$(lines B) $(lines E)" "505001 505001"
equal "on standard output" \
	"$(analyze export "$EXP" --format perfetto | cmp - run.pftrace.gz)" ""
$CC -shared -fPIC -o stand_in.so "$E2E/analyze/terminal_stand_in.c" 2>build.err ||
	give_up "stand_in is built" build.err
PAGER=cat STAND_IN=shown STAND_IN_COLUMNS=80 LD_PRELOAD=$T/stand_in.so \
	"$ANALYZE" export "$EXP" --db "$T/sis.db" --format perfetto >shown 2>export.err
equal "not at a terminal" "$? $(wc -c <shown) $(cat export.err)" \
	"2 0 sis-analyze: error: export: perfetto is not for terminals; name a file for it with -o"
one_error "a full disk" 1 "cannot write '/dev/full'" \
	analyze export "$EXP" --format perfetto -o /dev/full

# -- ways to end, gaps, damage
for end in kill abort exit fork; do
	traced ./steps 20 $end
	sound "$end"
done
# Events that are dropped at the very end, after the last that was written, have no place.
for try in 1 2 3 4 5; do
	SIS_TRACE_POLICY=drop SIS_TRACE_BUFFER=16K traced ./steps 8000
	perfetto
	grep -q "^I.*[0-9] events dropped$" events && break
done
sound "drop"
check "drop: says where" grep -q "^I.*[0-9] events dropped$" events
SIS_TRACE_POLICY=overwrite SIS_TRACE_BUFFER=64K traced ./steps 300
sound "overwrite"
traced ./steps 2000
trace=$(ls "$EXP"/trace-*.sis)
size=$(wc -c <"$trace")
cp "$trace" whole.sis
for at in 3 5 7; do
	{
		head -c $((size * at / 9)) whole.sis
		printf damage
		tail -c +$((size * at / 9 + 7)) whole.sis
	} >"$trace"
	sound "damage at $at ninths"
	head -c $((size * at / 9)) whole.sis >"$trace"
	sound "the first $at ninths"
done
echo nothing >"$trace"
one_error "no trace at all" 1 "not a trace of SIS|truncated" \
	analyze export "$EXP" --format perfetto -o none.gz
equal "no trace at all: no file" "$(ls none.gz 2>&1 | grep -c 'No such file')" 1
run_alone 1 ./steps 10
one_error "not asked for: says how" 1 "SIS_TRACE=1" analyze export "$EXP" --format perfetto
