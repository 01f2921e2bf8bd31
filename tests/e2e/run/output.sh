# SPDX-License-Identifier: BSD-3-Clause
# If an experiment cannot be kept, one line says so, and the program does not notice.
. "$(dirname "$0")/../lib.sh"

source_file prog.c <<'END'
#include <stdio.h>
static int twice(int x) { for (int i = 0; i < 10; i++) x ^= i; return x; }
int main(void)
{
	long sum = 0;
	for (int i = 0; i < 1000; i++)
		sum += twice(i);
	printf("%ld\n", sum);
	return 7;
}
END
build prog prog.c -O0
plain=$(gcc -O0 -o plain prog.c && ./plain)

# says_one_line WHAT: the last run went well and said one line
says_one_line() {
	equal "$1: exit status" "$run_status" 7
	equal "$1: standard output" "$(cat run.out)" "$plain"
	equal "$1: one line" "$(wc -l <run.err)" 1
	matches "$1: which says what" \
		"$(cat run.err)" \
		'^sis: warning: .*(SIS_OUTPUT|nothing|kept|full|space|measured)'
}

# kept DIRECTORY WHERE... the usual names
run_alone 1 ./prog
equal "kept where SIS_OUTPUT says" "$(ls "$EXP"/proc-*.sis | wc -l)" 1
equal "nothing is said of a good run" "$(cat run.err)" ""
mkdir here && cd here && timeout 60 ../prog >../run.out 2>../run.err
cd ..
equal "else in sis-PROGRAM-DATE-PID of the working directory" \
	"$(ls -d here/sis-prog-*-*-*/ | wc -l)" \
	1
# a path that the kernel accepts, and that is longer than the runtime's room for it
long=$T/$(printf './%.0s' $(seq 1500))long
mkdir too_long && cd too_long
SIS_OUTPUT=$long timeout 60 ../prog >../run.out 2>../run.err
run_status=$?
cd ..
says_one_line "SIS_OUTPUT is too long"
equal "SIS_OUTPUT is too long: the default name" "$(ls too_long)" \
	"$(cd too_long && echo sis-prog-*-*-*)"
equal "SIS_OUTPUT is too long: everything is kept" "$(ls too_long/*/proc-*.sis | wc -l)" 1
SIS_OUTPUT=$EXP ./prog >run.out 2>run.err
equal "an older experiment is not written over" "$(ls "$EXP"/proc-*.sis | wc -l)" 1
equal "its successor gets a name of its own" "$(ls "$EXP"-2/proc-*.sis | wc -l)" 1
matches "and that is said" "$(cat run.err)" '^sis: warning: .*exp1-2'

SIS_ENABLE=0 SIS_OUTPUT=$T/off ./prog >run.out 2>run.err
equal "SIS_ENABLE=0: exit status" $? 7
check "SIS_ENABLE=0: nothing is kept" test ! -e off

mkdir -p full/run # as the system's root has it
SIS_OUTPUT=$T/full ./prog >run.out 2>run.err
equal "a directory full of other things has it inside" \
	"$(ls -d full/sis-prog-*-*-*/proc-*.sis | wc -l) $(cat run.err)" \
	"1 "

echo file >not_a_directory
SIS_OUTPUT=$T/not_a_directory/x ./prog >run.out 2>run.err
run_status=$?
says_one_line "no such directory"
SIS_OUTPUT=/proc/nowhere ./prog >run.out 2>run.err
run_status=$?
says_one_line "not writable"
SIS_LOG=quiet SIS_OUTPUT=/proc/nowhere ./prog >run.out 2>run.err
equal "SIS_LOG=quiet says nothing" "$(cat run.err)" ""

