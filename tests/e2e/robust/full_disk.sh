# SPDX-License-Identifier: BSD-3-Clause
# A full disk is called that by every command, and a run that had one is not complete.
# ci: it lets many calls fail, one after the other
. "$(dirname "$0")/../lib.sh"
trap 'cd /; umount "$T/small" 2>/dev/null; rm -rf "$T"' EXIT

# Many functions, which call each other in many orders: the profile needs a megabyte.
seq 0 399 | awk 'BEGIN { print "volatile int sum;" }
	{ calls = calls sprintf("void f%d(int n) " \
		"{ sum += n; if (n) { f%d(n - 1); f%d(n - 1); } }\n",
		$1, ($1 * 7 + 1) % 400, ($1 * 13 + 5) % 400)
	  printf "void f%d(int);\n", $1 }
	END { print calls "int main(void) { f0(13); return 3; }" }' >prog.c
build prog prog.c -O1 --sis-cr=CR_F
run_alone 1 env SIS_TRACE=1 ./prog
analyze import "$EXP" >import.out 2>&1 || give_up "an experiment is imported" import.out
cp sis.db other.db

# -- where the result goes
to_full() { "$ANALYZE" "$@" --db "$T/sis.db" >/dev/full; }
while read -r command; do
	# shellcheck disable=SC2086
	one_error "standard output: $command" 1 \
		"^sis-analyze: error: cannot write.*: No space left" to_full $command
done <<'END'
list
show
report
report --json
view -o -
regions --csv
overhead
compare 1 1
export --json
export --format perfetto
suggest-filter
suggest-regions --json
env
idf ./prog
top exp1 --once
END
for command in help "help view" --version; do
	# shellcheck disable=SC2086
	one_error "standard output: $command" 1 "cannot write the .*: No space left" \
		sh -c "'$ANALYZE' $command >/dev/full"
done
while read -r command; do
	# shellcheck disable=SC2086
	one_error "$command" 1 "cannot write '/dev/full': No space left" analyze $command
done <<'END'
view -o /dev/full
export --json -o /dev/full
export --format perfetto -o /dev/full
suggest-filter --output /dev/full
suggest-regions --output /dev/full
END

# -- a disk that is full
mkdir small
if ! mount -t tmpfs -o size=4k none small 2>/dev/null; then
	skip "a small disk" "only root can mount one"
	echo "1..$number"
	exit
fi
umount small
# on_disk SIZE: a disk of that size in ./small
on_disk() { mount -t tmpfs -o "size=$1" none small || give_up "a small disk is mounted"; }
fill() { cat /dev/zero >small/fill 2>/dev/null; }

on_disk 300k
fill
for command in "view -o small/x.html" "export --json -o small/x" \
	"export --format tau -o small/tau" "suggest-filter --output small/x" \
	"top exp1 --once --prometheus small/x"; do
	# shellcheck disable=SC2086
	one_error "$command" 1 "cannot write 'small/.*': No space left" analyze $command
done
equal "what could not be written is removed" "$(find small -type f)" small/fill
umount small

# kept COMMAND...: the repository is on a full disk
kept() { "$ANALYZE" "$@" --db small/sis.db; }
for how in 8m 64m,nr_inodes=2; do # no room for rows; none for the name of a journal
	on_disk $how
	cp sis.db small
	fill
	for command in "import exp1 --name new" "rm 1" "gc" "merge other.db" \
		"import --set a=1 exp1"; do
		[ "$how $command" != "8m merge other.db" ] || continue # has nothing to write
		# shellcheck disable=SC2086
		one_error "$how: $command" 1 \
			"repository '.*': database or disk is full; make room" kept $command
	done
	check "$how: list reads" kept list
	umount small
done

# -- a run whose disk is full
# complete_on SIZE [VARIABLE...]: what list says of the run
complete_on() {
	on_disk "$1"
	shift
	env "$@" SIS_OUTPUT="$T/small/run" ./prog >run.out 2>run.err
	rm -f run.db
	"$ANALYZE" import small/run --db run.db >import.out 2>&1 || cat import.out
	"$ANALYZE" list --db run.db --json | jq '.[0].complete'
	umount small
}
equal "enough room" "$(complete_on 64m SIS_TRACE=1)" true
equal "none for the call graph" "$(complete_on 300k)" false
source_file prog.c <<'END'
static volatile double sum;
static void down(int n)
{
	for (int i = 0; i < 2000; i++)
		sum += i * n;
	if (n)
		down(n - 1);
}
int main(void)
{
	for (int i = 0; i < 1500; i++)
		down(i % 90);
	return 0;
}
END
build prog prog.c -O0 --sis-blame
equal "none for the trace" "$(complete_on 300k SIS_TRACE=1)" false
equal "... which is said" "$(grep -v 'killed' run.err | sed "s,'.*',PATH,; s/;.*//")" \
	"sis: warning: cannot write to the trace in PATH: No space left on device"
equal "none for the samples" "$(complete_on 400k SIS_BLAME=1000hz)" false
equal "... which is said" "$(sed "s,'.*',PATH,; s/;.*//" run.err)" \
	"sis: warning: cannot extend the samples in PATH: No space left on device"
equal "enough for them" "$(complete_on 64m SIS_TRACE=1 SIS_BLAME=1000hz)" true
echo "1..$number"
