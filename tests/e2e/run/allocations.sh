# SPDX-License-Identifier: BSD-3-Clause
# SIS_BLAME in programs of sisc --sis-blame: allocations are recorded from malloc to free, and
# samples say which memory was accessed. The program does not notice it.
# ci: its programs run until the sampler has seen enough
. "$(dirname "$0")/../lib.sh"

$CC -O1 -I"$TOP/schema" -o dump "$HERE/stacks_dump.c" || give_up "the reader is built"
# run_with HZ ARGUMENT...: runs the program; dump.out has all files. What it says of timers, where
# the kernel refuses perf_event, is not in run.err.
run_with() {
	rate=$1
	shift
	SIS_BLAME=$rate run_alone 1 "$@"
	sed -i '/^sis: warning: SIS_BLAME: the kernel refuses perf_event/d' run.err
	for file in "$EXP"/stacks-*.sis; do
		[ ! -e "$file" ] || ./dump "$file"
	done >dump.out
}
# memory [FIELDS]: what was allocated, sorted; each line without its first word
memory() { sed -n 's/^memory //p' dump.out | sort; }
sum() { awk -v field="$1" '$1 == "memory" { n += $field } END { print n + 0 }' dump.out; }
accesses() { # accesses [KIND]: samples
	awk -v kind="${1:-}" '$1 == "access" && (kind == "" || $2 == kind) { n += $6 }
		END { print n + 0 }' dump.out
}
sound() {
	lacks "$1: the file is sound" "$(cat dump.out)" "^bad"
	equal "$1: each sample has an access" "$(accesses)" \
		"$(awk '$2 == "self" { n += $4 } END { print n + 0 }' dump.out)"
	equal "$1: nothing is lost" "$(awk '$1 == "recorded" { n += $4 } END { print n + 0 }' \
		dump.out)" 0
}
same() { # same WHAT ARGUMENT...: output and status with and without samples
	what=$1
	shift
	SIS_BLAME=0 run_alone 1 "$@"
	wanted="$run_status $(cat run.out)$(cat run.err)"
	equal "$what, off: there is no file" "$(find "$EXP" -name 'stacks-*')" ""
	run_with 1000hz "$@"
	equal "$what: output and status" "$run_status $(cat run.out)$(cat run.err)" "$wanted"
}
options="--sis-cc=gcc --sis-blame -O1 -pthread"

build prog "$HERE/allocations.c" $options
run_with 1 ./prog heap
case $(head -n 1 dump.out) in
*"method look"*)
	skip "allocations" "the kernel refuses perf_event and timers here"
	exit 0
	;;
esac

heap_lines="heap 1 freed 0 bytes 1501 alive 1501 most 1501 largest 1501 stack
heap 1 freed 0 bytes 2001 alive 2001 most 2001 largest 2001 stack
heap 1 freed 0 bytes 9001 alive 9001 most 9001 largest 9001 stack
heap 1 freed 1 bytes 2001 alive 0 most 2001 largest 2001 stack
heap 1 freed 1 bytes 3003 alive 0 most 3003 largest 3003 stack
heap 1 freed 1 bytes 4096 alive 0 most 4096 largest 4096 stack
heap 1 freed 1 bytes 5001 alive 0 most 5001 largest 5001 stack
heap 1 freed 1 bytes 6001 alive 0 most 6001 largest 6001 stack
heap 1 freed 1 bytes 7007 alive 0 most 7007 largest 7007 stack
heap 1 freed 1 bytes 8001 alive 0 most 8001 largest 8001 stack"
same "each function" ./prog heap
sound "each function"
equal "each function" "$(memory)" "$heap_lines"
equal "each function: the threshold" "$(grep '^recorded' dump.out)" "recorded 1024 lost 0"
equal "each function: stacks begin in the program" \
	"$(grep -c '^stack allocation.*-: prog.0x[^ ]* .*libc' dump.out)" 10

same "realloc" ./prog moves
sound "realloc"
equal "realloc" "$(memory)" "heap 1 freed 1 bytes 2001 alive 0 most 2001 largest 2001 stack
heap 1 freed 1 bytes 5001 alive 0 most 5001 largest 5001 stack
heap 1 freed 1 bytes 5502 alive 0 most 4001 largest 4001 stack
heap 1 freed 1 bytes 6001 alive 0 most 6001 largest 6001 stack"

same "mappings" ./prog mappings
sound "mappings"
equal "mappings" "$(memory)" \
	"mapping 1 freed 0 bytes 122880 alive 102400 most 122880 largest 122880 stack
mapping 1 freed 0 bytes 20480 alive 20480 most 20480 largest 20480 stack
mapping 1 freed 1 bytes 40960 alive 0 most 40960 largest 40960 stack
mapping 1 freed 1 bytes 81920 alive 0 most 81920 largest 81920 stack
mapping 1 freed 1 bytes 8192000 alive 0 most 8192000 largest 8192000 stack"

