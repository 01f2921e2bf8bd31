# SPDX-License-Identifier: BSD-3-Clause
# Experiments and databases that are not what they should be: one line says so, and what to do.
. "$(dirname "$0")/../lib.sh"

cp "$HERE/sum.c" prog.c
build prog prog.c -O0
run_alone 1 ./prog
profile=$(ls "$EXP"/proc-*.sis)

# damaged WHAT PATTERN: a copy of the experiment in ./bad, its profile in $bad
damaged() { rm -rf bad && cp -r "$EXP" bad && bad=$(ls bad/proc-*.sis); }
refused() { one_error "$1" 1 "^sis-analyze: error: .*$2" "$ANALYZE" import --db bad.db bad; }

damaged && : >"$bad" && refused "an empty profile" "$(basename "$profile")"
for bytes in 7 100 4095 4096 5000 9000; do
	damaged && head -c $bytes "$profile" >"$bad" &&
		refused "a profile cut to $bytes bytes" "$(basename "$profile")"
done
damaged && printf 'not a profile at all, but long enough to hold a header' >"$bad" &&
	head -c 8192 /dev/zero >>"$bad" &&
	refused "a foreign file" "$(basename "$profile")"
damaged && printf '\377' | dd of="$bad" bs=1 seek=8 conv=notrunc 2>/dev/null &&
	refused "another version" "format 255, and only"
damaged && printf '\001\002\003\004' |
	dd of="$bad" bs=1 seek=12 conv=notrunc 2>/dev/null &&
	refused "another byte order" "order|endian"
damaged && printf 'XXXXXXXX' |
	dd of="$bad" bs=1 seek=4160 conv=notrunc 2>/dev/null &&
	refused "a damaged byte" "checksum|damaged|$(basename "$profile")"

# A process that is killed while it creates its profile leaves an empty one: the others count.
source_file pair.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static int f(int n) { return n + 1; }
int main(void)
{
	if (fork() == 0) {
		printf("%d\n", (int)getpid());
		fflush(stdout);
		return f(2) != 3 || raise(SIGKILL);
	}
	wait(NULL);
	return f(1) != 2;
}
END
build pair pair.c -O0 --sis-cr=CR_F
run_alone 1 ./pair
equal "two processes: a profile each" "$(ls "$EXP"/proc-*.sis | wc -l)" 2
child=$(ls "$EXP"/proc-*-"$(cat run.out)".sis)
cut_to() { head -c "$1" "$child"; }
half_header() { cut_to "$1"; head -c $((262144 - $1)) /dev/zero; }
left() {
	case $1 in
	nothing) ;;
	zeros) head -c 262144 /dev/zero ;;
	few_zeros) head -c 100 /dev/zero ;;
	part) cut_to 100 ;;
	half) half_header 512 ;;
	esac
}
for state in nothing zeros few_zeros part half; do
	rm -rf bad && cp -r "$EXP" bad && bad=bad/$(basename "$child")
	left $state >"$bad"
	equal "$state of a profile: the others are imported, the run is incomplete" \
		"$("$ANALYZE" import --db $state.db bad --json | jq -r '.[0].complete')" false
	"$ANALYZE" show --db $state.db bad --json >shown
	equal "$state of a profile: one process is left" "$(jq '.[0].processes | length' shown)" 1
	matches "$state of a profile: a warning names it" "$(jq -r '.[0].warnings[]' shown)" \
		"^$(basename "$child") is empty"
	for file in bad/proc-*.sis; do left $state >"$file"; done
	one_error "$state of all profiles: said" 1 \
		"^sis-analyze: error: .*bad' has only empty profiles" \
		"$ANALYZE" import --db bad.db bad
done
rm -rf bad && cp -r "$EXP" bad
head -c 4096 /dev/zero | dd of="bad/$(basename "$child")" conv=notrunc 2>dd.err
refused "a header of zeros before what was measured" "$(basename "$child"): not a profile"
run_alone 1 ./prog

