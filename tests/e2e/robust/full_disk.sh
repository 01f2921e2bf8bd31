# SPDX-License-Identifier: BSD-3-Clause
# A full disk is called that by every command.
. "$(dirname "$0")/../lib.sh"
trap 'cd /; umount "$T/small" 2>/dev/null; rm -rf "$T"' EXIT

# Many functions, which call each other in many orders: the profile needs a megabyte.
seq 0 399 | awk 'BEGIN { print "volatile int sum;" }
	{ calls = calls sprintf("void f%d(int n) { sum += n; if (n) { f%d(n - 1); f%d(n - 1); } }\n",
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
	one_error "standard output: $command" 1 "^sis-analyze: error: cannot write.*: No space left" \
		to_full $command
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
export --format chrome
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
export --format chrome -o /dev/full
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
for command in "view -o small/x.html" "export --json -o small/x" "export --format tau -o small/tau" \
	"suggest-filter --output small/x" "top exp1 --once --prometheus small/x"; do
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
	for command in "import exp1 --name new" "rm 1" "gc" "merge other.db" "import --set a=1 exp1"; do
		[ "$how $command" != "8m merge other.db" ] || continue # has nothing to write
		# shellcheck disable=SC2086
		one_error "$how: $command" 1 "repository '.*': database or disk is full; make room" \
			kept $command
	done
	check "$how: list reads" kept list
	umount small
done
echo "1..$number"
