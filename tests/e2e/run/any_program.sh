# SPDX-License-Identifier: BSD-3-Clause
# sis-analyze run: programs that were not compiled with sisc, unchanged and measured.
. "$(dirname "$0")/../lib.sh"
unset SIS_ASLEEP
export SIS_OVERHEAD=5%
"$CC" -O1 -g -o any "$HERE/any_program.c" -lpthread || exit 1

# measure COMMAND...: runs it; its output in run.out, the report and its errors in run.err
measure() {
	rm -rf exp
	timeout 120 "$ANALYZE" run --db run.db --name exp --report report "$@" >run.out 2>run.err
	status=$?
	EXP=exp
}
# profiles PROGRAM: how many profiles are of this program
profiles() { grep -l -a "/$1" exp/proc-*.sis 2>/dev/null | grep -c .; }
# short: how many processes were only counted
short() { cat exp/short-*.tsv 2>/dev/null | grep -c .; }
# overhead KEY: its value in the JSON of `overhead`
overhead() { "$ANALYZE" overhead --db run.db --json exp 2>/dev/null | jq ".$1"; }

# -- the program is unchanged ---------------------------------------------------------------------
measure ./any sleep 20 print hello exit 7
equal "status" "$status" 7
equal "standard output" "$(cat run.out)" hello
equal "standard error" "$(cat run.err)" "error hello"
equal "a profile" "$(profiles any)" 1
matches "the command" "$(head -1 report)" '^exp(-[0-9]+)?: ./any sleep 20 print hello exit 7$'
matches "what sisc would add" "$(cat report)" '^warning: any was not compiled with sisc: '
measure ./any work 20 kill 11
equal "a signal" "$status" 139
measure ./any work 20 kill 9
equal "a signal that cannot be handled" "$status" 137
equal "killed while it computes: a profile" "$(profiles any)" 1
measure ./any work 20 _exit 3
equal "_exit" "$status $(profiles any)" "3 1"
lacks "_exit: complete" "$(cat report)" INCOMPLETE
equal "standard input" "$(echo text | "$ANALYZE" run --db run.db --report report cat)" text
printf '#!/bin/sh\nexit 5\n' >script && chmod +x script
measure ./script
equal "a script" "$status" 5
measure ./not_there
equal "no such program" "$status" 127
matches "no such program: an error" "$(cat run.err)" \
	"^sis-analyze: error: cannot run './not_there': No such file or directory$"
equal "no such program: no directory" "$(ls -d exp 2>/dev/null)" ""
chmod -x script
measure ./script
equal "not executable" "$status" 126
measure ./any --name exp2 exit 4
equal "options of the program are the program's" "$(ls -d exp2 2>/dev/null)" ""
ln -s "$ANALYZE" sis-run
./sis-run --db run.db --report report ./any work 20 exit 6
equal "sis-run" $? 6

# -- what is measured -----------------------------------------------------------------------------
measure ./any sleep 200
near "asleep" "$(overhead overheads.OLOSS_ASLEEP)" 0.2
measure ./any threads 60
equal "threads: processing units" 	"$(overhead processing_units)" 4
EARLY=1 measure ./any join 0
equal "a thread of a constructor" "$(overhead processing_units)" 2
measure ./any child 0 work 50 exit 3
equal "a forked child: status" "$status" 3
equal "a forked child" "$(profiles any)" 2
measure ./any child 0 work 50 kill 9
equal "a forked child that is killed" "$(profiles any)" 2
measure ./any child 0 work 50 _exit 0
equal "a forked child that ends by _exit" "$(profiles any)" 2
measure ./any work 20 exec ./any work 20 exit 2
equal "after exec" "$status $(profiles any)" "2 2"

# -- what is not measured -------------------------------------------------------------------------
measure sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do env true; done; nice ./any work 20'
equal "shells, env and nice have no profile" \
	"$(ls exp | grep -c '^proc-')" $(($(profiles any) + $(profiles true)))
# on a busy machine some of them live longer, and have a profile
equal "short processes" $(($(short) + $(profiles true))) 10
[ "$(short)" = 0 ] || matches "short processes: the report" "$(cat report)" \
	"^warning: $(short) processes lived for less than 5 ms each, .*: true $(short)\$"
