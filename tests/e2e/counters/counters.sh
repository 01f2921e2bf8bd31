# SPDX-License-Identifier: BSD-3-Clause
# sis-analyze counters says what can be measured here. A run that asks for such a metric has it;
# for the others it gives the same reason.
. "$(dirname "$0")/../lib.sh"

"$ANALYZE" counters --json >counters.json 2>counters.err || give_up "counters" counters.err
equal "every metric is listed" "$(jq -r '.[].metric' counters.json | sort)" \
	"$(sed -n 's/^SIS_METRIC(\([A-Z0-9_]*\),.*/\1/p' "$TOP/schema/metrics.def" | sort)"
equal "what needs no counters is always there" \
	"$(jq -r '[.[] | select(.source != "PAPI") | .available] | all' counters.json)" true
equal "what is missing has a reason" \
	"$(jq -r '[.[] | select(.available | not) | .description | length > 20] | all' \
		counters.json)" \
	true
matches "for people" "$("$ANALYZE" counters)" '^CTIME +yes +clock +ns +- +- +[0-9]+ +CPU time'
"$ANALYZE" counters --native --json >native.json 2>counters.err
check "native events come after them" test "$(jq length native.json)" \
	-ge "$(jq length counters.json)"
equal "asking leaves nothing behind" "$(ls -d sis-* 2>/dev/null)" ""

"$ANALYZE" counters 'PAPI(nosuch::EVENT)' >nosuch.out
if [ -e "$build_dir/lib/sis/libsis-papi.so" ]; then
	matches "an event that PAPI does not know" "$(cat nosuch.out)" \
		"PAPI knows no event 'nosuch::EVENT' here"
else
	skip "an event that PAPI does not know" "no papi.h here"
fi

printf '%s\n' '#include <unistd.h>' 'static void part(void) { usleep(10000); }' \
	'int main(void) { part(); return 0; }' >prog.c
build prog prog.c -O1
SIS_PMETRIC=TOT_CYCC run_alone 1 ./prog
equal "a misspelt metric" "$(cat run.err)" \
	"sis: warning: unknown metric 'TOT_CYCC' is not measured; did you mean 'TOT_CYC'?"
for metric in \
	$(jq -r '.[] | select(.source != "wrappers" and .source != "probes") | .metric' \
		counters.json); do
	there=$(jq -r ".[] | select(.metric == \"$metric\") | .available" counters.json)
	SIS_PMETRIC=$metric run_alone 1 ./prog
	value=$(query "[.[] | select(.region == \"part\") | .metrics.$metric][0]" regions "$EXP")
	if [ "$there" = true ]; then
		matches "$metric: there, and measured" "$value" '^[0-9.e-]+$'
	else
		equal "$metric: not there, and null" "$value" null
		why=$(jq -r ".[] | select(.metric == \"$metric\") | .description" counters.json)
		equal "$metric: for the reason that was given" \
			"$(cat run.err)" \
			"sis: warning: $metric is not measured: $why"
	fi
done
