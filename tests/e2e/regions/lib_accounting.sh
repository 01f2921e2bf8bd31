# SPDX-License-Identifier: BSD-3-Clause
# lib_accounting.sh - no silent loss: what clang's syntax tree shows of a source and what
# `sisc --sis-explain` says of it agree in number, kind by kind. Everything that is not measured at
# full instrumentation has a reason (accounting.awk counts).
# shellcheck shell=sh

CLANG=${CLANG:-clang-19}
command -v "$CLANG" >/dev/null || { skip "accounting of regions" "there is no $CLANG"; exit 0; }

every=$("$SISC" --sis-list | sed -n '/^metrics/q;s/^  \(CR_[A-Z]*\) .*/\1/p' | tr '\n' ',')
# Both use the same preprocessor, hence the same code. GCC's omp.h is not clang's, but it is
# installed.
headers="$("$MPICC" -show | tr ' ' '\n' |
	grep '^-I' | tr '\n' ' ') -idirafter $("$CC" -print-file-name=include)"

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
