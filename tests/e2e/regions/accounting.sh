# SPDX-License-Identifier: BSD-3-Clause
# No silent loss: what clang's syntax tree shows of a source and what `sisc --sis-explain` says of
# it agree in number, kind by kind. Everything that is not measured at full instrumentation has a
# reason (accounting.awk counts).
#
# Over the golden tests, the programs with known answers, the samples, and every eighth of our own
# sources; ACCOUNTING=all takes all of these, ACCOUNTING='FILE...' others, compiled with
# $ACCOUNTING_FLAGS.
. "$(dirname "$0")/../lib.sh"
CLANG=${CLANG:-clang-19}
command -v "$CLANG" >/dev/null || { skip "accounting of regions" "there is no $CLANG"; exit 0; }

every=$("$SISC" --sis-list | sed -n '/^metrics/q;s/^  \(CR_[A-Z]*\) .*/\1/p' | tr '\n' ',')
# Both use the same preprocessor, hence the same code. GCC's omp.h is not clang's, but it is
# installed.
headers="$("$MPICC" -show | tr ' ' '\n' |
	grep '^-I' | tr '\n' ' ') -idirafter $("$CC" -print-file-name=include)"
own="-D_GNU_SOURCE -DSIS_VERSION=\"0\" -I$TOP -I$TOP/schema -I$build_dir/gen"
for part in frontend instrument rtlib analysis tests/unit; do own="$own -I$TOP/$part"; done

# Calls in sizes of array types are evaluated, but clang's dump shows no expressions of types.
calls_in_types() {
	case $1 in
	*/rewrite/calls_everywhere.c | */rewrite/arguments.c) echo 1 ;;
	*/rewrite/omp_clause_calls.c) echo 4 ;;
	*) echo 0 ;;
	esac
}

# account SOURCE FLAGS...
account() {
	source=$1 name=${1#"$TOP"/}
	shift
	# shellcheck disable=SC2086
	"$CLANG" -w -fsyntax-only -Xclang -ast-dump $headers "$@" "$source" 2>/dev/null |
		awk -f "$HERE/accounting.awk" | sort >there
	# shellcheck disable=SC2086
	SISC_CC=$CLANG "$SISC" --sis-cr="${every%,}" --sis-explain --sis-emit $headers "$@" \
		"$source" 2>explained >emitted
	[ -s there ] || [ -s emitted ] || return 0
	if grep -Eq "not instrumented: |: error: " explained; then
		ok "$name: the reason is said why it is left alone"
	else
		awk -v explained=1 -f "$HERE/accounting.awk" explained | sort >told
		equal "$name: all is measured or explained" \
			"$(differences "$(calls_in_types "$source")")" \
			""
	fi
}

# differences EXTRA: between what is there and what sisc reports; EXTRA calls are known to be
# reported only
differences() {
	awk -v extra="$1" '
		{ value = $NF; sub(/ [0-9]+$/, "") }
		FNR == NR { there[$0] = value; kinds[$0]; next }
		{ told[$0] = value; kinds[$0] }
		END {
			there["call"] += extra
			kinds["call"]
			for (k in kinds) {
				hidden = k == "call in a clause" && told[k] > there[k]
				if (told[k] != there[k] && !hidden)
					printf "%s: %d there, %d reported; ", k, there[k], told[k]
			}
		}' there told
}

# flags_of SOURCE: flags of the compiler in the comments of a test
flags_of() {
	sed -n 's,^.*/\* \(flags\|build\): \(.*\) \*/.*$,\2,p' "$1" |
		tr -d '\r' | tr ' ' '\n' | grep -v '^--sis' | tr '\n' ' '
}

if [ -n "${ACCOUNTING:-}" ] && [ "$ACCOUNTING" != all ]; then
	for source in $ACCOUNTING; do
		# shellcheck disable=SC2086
		account "$source" ${ACCOUNTING_FLAGS:-}
	done
	exit 0
fi
for source in "$TOP"/tests/rewrite/*.c "$E2E"/known/*.c \
	"$E2E"/mpi/calls.c "$E2E"/mpi/phases.c "$E2E"/mpi/records.c; do
	# shellcheck disable=SC2046
	account "$source" -iquote "$TOP/tests/rewrite" $(flags_of "$source")
done
position=0
for source in "$TOP"/samples/*/*.c "$TOP"/tests/unit/*/*.c "$TOP"/*/*.c \
	"$TOP"/instrument/*/*.c "$TOP"/analysis/*/*.c "$TOP"/rtlib/*/*.c; do
	position=$((position + 1))
	case ${ACCOUNTING:-}$source in
	all*) ;;
	*/samples/*) ;;
	*) [ $((position % 8)) = 0 ] || continue ;;
	esac
	# shellcheck disable=SC2086
	account "$source" -std=gnu11 $own
done