same "reuse of an address" ./prog reuse
equal "an address that a library freed comes again" "$(memory)" \
	"heap 3 freed 2 bytes 6003 alive 2001 most 2001 largest 2001 stack"
same "many call paths" ./prog paths
sound "many call paths"
equal "many call paths: allocations, those without a stack" \
	"$(memory | wc -l) $(memory | grep -vc ' stack$')" "2048 0"
same "threads" ./prog threads
sound "threads"
equal "threads: allocations, freed, bytes, alive" "$(sum 3) $(sum 5) $(sum 7) $(sum 9)" \
	"4000 4000 20000000 0"
equal "threads: all stacks are known" "$(memory | grep -vc ' stack$')" 0

same "fork" ./prog forks
equal "fork: two files" "$(find "$EXP" -name 'stacks-*' | wc -l)" 2
run_with 1hz ./prog forks # stacks are known before the first sample
equal "fork" "$(memory)" "heap 1 freed 0 bytes 2001 alive 2001 most 2001 largest 2001 stack
heap 1 freed 0 bytes 3001 alive 3001 most 3001 largest 3001 stack
heap 1 freed 1 bytes 4001 alive 0 most 4001 largest 4001 stack"

run_with 1000hz ./prog killed
matches "killed: the file says so" "$(cat dump.out)" "^state running"
lacks "killed: the file is sound" "$(cat dump.out)" "^bad"
equal "killed: what was allocated is there" "$(memory)" \
	"heap 1000 freed 0 bytes 2001000 alive 2001000 most 2001000 largest 2001 stack"
check "killed: sis-analyze reads it" "$ANALYZE" import "$EXP"

SIS_BLAME_BYTES=0 run_with 1 ./prog heap
equal "SIS_BLAME_BYTES=0: small ones, too" "$(grep -c '^memory heap.* largest 100 ' dump.out) \
$(grep '^recorded' dump.out)" "1 recorded 1 lost 0"
SIS_BLAME_BYTES=5K run_with 1 ./prog heap
equal "SIS_BLAME_BYTES=5K" "$(memory)" "$(echo "$heap_lines" | awk '$6 > 5119')"
SIS_BLAME_BYTES=many run_with 1 ./prog heap
matches "a value that means nothing" "$(cat run.err)" \
	"^sis: warning: bad SIS_BLAME_BYTES 'many': .*taken as 1024$"

# -- ways to link ----------------------------------------------------------------------------------

# try WHAT WORD...: is built, and the same allocations are recorded
try() {
	what=$1
	shift
	if ! "$SISC" "$@" --sis-blame -O1 -pthread -o linked "$HERE/allocations.c" >build.out 2>&1; then
		not_ok "$what: it is built"
		head -n 5 build.out
		return
	fi
	same "$what" ./linked heap
	equal "$what: allocations" "$(memory | awk '$6 > 1024 && $0 !~ / 4096 /' |
		grep -Fxc "$(echo "$heap_lines" | grep -v ' 4096 ')")" 9
}
try gcc --sis-cc=gcc -O2
try "gcc -flto" --sis-cc=gcc -flto
if $CC -static -o static_program -x c - <<'END_OF_PROGRAM' 2>/dev/null; then
int main(void) { return 0; }
END_OF_PROGRAM
	try "gcc -static" --sis-cc=gcc -static
	try "gcc -static-pie" --sis-cc=gcc -static-pie
else
	skip "gcc -static" "there is no static libc"
fi
if command -v clang-19 >/dev/null; then
	try clang --sis-cc=clang-19
	try "clang -flto" --sis-cc=clang-19 -flto
else
	skip clang "there is none"
fi
if command -v ld.lld >/dev/null; then
	try lld --sis-cc=gcc -fuse-ld=lld
else
	skip lld "there is none"
fi

source_file library.c <<'END'
#include <stdlib.h>
void *volatile last; /* a jump to malloc would not be in the stack */
void *library_new(size_t bytes) { return last = malloc(bytes); }
END
"$SISC" $options -fPIC -shared -o liballocates.so library.c || give_up "a library is built"
build with_library "$HERE/allocations.c" $options -DLIBRARY -L. -lallocates -Wl,-rpath,"$T"
same "a shared library" ./with_library heap
equal "a shared library: allocations" "$(memory)" "$heap_lines"
matches "a shared library: its function is in the stack" "$(cat dump.out)" \
	"^stack allocation.*: liballocates.so.*with_library"

