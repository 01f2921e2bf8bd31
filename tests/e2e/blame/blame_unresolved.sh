#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Input for which the blame of variables is hard: the shares are right, or what is not known is said
# with its reason. The work of each program is divided in a known way (tests/blame/kernels).
# processor: every run needs one of its own to get enough samples
# ci: its programs run until the sampler has seen enough
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_blame.sh"
kernels=$TOP/tests/blame/kernels
unit=40000000

page() { analyze blame "$EXP" --fields 2>&1; }
unresolved() { # why most samples were not placed, in JSON
	query '[.[] | select(.kind == "unresolved" and .share > 0.5) | .variable] | join(" ")' \
		blame "$EXP"
}

# -- function pointers ----------------------------------------------------------------------------
cat >pointers.c <<'END_OF_SOURCE'
#include "kernel.h"

typedef double operation(double x);
static ALONE double once(double x) { return mix(x, unit); }
static ALONE double twice(double x) { return mix(x, 2 * unit); }
static struct entry { operation *run; const char *name; } table[] = {
	{ once, "once" }, { twice, "twice" } };
static ALONE double call(const struct entry *entry, double x) { return entry->run(x); }

int main(int argc, char **argv)
{
	double a[1], b[1];
	kernel_begin(argc, argv);
	a[0] = call(&table[0], 1);
	b[0] = call(&table[1], 2);
	printf("%g %g\n", a[0], b[0]);
	return 0;
}
END_OF_SOURCE
{
	echo '#include "kernel.h"'
	for i in 1 2 3 4 5 6 7 8 9; do
		echo "static ALONE void set$i(double *to, double x) { *to = x + $i; }"
	done
	cat <<'END_OF_SOURCE'
static void (*volatile table[])(double *, double) = { set1, set2, set3, set4, set5, set6, set7,
						      set8, set9 };

int main(int argc, char **argv)
{
	double a[1], b[1];
	kernel_begin(argc, argv);
	double x = mix(1, unit);
	table[argc](a, x);
	b[0] = mix(2, unit);
	printf("%g %g\n", a[0], b[0]);
	return 0;
}
END_OF_SOURCE
} >table.c
for level in -O0 -O2; do
	built pointers "$CC" "$level" pointers.c
	sampled 1000hz ./pointers $unit
	share_is "$level, a call through a pointer" a 0.3333
	share_is "$level, a call through a pointer" b 0.6667
	lacks "$level, calls that samples show are certain" "$(page)" 'through pointers'
done
built table "$CC" -O2 table.c
sampled 1000hz ./table $((2 * unit))
share_is "a call through a pointer that is not known" a 0.5
matches "a call through a pointer that is not known: it is said" "$(page)" \
	'enters calls through pointers \(main at table.c:[0-9]*\), and no sample'

# -- recursion ------------------------------------------------------------------------------------
cat >deep.c <<'END_OF_SOURCE'
#include "kernel.h"

static ALONE double odd(int depth, double x);
static ALONE double even(int depth, double x)
{
	double y = depth ? odd(depth - 1, mix(x, unit / 400)) : x;
	return y + 1;
}
static ALONE double odd(int depth, double x)
{
	double y = depth ? even(depth - 1, mix(x, unit / 400)) : x;
	return y + 2;
}

int main(int argc, char **argv)
{
	double a[1], b[1];
	kernel_begin(argc, argv);
	a[0] = even(40, 1);
	b[0] = odd(1000, 2);
	printf("%g %g\n", a[0], b[0]);
	return 0;
}
END_OF_SOURCE
built deep "$CC" -O0 deep.c
sampled 1000hz ./deep $unit
matches "deep recursion: it is said" "$(page)" \
	'stacks of [0-9]+ samples are too deep to be followed to main \(they begin in (odd|even)'
lacks "main itself was reached" "$(page)" '^main: .*callers are not known'
matches "the function where the stacks begin is a blame point" "$(page)" \
	'^(odd|even): .*its callers are not known'

# -- variable arguments ---------------------------------------------------------------------------
cat >arguments.c <<'END_OF_SOURCE'
#include <stdarg.h>

#include "kernel.h"

static ALONE void fill(int n, ...)
{
	va_list list;
	va_start(list, n);
	while (n-- > 0) {
		double *to = va_arg(list, double *);
		*to = mix(1, va_arg(list, long));
	}
	va_end(list);
}
static void (*volatile hidden)(int, ...) = fill;
static ALONE void report(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
}

int main(int argc, char **argv)
{
	double a[1], b[1];
	kernel_begin(argc, argv);
	fill(1, a, 2 * unit);
	hidden(1, b, unit);
	report("%g\n", mix(2, unit));
	report("%g %g\n", a[0], b[0]);
	return 0;
}
END_OF_SOURCE
built arguments "$CC" -O2 arguments.c
sampled 1000hz ./arguments $unit
share_is "memory behind a variable argument" a 0.5
share_is "and of a call through a pointer" b 0.25
share_is "a variable argument that is printed" Output 0.25
lacks "variable arguments are certain" "$(page)" '^variables:'

