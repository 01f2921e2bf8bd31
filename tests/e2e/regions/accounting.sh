# SPDX-License-Identifier: BSD-3-Clause
# No silent loss (lib_accounting.sh): over the golden tests and the programs with known answers;
# ACCOUNTING='FILE...' takes others, compiled with $ACCOUNTING_FLAGS.
# ci: it compiles many programs
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_accounting.sh"

# flags_of SOURCE: flags of the compiler in the comments of a test
flags_of() {
	sed -n 's,^.*/\* \(flags\|build\): \(.*\) \*/.*$,\2,p' "$1" |
		tr -d '\r' | tr ' ' '\n' | grep -v '^--sis' | tr '\n' ' '
}

if [ "${ACCOUNTING:-all}" != all ]; then
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
