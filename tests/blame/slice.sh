#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# slice.sh ORACLE PROG.c OUT [FLAG...]: the dynamic slices of a program that runs without arguments,
# in the file OUT. Status 3 and one line on stderr if the program cannot be judged.
set -u
here=$(cd "$(dirname "$0")" && pwd)
oracle=$1 source=$2 out=$3
shift 3
T=$(mktemp -d "${TMPDIR:-/tmp}/sis-slice.XXXXXX") || exit 1
trap 'rm -rf "$T"' EXIT
trap 'exit 1' HUP INT TERM
clang=${CLANG:-clang-19}

unjudged() { echo "oracle: not followed: $1" >&2; exit 3; }
"$clang" -O0 -g "$@" -w -emit-llvm -c -o "$T/plain.bc" "$source" 2>"$T/err" ||
	unjudged "does not compile"
"$oracle" instrument "$T/plain.bc" "$T/traced.bc" || exit
"$clang" -w -O0 "$T/plain.bc" -o "$T/plain" -lm 2>"$T/err" || unjudged "does not link"
"$clang" -w -O0 "$T/traced.bc" "$here/oracle/trace.c" -o "$T/traced" -lm || exit 1
(cd "$T" && timeout 10 ./plain >plain.out 2>/dev/null </dev/null) || unjudged "does not pass"
(cd "$T" && ORACLE_TRACE=$T/trace timeout 60 ./traced >traced.out 2>/dev/null </dev/null)
status=$?
[ $status != 99 ] || unjudged "runs too long"
[ $status = 0 ] || { echo "oracle: error: $source behaves differently when traced" >&2; exit 1; }
timeout 120 "$oracle" replay "$T/plain.bc" "$T/trace" >"$out"
status=$?
[ $status != 124 ] || unjudged "has too much to replay"
exit $status