# The list of arguments is in memory that has a name. The import went on for ever.
cat >kept.c <<'END_OF_SOURCE'
#include <stdarg.h>
#include "kernel.h"

struct printer { va_list list; double out[2]; };

static ALONE void take(struct printer *p, int place)
{
	p->out[place] = va_arg(p->list, double);
}

static ALONE void keep(struct printer *p, int n, ...)
{
	va_start(p->list, n);
	for (int i = 0; i < n; i++)
		take(p, i);
	va_end(p->list);
}

int main(int argc, char **argv)
{
	struct printer p;
	kernel_begin(argc, argv);
	keep(&p, 2, mix(1, unit), mix(2, unit));
	printf("%g %g\n", p.out[0], p.out[1]);
	return 0;
}
END_OF_SOURCE
for level in -O0 -O2; do
	built kept "$CC" "$level" kept.c
	sampled 1000hz ./kept $unit
	check "$level, arguments that are kept: the import ends" timeout 60 "$ANALYZE" import \
		--db "$T/sis.db" "$EXP"
	share_is "$level, arguments that are kept" p 1
done

# -- unions ---------------------------------------------------------------------------------------
cat >unions.c <<'END_OF_SOURCE'
#include "kernel.h"

struct item {
	union {
		double real;
		long whole;
		struct { char *text; long size; } part;
	} u;
	union { double x; long y; };
};

int main(int argc, char **argv)
{
	struct item i;
	kernel_begin(argc, argv);
	i.u.whole = (long)mix(1, unit);
	i.u.part.size = (long)mix(2, unit);
	i.y = (long)mix(3, 2 * unit);
	printf("%g %ld %ld\n", i.u.real, i.u.part.size, i.y);
	return 0;
}
END_OF_SOURCE
built unions "$CC" -O2 unions.c
sampled 1000hz ./unions $unit
share_is "members that overlap are one" "i.u.real|whole|part" 0.25
share_is "and have no share of their own" i.u.real 0
share_is "a member that is alone there has its name" i.u.part.size 0.25
share_is "a union without a name" "i.x|y" 0.5

# -- setjmp ---------------------------------------------------------------------------------------
cat >jumps.c <<'END_OF_SOURCE'
#include <setjmp.h>

#include "kernel.h"

static jmp_buf start;
static ALONE void check(double x)
{
	if (x > 0)
		longjmp(start, 1);
}

int main(int argc, char **argv)
{
	volatile double between = 0;
	double result[1];
	kernel_begin(argc, argv);
	if (setjmp(start)) {
		result[0] = between;
		printf("%g\n", result[0]);
		return 0;
	}
	between = mix(1, 3 * unit);
	check(mix(2, unit));
	return 1;
}
END_OF_SOURCE
for level in -O0 -O2; do
	built jumps "$CC" "$level" jumps.c
	sampled 1000hz ./jumps $unit
	share_is "$level, written between setjmp and longjmp" between 0.75
	share_is "$level, and read after it" result 0.75 --inclusive
	matches "$level, what decides about the jump is said" "$(page)" \
		'decides about a longjmp \(check at jumps.c:[0-9]*\)'
done

# -- inline assembly ------------------------------------------------------------------------------
# Addresses are inputs of both: only one says that memory changes.
cat >assembly.c <<'END_OF_SOURCE'
#include "kernel.h"

int main(int argc, char **argv)
{
	double a[1], b[1], c[1], d[1], x;
	long y;
	const double *address = d;
	kernel_begin(argc, argv);
	d[0] = mix(1, unit);
	x = mix(2, unit);
	__asm__("# %0 %1" : "=r"(y) : "0"((long)x));
	a[0] = y;
	x = mix(3, unit);
	__asm__ volatile("# %0 %1" : "+m"(b[0]) : "g"(x), "r"(address));
	__asm__ volatile("" : : "r"(address) : "memory");
#ifdef CLOBBER
	__asm__ volatile("# %0 %1" : "=m"(c[0]) : "r"(address) : "memory");
#endif
	c[0] = mix(4, unit);
	printf("%g %g %g\n", a[0], c[0], d[0]);
	return b[0] == 7;
}
END_OF_SOURCE
for level in -O0 -O2; do
	built assembly "$CC" "$level" assembly.c
	sampled 1000hz ./assembly $unit
	share_is "$level, assembly: an operand in a register" a 0.25
	share_is "$level, assembly: an operand in memory" b 0.25
	share_is "$level, assembly: an address is no access" d 0.25 --inclusive
	share_is "$level, assembly: nothing else is written" b 0.25 --inclusive
	lacks "$level, assembly: its constraints are certain" "$(page)" '^variables:'
done
built clobber "$CC" -O2 -DCLOBBER assembly.c
sampled 1000hz ./clobber $unit
share_is "assembly that may change memory: its operand" d 0.25
matches "assembly that may change memory: it is said" "$(page)" \
	'inline assembly with the clobber "memory" \(main at assembly.c:[0-9]*\)'

# -- calls that no statement makes ----------------------------------------------------------------
cat >signals.c <<'END_OF_SOURCE'
#include <signal.h>
#include <unistd.h>

