# SPDX-License-Identifier: BSD-3-Clause
# Filter files and --sis-exclude: what they leave out, and the messages about wrong files.
. "$(dirname "$0")/../lib.sh"

mkdir src
source_file src/a.c <<'END'
#include <stdio.h>
static int tiny(int n) { return n + 1; }
int work(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += i;
	while (s > 9)
		s /= 2;
	puts("w");
	return tiny(s);
}
int work_more(int n)
{
	int s = n;
#pragma sis cr inner begin
	for (int i = 0; i < n; i++)
		s += work(i);
#pragma sis end cr
	return s;
}
END
cp src/a.c src/b.c

# measured FILE OPTION...: the names of what is measured in src/FILE.c
measured() {
	file=$1
	shift
	"$SISC" --sis-explain --sis-cr=CR_F,CR_L,CR_IO "$@" -c "src/$file.c" -o x.o 2>&1 |
		sed -n 's/^[^ ]*: \(CR_[A-Z]*\) \([^:]*\): measured.*/\2/p' | tr '\n' ' '
}
equal "no filter" "$(measured a)" 'tiny work for@6 while@8 puts work_more inner for@17 '

source_file f <<'END'
# a file as Score-P documents it
SCOREP_REGION_NAMES_BEGIN
  EXCLUDE *      # first nothing
  INCLUDE work
          work_*
  EXCLUDE work_[!m]*
SCOREP_REGION_NAMES_END
SCOREP_FILE_NAMES_BEGIN EXCLUDE */b.c SCOREP_FILE_NAMES_END
END
equal "Score-P's: functions and named regions, last match" \
	"$(measured a --sis-filter=f)" \
	"work for@6 while@8 puts work_more for@17 "
equal "Score-P's: files" "$(measured b --sis-filter=f)" ""
matches "the reason names the rule" \
	"$("$SISC" --sis-filter=f --sis-cr=CR_F --sis-explain -c src/a.c)" \
	'CR_F tiny: not measured: filter f:3: EXCLUDE \*$'

source_file g <<'END'
SIS_REGION_TYPES_BEGIN
  EXCLUDE CR_L CR_IO INCLUDE cr_while
SIS_REGION_TYPES_END
SIS_UNIT_NAMES_BEGIN EXCLUDE work_more SIS_UNIT_NAMES_END
SIS_REGION_NAMES_BEGIN EXCLUDE t?ny SIS_REGION_NAMES_END
END
equal "ours: types, units, names" "$(measured a --sis-filter=g)" "work while@8 "
equal "several files, all hold" "$(measured b --sis-filter=f --sis-filter=g)" ""
equal "--sis-exclude, --sis-include" \
	"$(measured a --sis-exclude='*@*,puts' --sis-exclude='work*' --sis-include=work)" \
	"tiny work inner "
echo 'SIS_REGION_NAMES_BEGIN INCLUDE tin\y SIS_REGION_NAMES_END' >h
matches "a tiny function is measured when it is included by name" \
	"$("$SISC" --sis-explain --sis-filter=h -c src/a.c)" \
	'CR_F tiny: measured for the default metrics: default'

# One file has several names: u.h, ./u.h, with -I. ./u.h, its path.
mkdir -p sub
source_file sub/u.h <<'END'
static int used(int n) { return n + 1; }
END
echo '#include "u.h"
int main(void) { return used(0); }' >sub/one.c
cd sub || exit 1
for pattern in u.h ./u.h '*/u.h' "$T/sub/u.h"; do
	echo "SIS_FILE_NAMES_BEGIN EXCLUDE $pattern SIS_FILE_NAMES_END" >../u
	for source in one.c ./one.c .//./one.c ../sub/one.c "$T/sub/one.c"; do
		explained=$("$SISC" --sis-filter=../u --sis-cr=CR_F --sis-explain -c "$source" 2>&1)
		matches "a header of $source is $pattern" "$explained" \
			'CR_F used: not measured: filter'
	done
done
cd .. || exit 1
echo 'SIS_FILE_NAMES_BEGIN EXCLUDE v.h one.c SIS_FILE_NAMES_END' >u
lacks "a header is not its source, nor another header" \
	"$("$SISC" --sis-filter=u --sis-cr=CR_F --sis-explain -c sub/one.c 2>&1)" 'filter u'

