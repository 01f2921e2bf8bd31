#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# one.sh SUITE PROGRAM - one program of a suite, in a scratch directory of its own; see
# ../suites.sh.
. "$TOP/tests/suites/lib.sh"
suite=$1 program=$2
id=$(printf %s "$program" | tr '/ ' '__' | cut -c 1-100)
. "$TOP/tests/suites/$suite.sh"
T=$(mktemp -d "$SCRATCH/$id.XXXXXX") || exit 1
trap 'cd /; rm -rf "$T"' EXIT
trap 'exit 1' HUP INT TERM
cd "$T" || exit 1
untouched= parts=
suite_one "$program"
