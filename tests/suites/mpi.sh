# SPDX-License-Identifier: BSD-3-Clause
# mpi - MPICH's own tests, built by their own build system, with sisc in place of mpicc, run as
# their lists say. What they have in common (util, dtpools) is built once, by mpicc.
# shellcheck shell=sh disable=SC2034,SC2154
mpi_folders="pt2pt coll rma comm io topo datatype"

suite_prepare() {
	unset SISC_CC
	source_package mpich mpich --strip-components=3 --wildcards 'mpich-*/test/mpi/*' || return 1
	if [ ! -e "$sources/mpich.build/built" ]; then
		mkdir -p "$sources/mpich.build" && (cd "$sources/mpich.build" && {
			../mpich/configure --disable-cxx --disable-fortran --disable-spawn \
				--with-mpi=/usr CC=gcc MPICC=mpicc &&
				make -C util && make -C dtpools && touch built
		} >build.log 2>&1) || return 1
	fi
	[ ! -d "$measured_trees" ] || return 0
	mkdir -p "$measured_trees.new" &&
		cp -a "$sources/mpich" "$sources/mpich.build" "$measured_trees.new" || return 1
	for folder in $mpi_folders; do
		for file in "$sources/mpich/$folder"/*.c; do
			in_main "$file" >"$measured_trees.new/mpich/$folder/${file##*/}"
		done
		find "$measured_trees.new/mpich.build/$folder" -name 'make.*' -exec rm {} +
	done
	mv "$measured_trees.new" "$measured_trees"
}

# FOLDER/PROGRAM RANKS [arg=...] [env=...] ...: a run of a program. Those that need not pass or much
# memory are left out.
suite_list() {
	for folder in $mpi_folders; do
		list=$sources/mpich.build/$folder/testlist # configured, or as it came
		[ -e "$list" ] || list=$sources/mpich/$folder/testlist
		sed -n "s,^\([a-z][A-Za-z0-9_]*  *[0-9].*\),$folder/\1,p" "$list"
	done | grep -Ev 'xfail=|mem=|resultTest=|strict=true'
}

# mpi_make BUILD-FOLDER PROGRAM COMPILER: builds the program once for all its runs. The output of
# make is in make.PROGRAM. gcc needs many minutes to optimize a function with thousands of probes.
# So after 100 seconds the program is built without optimization.
mpi_make() {
	flock "$1/make.$2.lock" sh -c '[ -e "$1/make.$2" ] || {
			timeout 100 make -C "$1" "$2" CC="$3" >"$1/make.$2.new" 2>&1
			status=$?
			[ $status != 124 ] || {
				timeout 300 make -C "$1" "$2" CC="$3" CFLAGS=-g >"$1/make.$2.new" 2>&1
				status=$?
			}
			echo "status $status" >>"$1/make.$2.new"
			mv "$1/make.$2.new" "$1/make.$2"
		}' sh "$@"
	cp "$1/make.$2" build.err
	grep -qx 'status 0' build.err
}

suite_one() {
	unset SISC_CC
	program_path=${1%% *}
	folder=mpich.build/${program_path%/*} name=${program_path##*/} arguments='' ranks=''
	for word in ${1#* }; do
		case $word in
		arg=*) arguments="$arguments ${word#arg=}" ;;
		env=*) export "${word#env=}" ;;
		[0-9]*) ranks=${ranks:-$word} ;;
		esac
	done
	mpi_make "$sources/$folder" "$name" mpicc || verdict plain "does not compile"
	mpi_make "$measured_trees/$folder" "$name" "$full_sisc" ||
		verdict FAILED "does not compile: $(grep -m 1 error build.err)"
	note_untouched
	ln -s "$sources/$folder/$name" plain
	ln -s "$measured_trees/$folder/$name" measured
	plain_limit=60
	# shellcheck disable=SC2086 # words of a list
	limited "$plain_limit" plain mpiexec -n "$ranks" ./plain $arguments ||
		verdict plain "does not pass"
	same_behaviour "mpiexec -n $ranks" "./plain $arguments" "./measured $arguments"
	good_experiment
	finish
}