mkdir empty
one_error "a directory without an experiment" 1 '^sis-analyze: error: .*empty' \
	"$ANALYZE" import --db bad.db empty
echo 'int main(void) { return 0; }' >file.c
one_error "a file that is no export" 1 \
	"^sis-analyze: error: '.*file.c' is neither the directory of a run nor an experiment" \
	"$ANALYZE" import --db bad.db file.c
one_error "no such directory" 1 '^sis-analyze: error: .*nosuch' "$ANALYZE" import --db bad.db nosuch

analyze import "$EXP" >import.out 2>&1 || give_up "a good one is imported" import.out
analyze import "$EXP" >/dev/null 2>&1
equal "twice is once" "$(query length list)" 1
echo 'this is no database, but it is a file with some text in it' >foreign.db
one_error "a foreign database" 1 '^sis-analyze: error: .*foreign.db' "$ANALYZE" list --db foreign.db
# user_version
cp sis.db newer.db && printf '\0\0\377\377' | dd of=newer.db bs=1 seek=60 conv=notrunc 2>/dev/null
one_error "a newer database" 1 '^sis-analyze: error: .*newer.db.*version' \
	"$ANALYZE" list --db newer.db
one_error "an unknown command" 2 "^sis-analyze: error: .*'imprt'; did you mean 'import'" \
	"$ANALYZE" imprt
one_error "a directory is no command" 2 "^sis-analyze: error: .*'bad'.*report bad" "$ANALYZE" bad
one_error "only options" 2 '^sis-analyze: error: no command' "$ANALYZE" --db sis.db
one_error "an option without its value" 2 '^sis-analyze: error: .*--db' "$ANALYZE" --db
one_error "an unknown option" 2 "^sis-analyze: error: list: .*'--jsn'; did you mean '--json'" \
	"$ANALYZE" list --jsn
one_error "another before the command" 2 "^sis-analyze: error: list: .*'--jsn'" \
	"$ANALYZE" --jsn list
equal "options before the command" \
	"$("$ANALYZE" --db sis.db --json list)" \
	"$("$ANALYZE" list --db sis.db --json)"
equal "its own, too, with their values" \
	"$("$ANALYZE" --top 1 --db=sis.db regions --csv)" \
	"$("$ANALYZE" regions --db sis.db --csv --top 1)"
equal "help before and after, long and short" "$("$ANALYZE" --help list)" "$("$ANALYZE" list -h)"
equal "options are explained in lines of 100" \
	"$("$ANALYZE" help speedup | sed -n '/^Options:/,$p' | awk 'length > 100')" \
	""
equal "help of help" "$("$ANALYZE" --json -h)" "$("$ANALYZE" help help)"
one_error "an overhead is no metric: nothing of another kind is suggested" 2 \
	"unknown overhead 'WTIME'; .sis-analyze overhead" "$ANALYZE" overhead "$EXP" --explain WTIME
one_error "half a condition" 2 "regions: 'calls>' is no condition" \
	"$ANALYZE" regions "$EXP" --filter 'calls>'
one_error "an unknown metric" 2 \
	'^sis-analyze: error: regions: unknown metric .TOT_CYCC.; did you mean TOT_CYC' \
	"$ANALYZE" regions --db sis.db --metric TOT_CYCC
equal "no region of a function: said" \
	"$("$ANALYZE" regions --db sis.db --unit nosuch | cut -c 1-16)" \
	"No region passes"
equal "for machines an empty list" "$("$ANALYZE" regions --db sis.db --unit nosuch --json)" "[]"
one_error "an experiment that is not there" 1 '^sis-analyze: error: .*nosuch' \
	"$ANALYZE" regions --db sis.db nosuch
one_error "sql does not write" 1 '^sis-analyze: error: ' \
	"$ANALYZE" sql --db sis.db "delete from experiment"
