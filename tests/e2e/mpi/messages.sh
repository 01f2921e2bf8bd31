# SPDX-License-Identifier: BSD-3-Clause
# The communication matrix of a program whose messages are known: a ring, and a reduction among
# the even ranks.
. "$(dirname "$0")/../lib.sh"

cp "$HERE/messages.c" ring.c
build ring ring.c -O1
run 4 1 ./ring 3
equal "runs" $run_status 0

# first: what of a row; then: options
rows() { query ".[] | $1" messages "$@" "$EXP" | tr '\n' ' '; }
pairs() { row=$1; shift; query ".[] | $row" messages "$EXP" "$@" | sort | tr '\n' ' '; }
equal "from, to, calls, bytes" \
	"$(pairs '"\(.from)>\(.to) \(.calls) \(.bytes)"')" \
	"0>1 3 300 0>2 1 7 1>2 3 600 2>3 3 900 3>0 3 1200 "
equal "nothing is estimated" "$(pairs .estimated | tr ' ' '\n' | sort -u | tr -d '\n')" false
equal "the largest first" "$(query '.[0] | "\(.from)>\(.to)"' messages "$EXP")" "3>0"
equal "by communicator" \
	"$(query '[.[] | select(.name == "even") | "\(.size) \(.messages) \(.message_bytes)"] |
		join(" ")' messages --communicators "$EXP")" \
	"2 1 7"
even=$(query '.[] | select(.name == "even") | .communicator' messages --communicators "$EXP")
equal "on one of them" "$(pairs '"\(.from)>\(.to) \(.bytes)"' --comm "$even")" "0>2 7 "
equal "by call" \
	"$(query '[.[] | select(.collective | not) |
		"\(.region):\(.line_start) \(.senders) \(.receivers) \(.calls) \(.bytes)"] |
		join(", ")' messages --by-site "$EXP")" \
	"MPI_Sendrecv:17 4 4 12 3000, MPI_Send:22 1 1 1 7"
equal "collective operations" \
	"$(query '[.[] | select(.region == "MPI_Allreduce") | .calls] | add' messages --by-site \
		"$EXP")" \
	4
equal "what they sent" \
	"$(query '[.[] | select(.region == "MPI_Allreduce") | "\(.collective) \(.bytes)"] |
		join(", ")' messages --by-site "$EXP")" \
	"true 8, true 8"
matches "a picture" "$(COLUMNS=80 analyze messages "$EXP")" '^ +3 @'
matches "each receiver has a heading" "$(COLUMNS=80 analyze messages "$EXP")" \
	'^from.to 0 1 2 3$'
matches "its shades are logarithms" "$(COLUMNS=80 analyze messages "$EXP")" '^ +0   # :'
matches "none where it does not fit" \
	"$(COLUMNS=12 analyze messages "$EXP")" \
	'more than fit the terminal'
equal "as csv" "$(analyze messages --csv "$EXP" | sed -n 2p | cut -d, -f1-4)" "3,0,3,1200"
one_error "no communicator" 2 'is no number' "$ANALYZE" messages --db "$T/sis.db" --comm x "$EXP"

equal "each number of a communicator has a heading of its own" \
	"$(analyze messages --communicators "$EXP" | sed -n '1s/   */,/gp' | cut -d, -f4-)" \
	"messages,message bytes,collective calls,collective bytes,in calls [s],kind"

# a full log has the first messages; counts of all messages are estimated from them
SIS_RECORDS=4096 run 1 1 ./ring 20000
equal "runs with a full log" $run_status 0
analyze import "$EXP" >import.out 2>&1
matches "some records were dropped" "$(analyze show "$EXP")" 'records of messages were dropped'
equal "calls are estimated" \
	"$(pairs '"\(.from)>\(.to) \(.calls) \(.bytes) \(.estimated)"' --filter 'calls>5')" \
	"0>0 20000 2000000 true "

# between two groups, and through windows: what rank 0 gets comes from the other rank
cp "$HERE/messages_other.c" other.c
build other other.c -O1
run 3 1 ./other
equal "runs with two groups and a window" $run_status 0
equal "each has its kind" "$(pairs '"\(.kind) \(.from)>\(.to) \(.calls) \(.bytes);"')" \
	"accumulate 0>2 1 4; get 2>0 1 8; inter message 0>2 1 20; inter message 1>0 1 28; put 0>1 1 12; "
equal "so are communicators" \
	"$(query '[.[] | select(.messages > 0) |
		"\(.kind) \(.name) \(.size) \(.messages) \(.message_bytes)"] | sort | join(", ")' \
		messages --communicators "$EXP")" \
	"inter coupling 2 2 48, window  3 3 24"
equal "all found their partners" "$(analyze show "$EXP" | grep -c 'could not be matched')" 0

# merged and exported experiments have the same
analyze export --format xml "$EXP" >out.xml
"$ANALYZE" import --db two.db out.xml >import.out 2>&1
equal "an export has it" \
	"$("$ANALYZE" messages --db two.db --json)" \
	"$(analyze messages --json "$EXP")"
equal "and causes of waits" \
	"$("$ANALYZE" waits --culprits --db two.db --json)" \
	"$(analyze waits --culprits --json "$EXP")"
echo "1..$number"
