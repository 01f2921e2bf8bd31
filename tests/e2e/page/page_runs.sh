# SPDX-License-Identifier: BSD-3-Clause
# The page of several runs: their differences, sources, variables, and what measuring cost.
# ci: it opens many pages in a browser
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_page.sh"

cp "$TOP"/samples/stommel/*.[ch] .
build sample stommel_mpi.c model.c -O2 --sis-blame -lm
SIS_BLAME=1 && export SIS_BLAME
for points in 120 200 200; do
	run 2 1 ./sample $points $points 60
done
unset SIS_BLAME

# -- numbers: exp2 and exp3 are repetitions
page runs exp1 exp2 exp3 --source
node "$TOP/tests/page/runs_numbers.mjs" runs.html exp1 exp2,exp3
views runs dark

# -- sources: only with --source, and only files that are still as they were compiled
element() { # element PAGE: the texts of the page, which are compressed
	node --input-type=module -e '
		const { readFile } = await import(process.argv[1]);
		const page = await readFile(process.argv[2]);
		for (const experiment of page.experiments.slice(0, 1)) {
			const { path, state } = await experiment.table("source_file");
			const { file } = await experiment.table("source_line");
			path.forEach((name, row) => console.log(`${name}: ${state[row]}, ` +
				`${file.filter(of => of === row).length} lines`));
		}' "$TOP/tests/page/data.mjs" "$PWD/$1.html"
}
equal "the page has the texts" "$(element runs)" \
	"model.c: embedded, $(grep -c '' model.c) lines
stommel_mpi.c: embedded, $(grep -c '' stommel_mpi.c) lines"
page without exp1
lacks "without --source it has no text" "$(element without)" ' [1-9][0-9]* lines'
echo >>model.c
mv stommel_mpi.c elsewhere.c
mkfifo stommel_mpi.c
page changed exp1 --source
equal "a file that changed, or is no file, is not embedded" "$(element changed)" \
	"model.c: changed since it was compiled, 0 lines
stommel_mpi.c: not a regular file, 0 lines"

# -- the budget
source_file hot.c <<'END'
#include <stdio.h>
static int fib(int n)
{
	volatile int x = 0;
	for (int i = 0; i < 3; i++)
		x += i;
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
int main(void)
{
	printf("%d\n", fib(34));
	return 0;
}
END
build hot hot.c -O2 --sis-cr=CR_F,CR_L
SIS_OVERHEAD=5% run_alone 1 ./hot
SIS_OVERHEAD=off run_alone 1 ./hot
page hot exp4 exp5
node "$TOP/tests/page/runs_numbers.mjs" hot.html exp4 exp5
views hot
matches "the budget turned a region down" \
	"$(analyze report exp4 --json | tr -d '\n')" '"turned_down": \[\{"region": "fib"'

# -- blame that is not certain
source_file clobber.c <<'END'
static double sum[8];
int main(void)
{
	double *out = sum;
	for (int i = 0; i < 100000000; i++)
		out[i % 8] += i;
	__asm__ volatile("" : : "r"(out) : "memory");
	__asm__ volatile("# %0 %1" : "=m"(sum[0]) : "r"(out) : "memory");
	return sum[0] == 1;
}
END
build clobber clobber.c -O1 --sis-blame
SIS_BLAME=1000hz run_alone 1 ./clobber
page clobber "$EXP"
matches "the page says of what the blame is not certain" "$(node --input-type=module -e '
	const { readFile } = await import(process.argv[1]);
	const [experiment] = (await readFile(process.argv[2])).experiments;
	console.log((await experiment.table("doubt")).text.join("\n"));' \
	"$TOP/tests/page/data.mjs" "$PWD/clobber.html")" 'clobber "memory"'
