# SPDX-License-Identifier: BSD-3-Clause
# Gates: a region that SIS_FILTER or SIS_ENABLE=0 turns off is a NOP in the program's text. The
# program does the same in all forms in which it can be compiled, linked and run.
. "$(dirname "$0")/../lib.sh"

source_file p.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int depth(int n) { return n ? 1 + depth(n - 1) : 0; }
int loops(int n)
{
	int i, k, s = 0;
	for (i = 0; i < n; i++) {
		for (k = 0; k < 3; k++)
			s += depth(k) * i;
		if (s == -1)
			break;
	}
	return s;
}
int dropped_by_the_linker(const char *p) { return loops(depth((int)strlen(p))); }
int main(int argc, char **argv)
{
	int s = loops(20);
	printf("%d %d %s\n", s, depth(argc + 5), argc > 1 ? argv[1] : "");
	return 0;
}
END
cat >off.filter <<'END'
SCOREP_REGION_NAMES_BEGIN
  EXCLUDE depth
SCOREP_REGION_NAMES_END
END
gates() { readelf -SW "$1" | grep -c ' sis_gates '; }
calls() { query '[.[] | select(.line_start > 0) | .calls] | add' regions "$1"; }
"$CC" p.c -o plain && ./plain >plain.out || give_up "the program runs"

# forms COMPILER HAS_GATES OPTION...
forms() {
	compiler=$1 has=$2
	shift 2
	what="$compiler $*"
	SISC_CC=$compiler "$SISC" --sis-cr=CR_F,CR_L,CR_S "$@" p.c -o p >build.err 2>&1 ||
		give_up "$what: builds" build.err
	equal "$what: no messages" "$(cat build.err)" ""
	equal "$what: gates" "$(gates p)" "$has"
	run_alone 1 ./p
	all=$(calls "$EXP")
	run_alone 1 env SIS_FILTER=off.filter ./p
	check "$what: same output with regions off" cmp run.out plain.out
	some=$(calls "$EXP")
	run_alone 1 env SIS_FILTER=off.filter SIS_PATCH=0 ./p
	check "$what: same output with SIS_PATCH=0" cmp run.out plain.out
	equal "$what: as many calls are counted" "$(calls "$EXP")" "$some"
	check "$what: fewer than without a filter" [ "$some" -lt "$all" ]
	check "$what: same output with SIS_ENABLE=0" \
		sh -c 'SIS_ENABLE=0 ./p >off.out && cmp off.out plain.out'
}
x86=$(uname -m | grep -c x86_64)
forms gcc "$x86" -O0
forms gcc "$x86" -O2 -fPIC
forms gcc "$x86" -O2 -static
forms gcc "$x86" -O1 -fno-pie -no-pie
forms gcc "$x86" -O2 -flto
forms gcc "$x86" -O3 -masm=intel -std=c99 -pedantic -Wall -Wextra -Werror
forms gcc "$x86" -O2 -ffunction-sections -Wl,--gc-sections
equal "the linker drops functions with gates" "$(nm p | grep -c dropped_by)" 0
forms gcc 0 -O2 -mcmodel=medium
forms gcc 0 -O2 -DSIS_NO_PATCH
clang=${CLANG:-clang-19}
forms "$clang" "$x86" -O2
forms "$clang" 0 -O2 -DSIS_NO_PATCH

# -- libraries that come and go, and children -----------------------------------------------------
source_file library.c <<'END'
int in_library(int n) { int i, s = 0; for (i = 0; i < n; i++) s += i; return s; }
END
source_file opens.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int apart(int n) { int i, s = 0; for (i = 0; i < n; i++) s += i; return s; }
int main(void)
{
	int i, sum = 0, status = 1;
	for (i = 0; i < 10; i++) {
		void *library = dlopen("./library.so", RTLD_NOW);
		int (*f)(int) = library ? (int (*)(int))dlsym(library, "in_library") : 0;
		sum += f ? f(i) : -100;
		if (library)
			dlclose(library);
	}
	if (fork() == 0)
		_exit(apart(5) == 10 ? 0 : 2);
	wait(&status);
	printf("%d %d %d\n", sum, apart(4), status);
	return 0;
}
END
build library.so library.c -O2 -shared -fPIC --sis-cr=CR_F,CR_L
build opens opens.c -O2 --sis-cr=CR_F,CR_L
cat >library.filter <<'END'
SCOREP_REGION_NAMES_BEGIN
  EXCLUDE in_library apart
SCOREP_REGION_NAMES_END
END
for setting in SIS_ENABLE=0 SIS_FILTER=library.filter SIS_LOG=quiet; do
	env SIS_OUTPUT="$T/opens.exp" "$setting" ./opens >opens.out 2>opens.err
	equal "$setting: libraries come and go" "$(cat opens.out)" "120 6 0"
done
