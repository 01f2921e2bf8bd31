# SPDX-License-Identifier: BSD-3-Clause
# A FIFO, a socket or a device where sis-analyze looks for a file: it is never opened. An experiment
# or a repository with one is refused with the file's name. Beside an experiment it is ignored.
. "$(dirname "$0")/../lib.sh"

cp "$HERE/sum.c" prog.c
build prog prog.c -O0
SIS_TRACE=1 run_alone 1 ./prog
traced=$EXP
SIS_UNIFY=1 run 2 1 ./prog
shared=$EXP # one file for both ranks
analyze import "$traced" "$shared" >import.out 2>&1 ||
	give_up "experiments are imported" import.out
"$ANALYZE" export --db sis.db --format xml -o whole.xml 1
mkfifo pipe.xml pipe.db pipe pipe.idf
ln -s loop loop

# -- named by the user
limited() { timeout 20 "$ANALYZE" "$@"; }
for command in "import pipe.xml" "import --db pipe.db exp1" "list --db pipe.db" "report pipe" \
	"merge pipe.db --db sis.db" "idf ./pipe" "import /dev/zero" "idf /dev/zero" \
	"list --db /dev/zero" "import loop" "idf ./loop" "list --db loop/x.db"; do
	# shellcheck disable=SC2086
	one_error "$command" 1 "^sis-analyze: error: .*(pipe|/dev/zero|loop)" limited $command
done
cp prog bare && objcopy -R sis_idf bare 2>/dev/null
mkfifo bare.idf
one_error "a FIFO beside a program" 1 "'bare.idf': it is a FIFO" limited idf bare
for suffix in journal wal shm; do
	cp sis.db beside.db && mkfifo "beside.db-$suffix"
	one_error "a FIFO beside a repository: -$suffix" 1 "'beside.db-$suffix': it is a FIFO" \
		limited list --db beside.db
	one_error "and beside another one: -$suffix" 1 "'beside.db-$suffix': it is a FIFO" \
		limited merge beside.db --db sis.db
	rm -f "beside.db-$suffix"
done

# -- in an experiment's directory
# with KIND NAME: the experiment of two ranks in ./bad, with a file of that kind in it
with() {
	rm -rf bad && cp -r "$shared" bad && rm -f "bad/$2"
	case $1 in
	FIFO) mkfifo "bad/$2" ;;
	socket) perl -MIO::Socket::UNIX \
		-e 'IO::Socket::UNIX->new(Local => $ARGV[0], Listen => 1) or die' "bad/$2" ;;
	device) ln -s /dev/zero "bad/$2" ;;
	directory) mkdir "bad/$2" ;;
	esac
}
for kind in FIFO socket device directory; do
	for name in proc-x.sis ranks.sis; do
		with $kind $name
		said="'.*bad/$name': it is a $kind"
		one_error "a $kind as $name: import" 1 "$said" limited import --db new.db bad
		one_error "a $kind as $name: idf" 1 "$said" limited idf bad
	done
done
rm -rf bad && cp -r "$traced" bad
trace=$(basename "$(ls bad/trace-*.sis)")
ring=${trace%.sis}.ring
rm -f "bad/$trace" "bad/$ring" && mkfifo "bad/$trace"
limited import --db traced.db bad >import.out 2>&1 ||
	give_up "an experiment with a FIFO in place of a trace is imported" import.out
check "show shows the rest" limited show --db traced.db 1
matches "and names the file" "$(cat check.out)" "'.*$trace': it is a FIFO"
one_error "export has nothing else to show" 1 "'.*$trace': it is a FIFO" \
	limited export --format perfetto --db traced.db 1
rm "bad/$trace" && cp "$traced/$trace" bad && mkfifo "bad/$ring"
equal "a FIFO in place of a ring is ignored" \
	"$(limited show --json --db traced.db 1 | jq '.[0].trace | length')" 1

# -- beside an experiment, where a command without arguments looks for the newest
mkdir beside beside/full beside/sis-x-1-1
cp -r "$traced" beside/mine
mkfifo beside/x.sis beside/full/x.sis beside/sis-x-1-1/proc-1.sis
mkdir beside/sis-x-1-1/ranks.sis
ln -s beside beside/sub && ln -s ../beside/loop beside/loop
(cd beside/full && seq -f 'f%g.sis' 3000 | xargs touch)
(cd beside && limited report --json) >report.out 2>report.err ||
	give_up "the newest experiment is found" report.err
