# SPDX-License-Identifier: BSD-3-Clause
# At a terminal, lines fit its width and a pager shows long output. In a file, names and lines
# are whole and there is no pager. (tests/unit/analysis/base/test_terminal.c tests the progress
# bar.)
. "$(dirname "$0")/../lib.sh"

source_file prog.c <<'END'
#include <unistd.h>
static void a_function_whose_name_is_longer_than_what_a_narrow_terminal_has_room_for(void)
{
	usleep(1000);
}
int main(void)
{
	a_function_whose_name_is_longer_than_what_a_narrow_terminal_has_room_for();
	return 0;
}
END
build prog prog.c
run_alone 1 ./prog
analyze import "$EXP" >import.out 2>&1 || give_up "import" import.out
source_file pager.sh <<'END'
echo "page begins"
cat
echo "page ends"
END
"$CC" -shared -fPIC -o stand_in.so "$HERE/terminal_stand_in.c" 2>build.err ||
	give_up "stand_in is built" build.err

# at_terminal COLUMNS WORD...: sis-analyze at a terminal of that width, of the kind in $way.
# What it shows is in the file shown.
at_terminal() {
	width=$1
	shift
	"$way" "$@" >shown 2>&1 </dev/null
	terminal_status=$?
	tr -d '\r' <shown >clean && mv clean shown
}
pseudo_terminal() {
	printf 'stty cols %s rows 40\nexec "%s" %s --db "%s"\n' \
		"$width" "$ANALYZE" "$*" "$T/sis.db" >terminal.sh
	SHELL=/bin/sh TERM=xterm timeout 20 script -q -e -c "sh terminal.sh" typescript
}
stand_in() {
	STAND_IN=$T/shown STAND_IN_COLUMNS=$width LD_PRELOAD=./stand_in.so TERM=xterm timeout 20 \
		"$ANALYZE" "$@" --db "$T/sis.db"
}
longest() {
	awk '{ gsub(/\033\[[0-9;]*[A-Za-z]/, "") } length > n { n = length } END { print n + 0 }' \
		shown
}

lines_fit() {
	PAGER=cat
	export PAGER
	at_terminal 70 regions
	equal "$way: a narrow terminal: status" $terminal_status 0
	check "$way: its lines fit" test "$(longest)" -le 70
	matches "$way: names lack their middle" "$(cat shown)" \
		'^a_function[a-z_]*\.\.[a-z_]*room_for +CR_F'
	lacks "$way: numbers are whole" "$(cat shown)" '[0-9]\.\.'
	at_terminal 200 regions
	matches "$way: a wide one has all" "$(cat shown)" narrow_terminal_has_room_for
	analyze regions "$EXP" >file.out
	matches "$way: a file, too" "$(cat file.out)" narrow_terminal_has_room_for

	at_terminal 80 overhead
	sed -i '/^ *O[A-Z_]*  *[0-9]/!d' shown
	check "$way: the tree fits, too: $(wc -l <shown) lines" test -s shown -a "$(longest)" -le 80
	analyze overhead "$EXP" >file.out
	lacks "$way: no line of it ends with blanks" "$(cat file.out)" ' $'
	matches "$way: and its texts are whole" "$(cat file.out)" \
		"OPROBE .*  the probes' own cost, calibrated"
}

pages() {
	PAGER='sh pager.sh'
	at_terminal 70 regions
	equal "$way: the user's pager gets it" "$(sed -n '1p;$p' shown | tr '\n' ,)" \
		"page begins,page ends,"
	check "$way: at the terminal's width" test "$(longest)" -le 70
	PAGER='sh -c "head -n 1"'
	at_terminal 200 regions
	equal "$way: a pager that is left early is no error" \
		"$terminal_status $(wc -l <shown)" \
		"0 1"
	PAGER='sh pager.sh'
	at_terminal 70 regions --region none
	equal "$way: a wrong option does not start it" \
		"$terminal_status $(grep -c page shown)" \
		"2 0"
	equal "$way: nor is there one for a file" "$(analyze list | grep -c page)" 0
}

# A system without /dev/pts or script(1) has no pseudo-terminals: there the stand-in shows the same.
ways=stand_in
if SHELL=/bin/sh script -q -e -c true typescript >check.out 2>&1 </dev/null; then
	ways="pseudo_terminal stand_in"
fi
for way in $ways; do
	lines_fit
	pages
done