#include "kernel.h"

static double hidden[1];
static volatile int done;
static void handler(int number)
{
	hidden[0] = mix(number, unit);
	done = 1;
}

int main(int argc, char **argv)
{
	double a[1] = { 1 };
	kernel_begin(argc, argv);
	signal(SIGALRM, handler);
	ualarm(100000, 0);
	while (!done)
		a[0] = mix(a[0], 1000);
	printf("%g %g\n", a[0], hidden[0]);
	return 0;
}
END_OF_SOURCE
built signals "$CC" -O2 signals.c
sampled 1000hz ./signals $((5 * unit))
matches "a signal: its handler is not found in its caller" "$(page)" \
	'call of a function was not found in its caller for [0-9]+ samples \(handler in (mix|main)\)'
matches "a signal: so its work is not of main's variables" "$(share Other)" '^0\.[4-9]'

# -- functions that the compiler splits ------------------------------------------------------------
# gcc -O2 inlines a part of compare in the rest of it. In the source that is no call.
cat >split.c <<'END_OF_SOURCE'
#include "kernel.h"

struct edge { int low, high; };
static int compare(const struct edge *a, const struct edge *b)
{
	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return a->high < b->high ? -1 : a->high > b->high;
}

static void sink(struct edge *edge, int root, int count)
{
	for (int child; (child = 2 * root + 1) < count; root = child) {
		if (child + 1 < count && compare(&edge[child], &edge[child + 1]) < 0)
			child++;
		if (compare(&edge[root], &edge[child]) >= 0)
			return;
		struct edge swap = edge[root];
		edge[root] = edge[child];
		edge[child] = swap;
	}
}

int main(int argc, char **argv)
{
	enum { N = 4096 };
	static struct edge edge[N];
	kernel_begin(argc, argv);
	for (long k = 0; k < unit / 1000000; k++) {
		for (int i = 0; i < N; i++)
			edge[i] = (struct edge){ i % 7, (i * 7919) % 1009 };
		for (int root = N / 2; root-- > 0;)
			sink(edge, root, N);
		for (int count = N; count-- > 1;) {
			struct edge swap = edge[0];
			edge[0] = edge[count];
			edge[count] = swap;
			sink(edge, 0, count);
		}
	}
	printf("%d\n", edge[N / 2].low);
	return 0;
}
END_OF_SOURCE
built split "$CC" -O2 split.c
sampled 1000hz ./split 1000000000
matches "parts of a function: its work reaches what it decides about" "$(share edge)" '^(1|0\.9)'
lacks "parts of a function: all calls are found" "$(page)" '^variables:'

# -- code without --sis-blame, in the program and in a library -------------------------------------
cat >helper.c <<'END_OF_SOURCE'
#include "kernel.h"

double helper(double x, long n) { return mix(x, n); }
END_OF_SOURCE
cat >caller.c <<'END_OF_SOURCE'
#include <stdio.h>
#include <stdlib.h>

double helper(double x, long n);

int main(int argc, char **argv)
{
	double result = helper(argc, atol(argv[1]));
	printf("%g\n", result);
	return 0;
}
END_OF_SOURCE
"$CC" -O2 -g0 -fno-omit-frame-pointer -I"$kernels" -c helper.c || give_up "helper.c compiles"
"$CC" -O2 -g0 -fPIC -shared -s -fno-omit-frame-pointer -I"$kernels" helper.c -o libhelper.so ||
	give_up "libhelper.so is linked"
for part in helper.o libhelper.so; do
	built mixed "$CC" -O2 caller.c "$part" -Wl,-rpath,"$T"
	sampled 1000hz ./mixed 200000000
	equal "$part without --sis-blame, called at a statement: all is for the result" \
		"$(ranks)" result
	matches "$part: it is said" "$(page)" \
		'enters functions without analysis \(helper\), whose effects are guessed; build'
done

# -- whole programs without analysis ---------------------------------------------------------------
built bare "$CC" -O2 -g0 pointers.c
sampled 1000hz ./bare $unit
equal "a program without debug information runs" "$run_status" 0
check "and is imported" analyze import "$EXP"
matches "without debug information: it is said, and what helps" "$(page)" \
	'because: no debug information; build with sisc --sis-blame, without -g0'
matches "and in JSON" "$(unresolved)" '^no debug information'
equal "and no variable is guessed" "$(ranks)" ""

built whole "$CC" -O2 pointers.c
strip whole
sampled 1000hz ./whole $unit
equal "a stripped program runs" "$run_status" 0
matches "a stripped program: it is said" "$(page)" 'because: stripped'
matches "and in JSON" "$(unresolved)" '^stripped'
equal "and no variable of it is guessed" "$(ranks)" ""

build other -O2 -g -I"$kernels" pointers.c
sampled 1000hz ./other $unit
matches "a program without --sis-blame: it is said" "$(page)" \
	'because: not built with sisc --sis-blame'
matches "and in JSON" "$(unresolved)" '^not built with'
equal "and no variable of it is guessed" "$(ranks)" ""