wrong() { # wrong WHAT PATTERN TEXT: one error, at its place
	printf '%b' "$3" >bad
	one_error "$1" 1 "^bad:$2" "$SISC" --sis-filter=bad -c src/a.c
}
wrong "not closed" '1:1: error: SIS_FILE_NAMES_BEGIN is not closed; write SIS_FILE_NAMES_END' \
	'SIS_FILE_NAMES_BEGIN INCLUDE x'
wrong "closes nothing" '2:3: error: SIS_FILE_NAMES_END closes nothing' '\n  SIS_FILE_NAMES_END'
wrong "no verb" "2:1: error: 'x' follows neither INCLUDE nor EXCLUDE" \
	'SIS_FILE_NAMES_BEGIN\nx SIS_FILE_NAMES_END'
wrong "no pattern" '1:22: error: no pattern after EXCLUDE' \
	'SIS_FILE_NAMES_BEGIN EXCLUDE SIS_FILE_NAMES_END'
wrong "outside" "1:1: error: 'INCLUDE' is outside of a block" 'INCLUDE'
wrong "unknown type" "1:32: error: unknown code region 'CR_WHIL'; did you mean 'CR_WHILE'" \
	'SIS_REGION_TYPES_BEGIN EXCLUDE CR_WHIL SIS_REGION_TYPES_END'
one_error "even when only linking" 1 '^bad:1' "$SISC" --sis-filter=bad x.o -o x
one_error "no such file" 1 "cannot open 'none': No such" "$SISC" --sis-filter=none -c src/a.c
one_error "a directory" 1 "cannot read filter file 'src': it is no regular file" \
	"$SISC" --sis-filter=src -c src/a.c
one_error "an endless file" 1 "cannot read filter file '/dev/zero'" \
	"$SISC" --sis-filter=/dev/zero -c src/a.c
head -c 5000 "$SISC" >binary
one_error "a binary file" 1 "cannot read filter file 'binary': it is not text" \
	"$SISC" --sis-filter=binary -c src/a.c
truncate -s 20M huge
one_error "a huge file" 1 "cannot read filter file 'huge': it is larger" \
	"$SISC" --sis-filter=huge -c src/a.c
"$SISC" --sis-filter="$HERE/filter.sh" -c src/a.c 2>many
equal "errors end" "$(grep -c 'error: ' many)" 11

whole=$(wc -c <g) n=1 bad=0
while [ $n -lt "$whole" ]; do # a truncated file is right, or an error with its place
	head -c $n g >cut
	"$SISC" --sis-filter=cut -v 2>cut.err ||
		grep -q '^cut:[0-9]*:[0-9]*: error: ' cut.err || bad=$((bad + 1))
	n=$((n + 7))
done
equal "truncated files" $bad 0
# Functions of C++ by their mangled and demangled names, when compiled and in a run
source_file names.cc <<'END'
namespace grid {
double norm(const double *a, int n)
{
	double s = 0;
	for (int i = 0; i < n; i++) s += a[i];
	return s;
}
double norm(int n) { double s = 0; for (int i = 0; i < n; i++) s += i; return s; }
}
int main() { double a[3] = { 1, 2, 3 }; return grid::norm(a, 3) > grid::norm(3) ? 0 : 1; }
END
SISC_CC=g++ "$SISC" --sis-cr=CR_F -o names names.cc
for name in 'MANGLED _ZN4grid4normEPKdi' 'MANGLED _ZN4grid*PKdi' \
	'grid::norm(double\ const\*,\ int)'; do
	printf 'SCOREP_REGION_NAMES_BEGIN\nEXCLUDE %s\nSCOREP_REGION_NAMES_END\n' "$name" >m
	SISC_CC=g++ "$SISC" --sis-filter=m --sis-cr=CR_F --sis-explain -c names.cc >m.out
	equal "excluded by sisc: $name" "$(grep -c 'CR_F.*not measured: filter m' m.out)" 1
	SIS_FILTER=m run_alone 1 ./names
	equal "excluded in a run: $name" "$(analyze regions --tree "$EXP" | awk '/^ .*norm/')" \
		"$(analyze regions --tree "$EXP" | awk '/^ .*norm.int./')"
	matches "not excluded: $name" "$(analyze regions --tree "$EXP")" '^ .*norm.int. '
done
: >empty
check "an empty file" "$SISC" --sis-filter=empty -c src/a.c
