# SPDX-License-Identifier: BSD-3-Clause
# #include <sis/sis.h> needs no -I, for every use of the source and every compiler. Other
# directories are searched as without sisc, whatever is in the folder that sisc is installed in.
. "$(dirname "$0")/../lib.sh"
plus_of() { echo "$1" | sed 's/gcc/g++/; s/clang/clang++/'; }
unset CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH

source_file hand.c <<'END'
#include <sis/sis.h>
#include <stdio.h>
static int part(int n) { SIS_REGION(by_hand); return n + 1; }
int main(void)
{
	int s = 0;
	SIS_CR(round begin)
	for (int i = 0; i < 3; i++)
		s += part(i);
	SIS_END
	printf("%d\n", s);
	return 0;
}
END
cp hand.c hand.cc
sed 's/int s = 0;/int s = 0, idle;/' hand.c >warned.c # of the source something is to be said
{ cat hand.c; echo 'static int broken(int n) { int f(int m) { return m + n; } return f(n); }'
	# clang cannot parse all of it
	echo 'int use(int n); int use(int n) { return broken(n); }'; } >nested.c
sed 's,sis/sis.h,sis/nothing.h,' hand.c >nothing.c
echo '#include <sis/sis.h>' >header.h
cp hand.c conftest.c

for cc in gcc mpicc clang-19; do
	SISC_CC=$cc SISC_CXX=$(plus_of "$cc")
	export SISC_CC SISC_CXX
	for flags in '' '-O2 -g' '--sis-off' '--sis-exclude=*' '-c -o hand.o' '-S -o hand.s' \
		'-E -o hand.i' '-M -MF hand.d' '-fsyntax-only' \
		'-MD -c -o hand.o' '--sis-emit'; do
		# shellcheck disable=SC2086
		check "$cc $flags" "$SISC" -Wall -Wextra -Werror $flags hand.c
		lacks "$cc $flags: is silent" "$(cat check.out)" '^[^"]*(warning|error|note):'
	done
	matches "$cc: -MD names it" "$(cat hand.d)" 'sis/sis\.h'
	check "$cc: conftest" "$SISC" -c conftest.c -o conftest.o
	check "$cc: standard input" sh \
		-c "'$SISC' -x c -c - -o hand.o <hand.c && '$SISC' -E - <hand.c"
	check "$cc: several" "$SISC" -Werror -c hand.c hand.cc
	"$SISC" -Wall -c warned.c 2>sisc.err
	equal "$cc: a warning is one, of the source" \
		"$? $(grep -c 'warning:' sisc.err) $(grep -c 'error:' sisc.err)" \
		"0 1 0"
	case $cc in clang*) ;; *) check "$cc: what clang cannot parse" "$SISC" -c nested.c ;; esac
	check "$cc: to be precompiled" "$SISC" -x c-header -c header.h -o header.gch
	refuse "$cc: what is not there" "$SISC" -c nothing.c
	"$cc" -c nothing.c -o plain.o 2>plain.err
	equal "$cc: ... is missing as ever" "$(sed '$!d' check.out)" "$(sed '$!d' plain.err)"
	build hand hand.c
	run_alone 1 ./hand
	equal "$cc: measured" \
		"$(cat run.out) $(query '[.[] | select(.region == "by_hand" or .region == "round") |
			.calls] | join(" ")' regions "$EXP" |
		tr ' ' '\n' | sort | tr '\n' ' ')" "6 1 3 "
	for how in '--sis-cc' '++'; do
		if [ "$how" = ++ ]; then check "$cc: sisc++" "$SISC++" -Wall -Werror hand.cc \
			-o plus; else
			check "$cc: C++ by --sis-cc" "$SISC" --sis-cc="$SISC_CXX" -Wall -Werror \
				hand.cc -o plus
		fi
		run_alone 1 ./plus
		equal "$cc: C++ is measured" \
			"$(cat run.out) $(query '[.[] | select(.region == "by_hand") | .calls] |
				add' regions "$EXP")" \
			"6 3"
	done
done
unset SISC_CC SISC_CXX

# -- nothing else changes: neither the order of other directories nor the warnings
mkdir -p own/sis after
echo '#define SIS_REGION(x) int own_##x = 1' >own/sis/sis.h
printf '#include <sis/sis.h>\nint f(void); int f(void) { SIS_REGION(a); return own_a; }\n' >own.c
for how in -Iown '-isystem own'; do
	# shellcheck disable=SC2086
	check "a program with another header of that name gets its own: $how" "$SISC" $how -c own.c
done
mkdir prefix # as if it were /usr/local, where other packages have headers, too
cp -r "$build_dir/bin" "$build_dir/lib" "$build_dir/include" "$build_dir/share" prefix/
echo '#define WHICH 1' >prefix/include/which.h
echo '#define WHICH 2' >after/which.h
printf 'static int unused(void) { return 0; }\n' >prefix/include/warns.h
printf '%s\n' '#include <which.h>' '#include "warns.h"' 'int which = WHICH;' \
	'_Static_assert(WHICH == 1, "order");' >order.c
for cc in gcc clang-19; do
	for flags in "-I$T/prefix/include -Iafter" \
		"-isystem $T/prefix/include -Iprefix/include -idirafter after"; do
		# shellcheck disable=SC2086
		$cc -Wall $flags -c order.c -o plain.o 2>plain.err
		# shellcheck disable=SC2086
		SISC_CC=$cc prefix/bin/sisc -Wall $flags -c order.c -o order.o 2>sisc.err
		equal "$cc $flags: searched in the same order, warned of the same" \
			"$(cat sisc.err)" \
			"$(cat plain.err)"
	done
	for flags in "-I$T/prefix/include" "-I$T/prefix/include -nostdinc" \
		-Wmissing-include-dirs; do
		case $cc$flags in clang*missing*) continue ;; esac
		# shellcheck disable=SC2086
		$cc $flags -MMD -MF plain.d -M -MT x order.c -Iprefix/include >plain.out 2>plain.err
		# shellcheck disable=SC2086
		SISC_CC=$cc prefix/bin/sisc $flags -MMD -MF sisc.d -M -MT x order.c \
			-Iprefix/include >sisc.out 2>sisc.err
		equal "$cc $flags: dependencies" \
			"$(cat sisc.out sisc.err sisc.d)" \
			"$(cat plain.out plain.err plain.d)"
	done
done
check "found by one that was moved" prefix/bin/sisc -c hand.c
rm -r prefix/lib/sis/include
refuse "not found where it is not" prefix/bin/sisc -c hand.c
check "nothing is said of that" prefix/bin/sisc -Wmissing-include-dirs -Werror -c own.c -Iown
