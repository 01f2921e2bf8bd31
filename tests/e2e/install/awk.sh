# SPDX-License-Identifier: BSD-3-Clause
# Debian's own awk reads the awk programs of the build, the tests and the benchmarks. On systems
# with another awk, `awk` is that one, which accepts more.
. "$(dirname "$0")/../lib.sh"

for program in $(cd "$TOP" && find . -name '*.awk' ! -path './build/*' | sort); do
	timeout 60 mawk -f "$TOP/$program" </dev/null >/dev/null 2>read.err
	lacks "mawk reads $program" "$(cat read.err)" 'syntax error'
done

# In what is put for a match, each awk has its own mind about backslashes.
sql_text=$TOP/analysis/repository/database/sql_text.awk
equal "a text with backslashes and quotes becomes a string of C" \
	"$(printf 'a\\d"b"\n' >text.sql; mawk -f "$sql_text" text.sql | sed -n 2p)" '	"a\\d\"b\"\n"'
