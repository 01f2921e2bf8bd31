# SPDX-License-Identifier: BSD-3-Clause
# Every mnemonic of `sisc --sis-list` means something. Each code region, asked for alone, is
# measured in one of the programs mnemonics/*.c and has activations when these run. Each metric
# has a value, or a reason why it has none.
# ci: it compiles many programs
. "$(dirname "$0")/../lib.sh"

# listed FROM TO: the mnemonics between two headings of the list
listed() { "$SISC" --sis-list | sed -n "/^$1/,/^$2/s/^ *\([A-Z][A-Z0-9_]*\) .*/\1/p"; }
regions=$(listed "code regions" metrics)
metrics=$(listed metrics overheads)

program_of() {
	case $1 in CR_MPI*) echo mpi ;; CR_OMP*) echo openmp ;; *) echo common ;; esac
}

MPICH_CC=$CC OMPI_CC=$CC
export MPICH_CC OMPI_CC
for name in common openmp mpi; do
	build $name -w -fopenmp -pthread --sis-cr="$(echo $regions | tr ' ' ,)" \
		--sis-pmetric="$(echo $metrics | tr ' ' ,)" "$HERE/mnemonics/$name.c"
	run 2 2 ./$name
	equal "$name: runs" "$run_status" 0
	analyze regions "$EXP" --json >$name.json
	jq -r '.[] | select(.calls > 0) | .type' $name.json | sort -u >$name.types
	cat run.err >>reasons
done

# asked ALONE PROGRAM: the type ALONE, or one of its group, is measured because it was asked for
asked() {
	"$SISC" -w -fopenmp --sis-cr="$1" --sis-explain \
		--sis-emit "$HERE/mnemonics/$2.c" 2>&1 >/dev/null |
		grep -Eq -e ": measured for [^:]*: .*--sis-cr" -e ": $1 .*: measured for"
}
is_group() {
	[ "$1" = CR_OUTERLOOP ] || [ "$1" = CR_INNERLOOP ] ||
		grep -q "^SIS_REGION_TYPE([A-Z0-9_]*, *$1," "$TOP/schema/regions.def"
}

for type in $regions; do
	program=$(program_of "$type")
	if ! asked "$type" "$program"; then
		not_ok "$type is measured in $program.c: nothing is"
	elif ! is_group "$type" && ! grep -qx "$type" "$program.types"; then
		not_ok "$type has activations in $program.c: none"
	else
		ok "$type"
	fi
done

jq -r '.[] | .metrics + {WTIME: .wtime_incl, CALLS: .calls, SUBS: .subs, MINT: .mint, MAXT: .maxt} |
	to_entries[] |
	select(.value != null) | "\(.key) \(if .value == 0 then "zero" else "value" end)"' \
	./*.json | sort -u >values
for metric in $metrics; do
	case $metric in
	MAJFLT | IVCSW | STIME | MAXRSS) wanted="value|zero" ;; # as the system likes
	*) wanted=value ;;
	esac
	if grep -Eqx "$metric ($wanted)" values; then
		ok "$metric"
	else
		matches "$metric has a value or a reason" \
			"$(grep "$metric" reasons)" \
			"^sis: warning: $metric is not measured: ."
	fi
done

# A native event of PAPI has the same alternative.
build native -pthread '--sis-pmetric=PAPI(perf::TASK-CLOCK)' "$HERE/mnemonics/common.c"
run_alone 1 ./native
matches "PAPI(EVENT) has a value or a reason" \
	"$(cat run.err; query '.[].metrics | to_entries[] | select(.value != null) | .key' regions \
		"$EXP")" \
	'^PAPI\(perf::TASK-CLOCK\)$|^sis: warning: PAPI\(perf::TASK-CLOCK\) is not measured: .'
