# SPDX-License-Identifier: BSD-3-Clause
# The compiler refuses the probes of some functions: only these functions have none, and a note for
# each says why.
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_driver.sh"

# places SOURCE EXPERIMENT: the regions of the source that ran
places() {
	analyze regions --tree "$2" | awk -v s="$1" 'index($0, s) { print $1 }' | sort -u |
		tr '\n' ' '
}

# A lambda is constexpr without the word. With probes it is not, so it cannot be a constant.
source_file constant.cc <<'END'
#include <cstdio>
static int slow(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
int main()
{
	auto cube = [](int x) { int r = 1; for (int i = 0; i < 3; i++) r *= x; return r; };
	auto free = [](int x) { int r = 1; for (int i = 0; i < 3; i++) r += x; return r; };
	static_assert(cube(2) == 8);
	std::printf("%d %d %d\n", cube(2), free(2), slow(10));
}
END
for cxx in g++ clang++-19; do
	$cxx -std=c++17 -o plain constant.cc
	SISC_CC=$cxx "$SISC" --sis-cr=CR_F,CR_L -std=c++17 -o measured constant.cc 2>sisc.err
	equal "$cxx: status" $? 0
	equal "$cxx: notes" "$(sed 's/probes: .*/probes/' sisc.err)" \
		"sisc: note: constant.cc:5: function 'lambda@5 in main' is not instrumented: the \
compiler refuses its probes"
	equal "$cxx: output" "$(SIS_OUTPUT=$T/$cxx ./measured)" "$(./plain)"
	equal "$cxx: regions" "$(places constant.cc "$T/$cxx")" \
		"for@2 for@6 lambda@6 main slow "
done

source_file some.c <<'END'
int one(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
int bad(int n) { int s = 1; for (int i = 0; i < n; i++) s += i; return s; }
int two(int n) { int s = 2; for (int i = 0; i < n; i++) s += i; return s; }
int worse(int n) { int s = 3; for (int i = 0; i < n; i++) s += i; return s; }
int main(void) { return one(1) + bad(1) + two(1) + worse(1) != 6; }
END
# A compiler that refuses probes in these functions, one at a time.
source_file picky <<'END'
#!/bin/sh
input=$(cat; echo .)
case "$*" in
*' -E '*) printf '%s' "${input%.}" | gcc "$@"; exit ;;
*' - '* | *' -') ;;
*) exec gcc "$@" ;;
esac
for name in bad worse; do
	line=$(printf '%s' "$input" | grep -n "int $name(.*SIS_" | cut -d: -f1)
	case "$line" in '') continue ;; esac
	line=$(grep -n "int $name(" some.c | cut -d: -f1)
	printf 'some.c: In function\nsome.c:%s:9: error: %s\n  quoted: error: x\n' $line $name >&2
	exit 1
done
printf '%s' "${input%.}" | gcc "$@"
END
chmod +x picky
SISC_CC=./picky "$SISC" --sis-cr=CR_F,CR_L -o some some.c 2>sisc.err
equal "two rounds: status" $? 0
equal "two rounds: notes" "$(cat sisc.err)" \
	"sisc: note: some.c:2: function 'bad' is not instrumented: the compiler refuses its \
probes: bad
sisc: note: some.c:4: function 'worse' is not instrumented: the compiler refuses its probes: worse"
SIS_OUTPUT=$T/some.exp ./some
equal "two rounds: the program" $? 0
equal "two rounds: regions" "$(places some.c "$T/some.exp")" \
	"for@1 for@3 main one two "

# Directives are reported once, however often the text is made.
sed 's/^int one.*/int one(int n)\n{\n#pragma sis cr WTIME begin\nn++;\n#pragma sis end cr\nreturn n; }/' \
	some.c >again.c
mv again.c some.c
SISC_CC=./picky "$SISC" --sis-cr=CR_F -c some.c 2>sisc.err
equal "a warning about a directive" "$(grep -c warning: sisc.err)" 1
equal "a warning about a directive: notes" "$(grep -c note: sisc.err)" 2
