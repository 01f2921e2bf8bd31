# SPDX-License-Identifier: BSD-3-Clause
# lib_as_plain.sh - runs a program without SIS and under sis-analyze run. After lib.sh.
# shellcheck shell=sh disable=SC2034

# as_plain COMMAND...: prints the same, and ends with the same status. The report is in `report`,
# the experiment in `exp`. Standard input is the file that $input names; $leaves is a file that the
# command makes.
input=/dev/null leaves=
as_plain() {
	rm -rf exp "$leaves"
	timeout -s KILL 60 "$@" <"$input" >plain.out 2>plain.err
	plain=$?
	rm -rf "$leaves"
	timeout -s KILL 60 "$ANALYZE" run --db run.db --name exp --report report \
		"$@" <"$input" >run.out 2>run.err
	equal "$*: status" $? $plain
	check "$*: output" cmp plain.out run.out
	check "$*: standard error" cmp plain.err run.err
}

# seen: how many processes have a profile, or are counted as short ones
seen() {
	ls exp/proc-*.sis exp/short-*.tsv 2>/dev/null |
		awk '/short-/ { while (getline line <$0 > 0) n++; next } { n++ } END { print n + 0 }'
}

# unaccounted: experiments whose useful work and leaves are not their wall time, and by how much
unaccounted() {
	"$ANALYZE" sql --db run.db --json 'SELECT name, identity_error_ns AS ns FROM experiment
		WHERE identity_error_ns > 1000' | jq -r '.[] | "\(.name) \(.ns)"'
}