# A child that cannot create a file: its parent has one, which is kept.
source_file fork.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void step(void) { }
int main(int argc, char **argv)
{
	step();
	rename(argv[1], argv[2]);
	if (fork() == 0) {
		step();
		_exit(0);
	}
	wait(NULL);
	step();
	return argc != 3;
}
END
build fork fork.c -O1 --sis-cr=CR_P,CR_F
SIS_OUTPUT=$T/moving ./fork "$T/moving" "$T/moved" >run.out 2>run.err
equal "a child without a file: exit status, one line" "$? $(wc -l <run.err)" "0 1"
matches "a child without a file: which says that it is the child" \
	"$(cat run.err)" \
	'^sis: warning: .*forked child.*nothing will be kept of it$'
EXP=$T/moved
equal "a child without a file: the parent's is whole" \
	"$(query '.[0].processes[].state' show "$EXP")" \
	ended
equal "a child without a file: with its calls" \
	"$(query '[.[] | select(.region == "step") | .calls] | add' regions "$EXP")" \
	2

# What other programs may do with the experiment while the program runs. They may not shorten its
# profile in place: a LIMIT in rtlib/output/profile/DESIGN.
source_file meddled.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static int down(int n) { return n ? 1 + down(n - 1) : 0; } /* the profile has to grow for it */
int main(int argc, char **argv)
{
	int sum = down(100);
	fflush(stdout);
	if (argc != 2 || system(argv[1]) != 0)
		return 1;
	printf("%d\n", sum + down(8000));
	return 5;
}
END
build meddled meddled.c -O1 --sis-cr=CR_F
export ANALYZE
for meddle in 'cp -r meddled.exp copy' '"$ANALYZE" import --db meddled.db meddled.exp' \
	'rm meddled.exp/*.sis' 'mv meddled.exp aside' 'rm -r meddled.exp' \
	'for f in meddled.exp/*.sis; do echo >new; mv new "$f"; done'; do
	SIS_OUTPUT=$T/meddled.exp ./meddled "{ $meddle; } >meddled.out 2>&1" >run.out 2>run.err
	equal "$meddle: status and output are the program's" "$? $(cat run.out)" "5 8100"
	equal "$meddle: one warning at most, of what is missing" \
		"$(grep -vc '^sis: warning: cannot extend' run.err) $(sed 1d run.err)" "0 "
	rm -rf meddled.exp aside copy
done

# A disk with room for the directory only.
mkdir small
if mount -t tmpfs -o size=4k none small 2>/dev/null; then
	SIS_OUTPUT=$T/small/x ./prog >run.out 2>run.err
	run_status=$?
	umount small
	says_one_line "disk full"
elif (ulimit -f 0) 2>/dev/null; then # as near as an ordinary user gets
	run_status=$( (trap '' XFSZ; ulimit -f 1; SIS_OUTPUT=$T/limited ./prog 2>&3 |
		cat >run.out; echo 7) 3>run.err)
	says_one_line "file size limit"
fi

# A misspelt variable: one warning a run, with a suggestion.
source_file ranks.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Finalize();
	return 7;
}
END
build ranks ranks.c
SIS_OUPUT=elsewhere SIS_TARCE=1 run_alone 1 ./ranks
equal "misspelt variables: the program ends as without" "$run_status" 7
equal "misspelt variables: each is named" "$(sort run.err)" \
	"sis: warning: SIS_OUPUT is no setting of SIS and has no effect; did you mean SIS_OUTPUT?
sis: warning: SIS_TARCE is no setting of SIS and has no effect; did you mean SIS_TRACE?"
matches "misspelt variables: the experiment has the warning" "$(analyze show "$EXP")" 'SIS_OUPUT'
sis_trace=1 run_alone 1 ./ranks
matches "a variable in lower case" "$(cat run.err)" 'sis_trace .*did you mean SIS_TRACE'
sis_trace=1 SIS_LOG=quiet run_alone 1 ./ranks
equal "misspelt variables: quiet" "$(cat run.err)" ""
SIS_HOUSE_STYLE=1 SISC_CC=gcc SISTER=1 SIS_LOG=normal run_alone 1 ./ranks
equal "other variables: nothing is said" "$(cat run.err)" ""
SIS_UNIFI=0 run 4 1 ./ranks
equal "misspelt variables: one process of a run says so" "$(grep -c SIS_UNIFI run.err)" 1
