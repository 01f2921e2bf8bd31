# SPDX-License-Identifier: BSD-3-Clause
# sis-analyze regions --from and --to: calls that began in an interval of the run, and the times
# within it. The events of another export are the reference.
. "$(dirname "$0")/../lib.sh"

cp "$E2E/run/trace_ranks.c" ranks.c
build ranks ranks.c -O1 -fopenmp "-I$build_dir/include" --sis-cr=CR_F,CR_A,CR_OMP,CR_MPI
SIS_TRACE=1 SIS_OVERHEAD=off run 2 2 ./ranks
trace_json

# of_trace FROM TO: "PROCESS THREAD REGION CALLS INCL EXCL", in nanoseconds, of FROM <= t < TO
of_trace() {
	jq -c --argjson from "$1" --argjson to "$2" '
	def ns: .ts * 1000 | round;
	def clip($a; $b): ([$b, $to] | min) - ([$a, $from] | max) | if . > 0 then . else 0 end;
	[.traceEvents[] | select(.ph == "B" or .ph == "E")] | group_by(.tid)[] |
	(reduce .[] as $e ({open: [], last: 0, n: {}};
		($e | ns) as $t | (.open[-1].name) as $in |
		(if $in then .n[$in][2] += clip(.last; $t) else . end) | .last = $t |
		if $e.ph == "B" then
			(if $t >= $from and $t < $to then .n[$e.name][0] += 1 else . end) |
			.open += [{name: $e.name, t: $t}]
		else
			.n[$in][1] += clip(.open[-1].t; $t) | .open |= .[:-1]
		end)) as $sum | .[0].tid as $tid | $sum.n | to_entries[] |
		"\($tid / 4096 | floor) \($tid % 4096 - 1) \(.key) \(.value | map(. // 0) | join(" "))"' \
		trace.json | tr -d '"' | awk '$NF + $(NF - 1) + $(NF - 2) > 0' | sort
}
# regions FROM TO: the same as sis-analyze says. The root is no event.
regions() {
	query "def ns: . * 1e9 | round; group_by([.process, .thread, .region])[] |
		select(.[0].region != \"run\") | \"\(.[0].process) \(.[0].thread) \(.[0].region) \" +
		\"\(map(.calls) | add) \(map(.wtime_incl | ns) | add) \" +
		\"\(map(.wtime_excl | ns) | add)\"" regions "$EXP" --from "$(seconds "$1")" \
		--to "$(seconds "$2")" | awk '$NF + $(NF - 1) + $(NF - 2) > 0' | sort
}
seconds() { awk -v ns="$1" 'BEGIN { printf "%.9f", ns / 1e9 }'; }
# step N: when the first thread began its N-th step
step() {
	jq "[.traceEvents[] | select(.name == \"step\" and .ph == \"B\" and .tid == 1) | .ts] |
		sort | .[$1] * 1000 | round" trace.json
}
t_p=$(query '.[0].t_p * 1e9 | round' list)
middle=$(step 30) later=$(step 60)
within=$((middle + 777)) # in the middle of an activation

check "the interval has regions" test "$(of_trace "$middle" "$later" | wc -l)" -gt 15
equal "an interval of a step's begin to another's" "$(regions "$middle" "$later")" \
	"$(of_trace "$middle" "$later")"
equal "an interval within activations" "$(regions "$within" "$((later + 12345))")" \
	"$(of_trace "$within" "$((later + 12345))")"
equal "an interval shorter than most activations" "$(regions "$within" "$((within + 1))")" \
	"$(of_trace "$within" "$((within + 1))")"
equal "all of the run" "$(regions 0 "$t_p")" "$(of_trace 0 "$t_p")"
equal "without --to: up to the end" \
	"$(query 'map(.wtime_excl) | add * 1e4 | round' regions "$EXP" --from \
		"$(seconds "$later")")" \
	"$(query 'map(.wtime_excl) | add * 1e4 | round' regions "$EXP" --from \
		"$(seconds "$later")" --to "$(seconds "$t_p")")"

# -- with other options
whole() { # whole KEY [OPTION...]: calls of all but the root, and what the probes did
	key=$1 && shift
	query "[.[] | select(.type | test(\"^RT_(RUN|PROBE)\") | not) | .$key] | add" regions \
		"$EXP" "$@"
}
equal "the calls of the whole run are those of the profile" "$(whole calls --from 0)" \
	"$(whole calls)"
equal "one thread" "$(whole calls --from 0 --pu 1.1)" "$(whole calls --pu 1.1)"
equal "one type" "$(whole calls --from 0 --type CR_MPI)" "$(whole calls --type CR_MPI)"
equal "as text" "$(analyze regions "$EXP" --from 0 --to 1000 | awk '$1 == "step" { print $4 }')" 200
equal "as a tree" \
	"$(analyze regions "$EXP" --from 0 --tree --pu 0.0 | awk '$1 == "inner" { print $4 }')" \
	"$(query '[.[] | select(.region == "inner" and .thread == 0 and .process == 0) | .calls] |
		add' regions "$EXP")"

# -- errors
one_error "no seconds" 2 "bad --from 'soon'" "$ANALYZE" regions --db sis.db "$EXP" --from soon
one_error "no time" 2 "bad --to '-1'" "$ANALYZE" regions --db sis.db "$EXP" --to -1
one_error "the wrong order" 2 "--to is not after --from" \
	"$ANALYZE" regions --db sis.db "$EXP" --from 2 --to 1
one_error "what a trace lacks" 2 "leave it out" \
	"$ANALYZE" regions --db sis.db "$EXP" --from 1 --metric CTIME
SIS_TRACE=0 run 1 1 ./ranks
EXP2=$EXP
one_error "no trace" 1 "only a trace knows when things happened; run the program with SIS_TRACE=1" \
	"$ANALYZE" regions --db sis.db "$EXP2" --from 1
