# SPDX-License-Identifier: BSD-3-Clause
# lib_programs.sh - programs that we did not write, but for the sparse solver, built with
# --sis-blame: what truth.sh and placed.sh share. B and TOP are given; work is a folder.
# shellcheck shell=sh disable=SC2154

# sources PROGRAM: fetches what it is made of. Sources of Lua and SQLite are Debian's
# (tests/source-package).
sources() {
	case $1 in
	lua) tests/source-package lua5.4 "$work/lua5.4" ;;
	sqlite)
		tests/source-package sqlite3 "$work/sqlite3" || return 1
		[ -s "$work/amalgamation/sqlite3.c" ] || (
			mkdir -p "$work/amalgamation" && cd "$work/amalgamation" &&
				../sqlite3/configure -q --disable-tcl && make -s sqlite3.c
		) >&2
		;;
	esac
}

# build_program PROGRAM OUT COMPILER FLAGS...
build_program() {
	program=$1 out=$2 compiler=$3
	shift 3
	case $program in
	cg | mg)
		MPICH_CC=$compiler "$B/bin/sisc" --sis-cc=mpicc --sis-blame "$@" -o "$out" \
			"$TOP/tests/bench/$program.c" -lm
		return
		;;
	esac
	set -- "$B/bin/sisc" --sis-cc="$compiler" --sis-blame "$@" -o "$out"
	case $program in
	fem) "$@" "$TOP"/samples/fem_poisson/*.c -lm ;;
	lua)
		"$@" -std=gnu99 -DLUA_USE_LINUX \
			$(find "$work/lua5.4/src" -name '*.c' ! -name luac.c) -lm -ldl
		;;
	sqlite)
		"$@" -I"$work/amalgamation" -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION \
			"$work/sqlite3/test/speedtest1.c" "$work/amalgamation/sqlite3.c" -lm
		;;
	esac
}