measure true
equal "only short processes" "$status $(($(short) + $(profiles true)))" "0 1"

measure sh -c './any work 20 & ./any work 20 & wait; exec ./any work 20'
equal "a shell's jobs, one experiment" "$(profiles any) $(ls -d exp* | grep -c .)" "3 1"

matches "the start of the measurement took time" "$("$ANALYZE" report --db run.db --json exp |
	jq -c '[.actions[].rule]')" '"SETUP_OF_PROBES"'
ln any another
measure sh -c './any work 20; ./another work 20'
equal "one warning for all programs" "$(grep 'compiled with sisc' report)" \
	"warning: any, another were not compiled with sisc: calls of functions are not counted"

# -- obstacles ------------------------------------------------------------------------------------
"$CC" -O1 -static -o fixed "$HERE/any_program.c" -lpthread 2>/dev/null || exit 1
measure ./fixed work 20 exit 3
equal "static: status" "$status" 3
matches "static" "$(cat report run.err)" "nothing was measured: './fixed' is statically linked, so"
measure timeout 20 ./fixed work 20
matches "static, behind timeout" "$(cat report run.err)" "'./fixed' is statically linked"
printf '#! %s\n' "$T/fixed" >interpreted && chmod +x interpreted
measure ./interpreted
matches "static interpreter" "$(cat report run.err)" "fixed' is statically linked"
# the machine of the ELF header, at offset 18, of another processor
cp any other && printf '\363' | dd of=other bs=1 seek=18 conv=notrunc 2>/dev/null
measure ./other
matches "another processor" "$(cat report run.err)" 'cannot run|for another kind of processor'
measure env -u LD_PRELOAD ./any work 20
matches "LD_PRELOAD is cleared" "$(cat report run.err)" 'no process but launchers and shells loaded'

# -- hard surroundings ----------------------------------------------------------------------------
measure sh -c 'exec ./any work 20 print x <&- >&- 2>&-'
equal "closed descriptors" "$status $(profiles any)" "0 1"
measure sh -c 'ulimit -n 12; exec ./any threads 20 print limited'
equal "few descriptors" "$status $(cat run.out)" "0 limited"
measure sh -c 'ulimit -v 300000; exec ./any work 20 print little'
equal "little memory" "$status $(cat run.out)" "0 little"
if "$CC" -fsanitize=address -O1 -o checked "$HERE/any_program.c" -lpthread 2>/dev/null; then
	measure ./checked work 20 print checked
	equal "address sanitizer" "$status $(cat run.out) $(cat run.err)" "0 checked error checked"
fi
mkdir gone && cat >leave.sh <<'END'
cd gone && rmdir ../gone && exec ../any work 20 print left
END
measure sh leave.sh
equal "without a working directory" "$status $(profiles any)" "0 1"
for what in malloc dlopen; do # the profile is opened in a signal handler
	bad=0
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		timeout 20 "$ANALYZE" run --db run.db --report report \
			./any $what 15 >/dev/null 2>&1 || bad=$((bad + 1))
	done
	equal "opened within $what" "$bad" 0
done

# -- signals --------------------------------------------------------------------------------------
"$ANALYZE" run --db run.db --name asked --report report ./any sleep 20000 >run.out 2>run.err &
runner=$!
while ! ls asked/proc-*.sis >/dev/null 2>&1; do sleep 0.05; done
kill -TERM $runner
wait $runner
equal "SIGTERM is passed on" $? 143
matches "SIGTERM: the report says so" "$(cat report)" 'did not end: it was killed'

# -- programs with probes -------------------------------------------------------------------------
source_file probed.c <<'END'
#include <unistd.h>
void step(void) { usleep(1000); }
int main(void) { for (int i = 0; i < 20; i++) step(); return 0; }
END
build probed probed.c -O1
measure ./probed
equal "probes count calls" "$("$ANALYZE" regions --db run.db --json exp |
	jq '[.[] | select(.region == "step") | .calls] | add')" 20
lacks "probes: nothing is missing" "$(cat report)" 'not compiled with sisc'