# A malloc that gives memory of one mapping and frees nothing.
source_file own.c <<'END'
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
static char *at;
static size_t left;
int own_calls;
void *malloc(size_t bytes)
{
	size_t room = (bytes + 31) / 16 * 16;
	if (room < bytes)
		return NULL;
	if (left < room) {
		left = room > 1 << 20 ? room : 1 << 20;
		at = mmap(NULL, left, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (at == MAP_FAILED)
			return left = 0, NULL;
	}
	char *block = at + 16;
	*(size_t *)at = bytes;
	at += room;
	left -= room;
	own_calls++;
	return block;
}
void free(void *block) { (void)block; }
void *calloc(size_t n, size_t size) { return malloc(n * size); }
void *realloc(void *block, size_t bytes)
{
	void *other = malloc(bytes);
	size_t before = block ? *(size_t *)((char *)block - 16) : 0;
	return memcpy(other, block ? block : other, before < bytes ? before : bytes);
}
END
source_file uses_own.c <<'END'
#include <stdio.h>
#include <stdlib.h>
extern int own_calls;
int main(void)
{
	int before = own_calls;
	char *volatile a = malloc(2001), *volatile b = malloc(3001);
	a = realloc(a, 4001);
	free(b);
	printf("%d\n", own_calls - before);
	return 0;
}
END
build own uses_own.c own.c $options -fno-builtin
same "a malloc of the program" ./own
equal "a malloc of the program: output" "$(cat run.out)" 3
equal "a malloc of the program: allocations" "$(memory | grep heap)" \
	"heap 1 freed 0 bytes 4001 alive 4001 most 4001 largest 4001 stack
heap 1 freed 1 bytes 2001 alive 0 most 2001 largest 2001 stack
heap 1 freed 1 bytes 3001 alive 0 most 3001 largest 3001 stack"

source_file wraps.c <<'END'
#include <stdio.h>
#include <stdlib.h>
void *__real_malloc(size_t bytes);
static int calls;
void *__wrap_malloc(size_t bytes) { calls++; return __real_malloc(bytes); }
int main(void)
{
	char *volatile a = malloc(2001);
	free(a);
	printf("%d\n", calls);
	return 0;
}
END
build wraps wraps.c $options -Wl,--wrap=malloc
same "a wrapper of the program" ./wraps
equal "a wrapper of the program wins" "$(cat run.out)$(memory)" 1

build plain "$HERE/allocations.c" -O1 -pthread
equal "without --sis-blame there are no wrappers" "$(nm plain | grep -c __wrap_)" 0
run_with 1000hz ./plain heap
equal "without --sis-blame" "$(grep '^recorded' dump.out) $(memory)" "recorded 0 lost 0 "

# -- accesses --------------------------------------------------------------------------------------

for optimize in -O1 -O2; do
	build prog "$HERE/allocations.c" $options $optimize
	for pair in heap:allocated static:static stack:stack local:thread-local large:static; do
		run_with 1000hz ./prog loop "${pair%:*}"
		sound "$optimize, ${pair%:*}"
		all=$(($(accesses) - $(accesses none)))
		check "$optimize, ${pair%:*}: $(accesses "${pair#*:}") of $all accesses" \
			[ "$(accesses "${pair#*:}")" -gt $((all * 9 / 10)) ]
	done
done
run_with 10000hz ./prog loop large
! head -n 1 dump.out | grep -q 'method clock' || # timers are too slow for so many
	check "too many addresses: some are of pages" \
		grep -q '^access static .*000 0 .* page$' dump.out
sound "too many addresses"

# -- places, in a program whose addresses are those of its file ------------------------------------

build placed "$HERE/allocations.c" $options -no-pie
run_with 1000hz ./placed loop stack
place=$(awk '$1 == "access" && $2 == "stack" { n[$3] += $6 }
	END { for (p in n) if (n[p] > n[most]) most = p; print most }' dump.out)
equal "an array on the stack is in the frame of its function" \
	"$(addr2line -f -e placed "0x$place" | head -n 1)" loops
equal "its elements are below the frame's end" "$(awk -v place="$place" '
	$1 == "access" && $3 == place && ($4 >= 0 || $4 < -8300) { n++ } END { print n + 0 }' \
	dump.out)" 0
run_with 1000hz ./placed loop static
first=$(($(nm placed | sed -n 's/^\([0-9a-f]*\) . fixed$/0x\1/p')))
inside=0 outside=0
while read -r address samples; do
	if [ $((0x$address)) -ge $first ] && [ $((0x$address)) -lt $((first + 8000)) ]; then
		inside=$((inside + samples))
	else
		outside=$((outside + samples))
	fi
done <<END
$(awk '$1 == "access" && $2 == "static" { print $3, $6 }' dump.out)
END
check "a static array has its accesses: $inside, elsewhere $outside" \
	[ "$inside" -gt $((outside * 20)) ]
run_with 1000hz ./placed loop local
equal "a thread-local array is just below the thread pointer" "$(awk '
	$1 == "access" && $2 == "thread-local" && ($4 >= 0 || $4 < -8008) { n += $6 }
	END { print n + 0 }' dump.out)" 0
