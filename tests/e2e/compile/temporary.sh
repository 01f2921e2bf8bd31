# SPDX-License-Identifier: BSD-3-Clause
# Temporary files: where they are made, and that they are removed after a SIGKILL.
. "$(dirname "$0")/../lib.sh"

mkdir temporary other
source_file f.c <<'EOF'
int main(void) { int s = 0; for (int i = 0; i < 3; i++) s += i; return s != 3; }
EOF
unset TMP TEMP

# where VARIABLE=VALUE...: the directory that holds the text for the compiler
where() {
	env "$@" "$SISC" --sis-cc=gcc --sis-verbose -c f.c -o f.o 2>&1 |
		sed -n 's,.*prefix-map=<stdin>.* < \(.*\)/sisc-.*,\1,p' | head -n 1
}
# as_gcc WHAT VARIABLE=VALUE...: temporary files are where gcc puts its own
as_gcc() {
	what=$1
	shift
	plain=$(env "$@" gcc -v -c f.c -o f.o 2>&1 |
		sed -n 's,.* -o \(.*\)/cc[^/]*\.s$,\1,p' | head -n 1)
	equal "$what: as gcc" "$(where "$@")" "$plain"
	check "$what: a program" env "$@" "$SISC" f.c -o f
	matches "$what: is measured" "$(readelf -SW f.o)" ' sis_idf '
}
as_gcc "TMPDIR" TMPDIR="$T/temporary"
as_gcc "TMPDIR that is not there" TMPDIR="$T/nosuch"
as_gcc "TMPDIR that is a file" TMPDIR="$T/f.c"
as_gcc "empty TMPDIR" TMPDIR=
as_gcc "TMP after TMPDIR" TMPDIR="$T/nosuch" TMP="$T/other"
as_gcc "TEMP after TMP" TMPDIR="$T/nosuch" TMP="$T/nosuch" TEMP="$T/other"
as_gcc "TMPDIR before TMP" TMPDIR="$T/temporary" TMP="$T/other"
if [ "$(id -u)" != 0 ]; then
	chmod 555 other
	as_gcc "TMPDIR that cannot be written" TMPDIR="$T/other"
	chmod 755 other
fi
equal "nothing is left" "$(ls temporary other)" "other:

temporary:"

# A compiler that sleeps instead of compiling.
source_file slow <<'EOF'
#!/bin/sh
case " $* " in *" -E "*) exec gcc "$@" ;; esac
echo $$ >"$SLOW"
exec sleep 60
EOF
chmod +x slow
TMPDIR=$T/temporary
export TMPDIR

# start NAME: a sisc whose compiler sleeps; its number in $started, the compiler's in the file NAME
start() {
	rm -f "$1"
	SLOW=$T/$1 "$SISC" --sis-cc="$T/slow" -c f.c -o slow.o >/dev/null 2>&1 &
	started=$!
	tries=0
	while [ ! -s "$1" ] && [ $tries -lt 600 ]; do
		tries=$((tries + 1))
		sleep 0.1
	done
}
directories() { find temporary -mindepth 2 -maxdepth 2 -type d | wc -l; }

start living
living=$started
start killed
kill -KILL "$started" "$(cat killed)"
wait "$started" 2>/dev/null
equal "SIGKILL leaves a directory" "$(directories)" 2
parent=$(echo temporary/sisc-*)
kept=$parent/00000000-0000-x81Kqz
mkdir "$kept" "$T/victim"
echo precious >"$T/victim/file"
for directory in "$parent"/*; do
	[ "$directory" = "$kept" ] || ln -s "$T/victim" "$directory/link"
done
check "the next sisc" "$SISC" --sis-cc=gcc -c f.c -o f.o
equal "the next sisc removes it, not that of one that runs" "$(directories)" 2
check "nor that of another boot or host" test -d "$kept"
equal "nor what a link in it leads to" "$(cat "$T/victim/file")" precious
rmdir "$kept"
rm "$parent"/*/link
kill "$living"
wait "$living" 2>/dev/null
equal "the last one leaves nothing" "$(ls temporary)" ""

# In a directory that all users may write, any user can make one with our name.
# hostile WHAT: the directory that is there is neither used nor changed
hostile() {
	check "$1: sisc" "$SISC" --sis-cc=gcc -c f.c -o f.o
	equal "$1: untouched" "$(ls -A victim) $(ls -A temporary)" "file ${parent#temporary/}"
	matches "$1: measured" "$(readelf -SW f.o)" ' sis_idf '
}
ln -s "$T/victim" "$parent"
hostile "a link in the place of the parent"
rm "$parent"
mkdir -m 777 "$parent"
hostile "a parent that all may write"
rmdir "$parent"
echo >"$parent"
hostile "a file in the place of the parent"
rm "$parent"

# Many processes make and remove the parent directory at the same time.
for i in 1 2 3 4 5 6 7 8; do
	"$SISC" --sis-cc=gcc -c f.c -o "f$i.o" 2>"said$i" &
done
wait
equal "eight at once" "$(ls f?.o | wc -l) $(cat said?)" "8 "
equal "eight at once: nothing is left" "$(ls temporary)" ""
