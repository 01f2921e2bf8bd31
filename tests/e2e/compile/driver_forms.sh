# SPDX-License-Identifier: BSD-3-Clause
# The compiler's options, one at a time and combined: the same messages, status and files as the
# compiler's, a program with the same behaviour, and regions of every source in it.
# ci: it compiles many programs
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_driver.sh"

mkdir src/dir.c "src/with space"
cp src/b.h src/b.c "src/with space"
: >src/empty.c
echo '#define FORCED 1' >src/force.h
source_file src/asm.S <<'END'
#ifdef __ASSEMBLER__
	.globl in_asm
in_asm:	ret
#endif
	.section .note.GNU-stack,"",@progbits
END
source_file src/bare.c <<'END'
void *memset(void *at, int c, unsigned long n)
{
	char *p = at;
	while (n--)
		*p++ = (char)c;
	return at;
}
int _start(void) { char x[3]; memset(x, 0, 3); return 0; }
END

# program OPTIONS...: two sources and their program
program() {
	same "$*" $cc "$@" a.c b.c -o prog
	runs_same "$*" prog
	equal "$cc: $*: regions" \
		"$(jq -r '[.units[].regions[] | select(.type == "CR_F" or .type == "CR_P") |
			.name] | sort | join(" ")' measured/prog.idf)" \
		"b main"
}
both="-O2;-Os;-pipe;-x c;-g3;-gdwarf-4;-ftrapv;-fwrapv -fno-strict-aliasing;-fcf-protection
-fno-common;-fPIE -pie;-no-pie;-static
-static-pie;-flto -O2;-rdynamic;-s;-O2 -D_FORTIFY_SOURCE=2
-ffunction-sections -fdata-sections -Wl,--gc-sections;-fvisibility=hidden
-fexceptions -fno-asynchronous-unwind-tables;-include force.h;-imacros force.h;-iquote .
-isystem .;-I .;-I.;-idirafter .;-D X=1;-DX=1 -UX
-U X;-Wp,-DX=1;-Wp,-MMD,rules.d;-MMD -MP -MF rules.d -MT x;-Wa,--noexecstack
-Xlinker --as-needed;-Wl,-Map,map;-B /usr/bin;-pthread
-fstack-protector-all;-Wsystem-headers -Wall -Wextra"
gcc="-flto -ffat-lto-objects;-flto=auto -O2;-fsanitize=address;-fsanitize=undefined
-fsanitize=thread;-fanalyzer;-pg
-fprofile-generate;-gsplit-dwarf -g;-mgeneral-regs-only;-fopenmp;-fdump-tree-gimple
-fstack-usage;-fsplit-stack;-fipa-pta -O2"
clang="-flto=thin -O2;-g -gsplit-dwarf;-Weverything -Wno-poison-system-directories;-Wno-everything"
each() {
	list=$(printf '%s' "$1" | tr '\n' ';')
	while [ -n "$list" ]; do
		one=${list%%;*}
		case $list in *\;*) list=${list#*;} ;; *) list= ;; esac
		# shellcheck disable=SC2086 # an option and its value are two words
		program $one
	done
}
cc=gcc
each "$both;$gcc"
for std in c89 c90 c99 c11 c17 c2x gnu89 iso9899:199409; do
	program -std=$std -pedantic-errors -Wall -Wextra -Werror
done
cc=clang-19
if command -v $cc >/dev/null; then
	each "$both;$clang"
	program -std=c89 -pedantic-errors -Wall -Werror
else
	skip "$cc" "not installed"
fi

# Loops of instrumented text are aligned where the compiler aligns any, unless the user says how.
cat >loop.c <<'END'
int main(int argc, char **argv)
{
	int sum = 0;
	for (int i = 0; i < argc; i++)
		sum += argv[i][0] * i;
	return sum == -1;
}
END
for options in -O2 '-O0 -Ofast' -O3 'no -O1' 'no -Os' 'no -O2 -Os' 'no -O2 -falign-loops=16' \
	'no -O2 -fno-align-loops'; do
	case $options in no*) wanted=0 ;; *) wanted=1 ;; esac
	# shellcheck disable=SC2086
	"$SISC" --sis-cc=gcc ${options#no } -S -o - loop.c >loop.s 2>loop.err
	equal "$options" \
		"$(grep -cE 'p2align[[:space:]]+6' loop.s | sed 's/[1-9].*/1/') $(cat loop.err)" \
		"$wanted "
done

# Inputs that are not ordinary.
for cc in gcc clang-19; do
	command -v $cc >/dev/null || continue
	same "a missing file" $cc -c nosuch.c
	same "a directory" $cc -c dir.c
	same "an empty file" $cc -c empty.c
	same "no file" $cc
	same "options alone" $cc -O2 -Wall
	same "the output is the source" $cc -c b.c -o b.c
	equal "$cc: the output is the source: which lives" "$(cat measured/b.c)" "$(cat plain/b.c)"
	same "the output is the source, by another name" $cc -c b.c -o ./b.c
	equal "$cc: the output is the source, by another name: as the compiler leaves it" \
		"$(cksum <measured/b.c)" "$(cksum <plain/b.c)"
	same "output to /dev/null" $cc -c b.c -o /dev/null
	same "instrumented link to /dev/null" $cc a.c b.c -o /dev/null
	check "/dev/null is still there" test -c /dev/null
	same "an output directory that is not there" $cc -c b.c -o no/b.o
	same "names with spaces" $cc -c "with space/b.c" -o "with space/b.o"
	measured "names with spaces" "with space/b.o"
	same "assembly for the preprocessor" $cc -c asm.S
	same "no C library" $cc -O2 -ffreestanding -nostdlib -fno-builtin \
		-fno-tree-loop-distribute-patterns bare.c -o bare
	lacks "$cc: no C library: nothing of ours" \
		"$(readelf -d measured/bare; nm measured/bare)" \
		'libsis|sis_'
	same "preprocessing" $cc -E b.c
	equal "$cc: preprocessing: text" "$(cat measured.out)" "$(cat plain.out)"
	for question in -M -MM "-M -MG" "-MM -MT x" --print-search-dirs -print-multi-lib \
		-print-libgcc-file-name; do
		# shellcheck disable=SC2086
		same "$question" $cc $question b.c
		equal "$cc: $question: text" "$(cat measured.out)" "$(cat plain.out)"
	done
done
if [ "$(id -u)" != 0 ]; then
	unreadable=empty.c
	same "a file that cannot be read" gcc -c empty.c
	unreadable=
fi
mkfifo pipe.c
cat src/b.c >pipe.c &
check "a pipe as the source" "$SISC" --sis-cc=gcc -I src -x c -c pipe.c -o pipe.o
matches "a pipe as the source: compiled" "$(nm pipe.o 2>&1)" ' T b$'
