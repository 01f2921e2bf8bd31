# SPDX-License-Identifier: BSD-3-Clause
# `sis-analyze top` at a terminal: keys, sizes, signals; the terminal is left as it was. Names are
# data there, too.
. "$(dirname "$0")/../lib.sh"

"$CC" -O1 -D_GNU_SOURCE -o terminal "$HERE/top_terminal.c" -lutil 2>cc.err ||
	give_up "top_terminal.c compiles" cc.err
if ! ./terminal 24 80 shown true <<'END' >check.out 2>&1; then
end
END
	echo "== no pseudo-terminal here: top prints text"
	ptys=no
fi
ptys=${ptys:-yes}
PAGER=cat
export PAGER
build names -O1 "-I$build_dir/include" "$HERE/top_names.c"

begin() { # begin NAME: the program, which ends when the file NAME.stop is there
	EXP=$T/$1.exp
	SIS_OUTPUT=$EXP ./names "$T/$1.stop" >begun.out 2>begun.err </dev/null &
	begun=$!
	for try in $(seq 400); do
		analyze top "$EXP" --once >/dev/null 2>&1 && return
		sleep 0.05
	done
	give_up "the program runs"
}
finish() {
	: >"$T/$1.stop"
	wait "$begun"
}
# session ROWS COLUMNS [ARGUMENT...]: top at a terminal of this size, with the commands of standard
# input; the answers are in the file answers, what the terminal shows in shown
session() {
	rows=$1 columns=$2
	shift 2
	TERM=${kind-xterm} LC_ALL=C.UTF-8 ./terminal "$rows" "$columns" shown \
		"$ANALYZE" top --db "$T/sis.db" --interval 0.2 "$EXP" "$@" >answers 2>&1
}
ends() { equal "$1" "$(tr '\n' ' ' <answers)" "$2 terminal same "; }

if [ $ptys = yes ]; then
	begin one
	echo "== keys"
	session 30 120 <<-'END'
		wait useful work
		key r
		wait [Regions]
		key /bad\f
		wait 1 of
		key \r
		key \r
		wait [Processing units]
		key \f
		wait  in =bad
		key \e
		key \f
		wait [Regions]
		key \t
		wait [Processing units]
		key sssss
		key p
		wait paused
		key p
		key +++---
		key h
		wait longer, shorter
		key h
		key \f
		wait Esc back
		key jjkkGg
		key q
		end
	END
	ends "q leaves it" "status 0"

	echo "== sizes"
	session 24 80 <<-'END'
		wait useful work
		size 10 40
		key \f
		wait OTOTAL
		size 1 1
		key \f
		size 2 200
		key \f
		wait [Overheads]
		size 50 200
		key \f
		wait Tab list
		key q
		end
	END
	ends "a terminal of any size" "status 0"

	echo "== signals"
	for ending in 1 2 15; do
		session 24 80 <<-END
			wait useful work
			signal $ending
			end
		END
		ends "signal $ending ends it" "signal $ending"
	done
	session 24 80 <<-'END'
		wait useful work
		stop
		signal 18
		key \f
		wait useful work
		key q
		end
	END
	ends "it can be stopped and continued" "status 0"

	echo "== the last column of names"
	session 24 300 <<-'END'
		wait useful work
		key r
		wait [Regions]
		key \f
		wait nnnn
		key u
		wait [Processing units]
		key \f
		wait mostly
		key q
		end
	END
	ends "hostile names are shown" "status 0"
	matches "... as text" "$(cat shown)" '=bad\\x1b\]0;x'
	lacks "... not as control sequences" "$(cat -v shown)" '\^\[\]0;|\^G|M-bM-\^@M-\.|M-BM-\^\['
	lacks "... nor as lines of their own" "$(cat -v shown)" '^FORGED'
	lacks "... nor at full length" "$(cat -v shown)" "$(printf 'n%.0s' $(seq 70))"
	LC_ALL=C TERM=xterm ./terminal 24 120 shown "$ANALYZE" top "$EXP" >answers 2>&1 <<-'END'
		wait useful work
		key r
		wait [Regions]
		key q
		end
	END
	ends "a terminal that is not UTF-8" "status 0"
	lacks "... gets ASCII" "$(LC_ALL=C grep -aP '[\x80-\xff]' shown | cat -v)" 'M-'

	echo "== its end"
	(sleep 1 && : >"$T/one.stop") &
	session 24 80 <<-'END'
		wait useful work
		wait Where the time went
		end
	END
	ends "the report follows" "status 0"
	wait "$begun"
	equal "the program did not notice" "$? $(cat begun.out begun.err)" "0 done"

	begin two
	(sleep 1 && rm -rf "$EXP") &
	session 24 80 <<-'END'
		wait useful work
		wait was removed while
		end
	END
	ends "a run that disappears" "status 1"
	finish two
fi

begin three
echo "== terminals that cannot show pages"
for kind in dumb '' no-such-terminal; do
	if [ $ptys = yes ]; then
		session 24 80 <<-'END'
			wait so far
			wait so far
			signal 15
			end
		END
		ends "TERM='$kind'" "signal 15"
		lacks "... gets no control sequence" "$(cat -v shown)" '\^\['
	fi
	TERM=$kind analyze top "$EXP" --once >text
	matches "TERM='$kind': a look as text" "$(cat text)" '^useful work'
done
lacks "names in it are data" "$(cat -v text)" '(^|[^-])\^|M-bM-\^@|^FORGED'
analyze top "$EXP" --once --json >look
check "so they are in JSON" test "$(jq '[.regions[].region | select(startswith("=bad\u001b"))] |
	length' look)" -gt 0
lacks "... which is printable" "$(cat -v look)" '\^|M-'
finish three