equal "the newest experiment is found" "$(jq -r .experiment report.out)" mine
# a repository that is named gets only what is named, although a newer run is here
cp -r "$shared" beside/newer
touch named.db
cd beside
one_error "no directory here is put into a repository that is named" 1 \
	"no experiment in '.*named.db'" "$ANALYZE" show --db ../named.db
equal "which stays empty" "$("$ANALYZE" list --json --db ../named.db | jq length)" 0
"$ANALYZE" import --db ../named.db "$traced" >../import.out
equal "the newest is that of the repository" \
	"$("$ANALYZE" show --json --db ../named.db | jq -r '.[0].name')" "$(basename "$traced")"
cd ..
rm prog.c && mkfifo prog.c
equal "a FIFO in place of a source" "$(limited idf ./prog --json | jq -r '.[0].state')" irregular

# -- links that another user planted where all users can write
planted() { ln -sfn "$1" "shared/$2" && chown -h 65534 "shared/$2"; } # planted TARGET NAME
if [ "$(id -u)" = 0 ]; then
	mkdir shared
	echo mine >mine
	for mode in 1777 777; do
		chmod "$mode" shared
		while read -r name command; do
			refused="'shared/$name.*': it leads over a symbolic link of another"
			for target in "$T/none" "$T/mine"; do
				planted "$target" "$name"
				# shellcheck disable=SC2086
				one_error "$mode, $name: $command" 1 "$refused" limited $command
			done
		done <<-'END'
			p.html view 1 --db sis.db -o shared/p.html
			e.json export 1 --db sis.db --json -o shared/e.json
			c.csv export 1 --db sis.db --csv -o shared/c.csv
			tau export 1 --db sis.db --format tau -o shared/tau
			f.filter suggest-filter 1 --db sis.db --output shared/f.filter
			r.regions suggest-regions 1 --db sis.db --output shared/r.regions
			new.db import exp1 --db shared/new.db
			d top exp1 --once --prometheus shared/d/x.prom
		END
	done
	equal "no file of ours was made or changed" "$(cat mine) $(ls none 2>&1)" \
		"mine ls: cannot access 'none': No such file or directory"
	planted "$T/sis.db" sis.db
	for command in "list --db shared/sis.db" "merge shared/sis.db --db own.db"; do
		# shellcheck disable=SC2086
		one_error "$command" 1 "'shared/sis.db': it leads over a symbolic link" \
			limited $command
	done
	rm -f shared/* && planted "$T/mine" exp2.html
	cd shared || exit 1
	one_error "view without -o" 1 "it leads over a symbolic link of another" \
		limited view 2 --db ../sis.db
	cd .. || exit 1
	chmod 1777 shared && mkdir -p elsewhere && planted "$T/elsewhere" run
	SIS_OUTPUT=$T/shared/run ./prog >run.out 2>run.err
	matches "a run goes to another directory" "$(cat run.err)" \
		"^sis: warning: '.*/run' is a link of another user; this run goes to '.*/run-2'"
	equal "... and leaves nothing there" "$(ls elsewhere)" ""
	check "... and is whole" limited show shared/run-2 --db own.db
	planted "$T/mine" linked.idf
	"$SISC" -o shared/linked "$HERE/sum.c" >build.out 2>build.err ||
		give_up "sisc links" build.err
	matches "sisc does not follow it" "$(cat build.err)" \
		"warning: cannot create 'shared/linked.idf': Permission denied"
	equal "they changed nothing" "$(cat mine)" mine
	chown 65534 shared
	planted "$T/made.json" mine.json
	check "a link of the directory's owner is followed" \
		limited export 1 --db sis.db --json -o shared/mine.json
	chown 0 shared && chmod 755 shared
	planted "$T/made.db" sis.db
	check "... and one where not all can write" limited import exp1 --db shared/sis.db
	check "both are made" test -s made.json -a -s made.db
else
	skip "links that another user planted" "only root can plant one"
fi
ln -s own.json link.json && ln -s own.db link.db
check "a link of one's own is followed" limited export 1 --db sis.db --json -o link.json
check "... by a repository" limited import exp1 --db link.db
check "both are there" test -h link.json -a -s own.json -a -h link.db -a -s own.db

# -- a file that is redirected has the name of a device, and is a regular file
equal "an export on standard input" "$(limited import --db in.db /dev/stdin <whole.xml | wc -l)" 2
equal "a program on standard input" "$(limited idf /dev/stdin --json <prog | jq 'length > 0')" true
echo "1..$number"
