# SPDX-License-Identifier: BSD-3-Clause
# __SISC__ is defined in all that sisc compiles, so that a program may have more regions when it
# is measured, and nowhere else. A directive behind it is never an unknown pragma.
. "$(dirname "$0")/../lib.sh"

source_file part.c <<'EOF'
#include <sis/sis.h>
int work(int n) {
	int s = 0;
	SIS_CR(part begin)
	for (int i = 0; i < n; i++) s += i;
	SIS_END
#ifdef __SISC__
#pragma sis cr guarded begin
#endif
	s++;
#ifdef __SISC__
#pragma sis end cr
#endif
	return s;
}
#ifdef __SISC__
int only_in_sisc(int n) {
	int s = 0;
	for (int i = 0; i < n; i++) s += work(i);
	return s;
}
#endif
EOF
source_file plus.cpp <<'EOF'
extern "C" int only_in_sisc(int n);
#include <cstdio>
int main() {
#ifdef __SISC__
	printf("%d\n", only_in_sisc(3));
#endif
	return 0;
}
EOF
source_file constant.c <<'EOF'
#ifdef __SISC__
const int defined_here = 1;
#endif
EOF
include=$build_dir/include
for cc in gcc clang-19; do
	# with something to warn of, the warnings are those of the source, not of the text
	for spoken in '' 'static int idle;'; do
		noted=${spoken:+1}
		{ cat part.c; echo "$spoken"; } >part_$cc.c
		SISC_CC=$cc "$SISC" -Wall -Wextra -I"$include" -c part_$cc.c 2>sisc.err
		equal "$cc: the same warnings${spoken:+, with one}" \
			"$(grep -c warning: sisc.err)" \
			"${noted:-0}"
		matches "$cc: compiled and described" \
			"$(nm part_$cc.o; strings part_$cc.o)" \
			'^0.* T only_in_sisc'
		matches "$cc: its loop is a region" "$(strings part_$cc.o)" '"name":"guarded"'
	done
	SISC_CC=$cc check "$cc: nothing measured" "$SISC" -c constant.c -o constant.o
	matches "$cc: nothing measured, defined all the same" "$(nm constant.o)" defined_here
	SISC_CC=$cc check "$cc: several at once" "$SISC" -Werror -I"$include" -c part_$cc.c \
		constant.c
	SISC_CC=$cc check "$cc: not by --sis-off" "$SISC" --sis-off -c constant.c -o constant.o
	lacks "$cc: not by --sis-off" "$(nm constant.o)" defined_here
done
SISC_CC=g++ check "C++ and C in one command" "$SISC" -I"$include" plus.cpp -x c part.c -o both
run_alone 1 ./both
equal "C++ is compiled with it" "$(cat run.out)" 4
echo 'int f(void) { return nothing_known; }' >only_wrong.c
sed -i '1i#ifdef __SISC__' only_wrong.c && echo '#endif' >>only_wrong.c
refuse "what is wrong only there" "$SISC" -c only_wrong.c
matches "what is wrong only there is an error" "$(cat check.out)" "error:.*nothing_known"
echo '#error no' >conftest.c && sed -i '1i#ifdef __SISC__' conftest.c && echo '#endif' >>conftest.c
check "no build system's probe sees it" "$SISC" -c conftest.c
