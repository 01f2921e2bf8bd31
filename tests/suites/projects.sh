# SPDX-License-Identifier: BSD-3-Clause
# projects - code bases with their own build systems and their own tests, built with CC=sisc.
# shellcheck shell=sh disable=SC2034,SC2154

suite_prepare() {
	"$TOP/.ci/install-packages" long || return 1
	for package in zlib bzip2 lua5.4 lua-lpeg sqlite3 gzip json-c; do
		source_package "$package" "$package" || return 1
	done
}
suite_list() { printf '%s\n' zlib bzip2 lua lpeg sqlite gzip json; }

# Each is called with a compiler, in a directory with the sources, and leaves what counts in
# `result`.
build_zlib() { CC=$1 ./configure && make && make test >result; }
build_bzip2() {
	make CC="$1" all && ./bzip2 -9 <blocksort.c |
		./bzip2 -d | cmp - blocksort.c && ./bzip2 -8 <manual.xml >result
}
build_lua() {
	make -C src linux CC="$1 -std=gnu99" && src/lua "$TOP/tests/suites/lua_test.lua" >result
}
build_lpeg() {
	cp -a "$sources/lua5.4/src" lua && make -C lua linux CC="$1 -std=gnu99" &&
		make linux CC="$1" LUADIR=lua && lua/lua test.lua >result
}
# gcc needs more than half an hour to optimize its functions with a probe around every statement.
build_sqlite() {
	./configure --disable-tcl --disable-shared CC="$1" CFLAGS=-g && make sqlite3 &&
		{
			./sqlite3 :memory: <"$TOP/tests/suites/sqlite_test.sql" >result 2>&1 ||
				[ -s result ]
		} # errors are asked for
}
# One of its tests packs 4 GB, which takes hours with a probe around every statement.
build_gzip() {
	sed -i "/^  list-big/d" tests/Makefile.in && ./configure CC="$1" && make && make check
}
build_json() { cmake -S . -B built -DCMAKE_C_COMPILER="$1" && make -C built && make -C built test; }

# built TREE COMPILER LIMIT: a copy of the sources, built and tested
built() {
	case $program in
	lua) package=lua5.4 ;;
	lpeg) package=lua-lpeg ;;
	sqlite) package=sqlite3 ;;
	json) package=json-c ;;
	*) package=$program ;;
	esac
	cp -a "$sources/$package" "$1" && cd "$1" && touch result || return 1
	SIS_OUTPUT=$T/experiments/run timeout -k 5 "$3" sh \
		-c '. "$TOP/tests/suites/projects.sh"; "build_$0" "$1"' \
		"$program" "$2" >"../$1.out" 2>"../$1.err" </dev/null
	status=$?
	cd ..
	return $status
}

suite_one() {
	export sources
	mkdir experiments
	built plain gcc 600 || verdict plain "does not pass"
	built measured "$full_sisc" 3000 ||
		verdict FAILED \
			"does not pass: $(grep -m 1 -iE 'error|fail' measured.err measured.out)"
	cmp -s plain/result measured/result || verdict FAILED "prints something else"
	cat measured.out measured.err >build.err
	note_untouched
	for experiment in $(ls -d experiments/run* | head -n 20); do
		rm -f experiment
		ln -s "$experiment" experiment
		good_experiment
	done
	[ -e experiment ] || verdict FAILED "no experiment"
	verdict ok \
		"$(sed -n 's/^sisc: note: \([^ ]*\): not instrumented: /untouched: \1: /p' \
			build.err | sort -u | tr '\n' ';')"
}
