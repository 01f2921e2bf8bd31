# SPDX-License-Identifier: BSD-3-Clause
# The samples that are written after the programs of the published tables (BLAME): the order of
# their variables is that of the tables.
# alone: every run needs a processor of its own to get enough samples
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_blame.sh"

# first N: the first variables of main, without what is no variable
first() {
	query "[.[] | select(.blame_point == \"main\" and .field_of == null and
		(.kind | IN(\"all\", \"other\", \"output\") | not))]
		| group_by(.variable) | map({ name: .[0].variable, share: map(.share) | add })
		| sort_by(-.share) | .[:$1] | map(.name) | join(\" \")" blame "$EXP"
}
share_of() { # share_of VARIABLE...: their part of the samples, in percent
	for name; do printf '"%s",' "$name"; done >names
	query "[.[] | select(.blame_point == \"main\" and .field_of == null and
		(.variable | IN($(sed 's/,$//' names)))) | .share] | add * 100 | round" blame "$EXP"
}

# FFP_SPARSE: the solution leads. The matrix, the mesh and the boundary follow with a tenth each,
# which is 40 of the samples: their order is chance.
export SIS_BLAME=1000hz
for language in C C++; do
	case $language in
	C) built fem "$CC" -O2 "$TOP"/samples/fem_poisson/*.c -lm ;;
	*) built fem "${CXX:-g++}" -std=c++17 -O2 "$TOP/samples/fem_poisson/fem_poisson.cc" ;;
	esac
	run_alone 1 ./fem
	equal "fem_poisson, $language: the solution leads" "$(first 1)" node_u
	check "fem_poisson, $language: the matrix has its part" [ "$(share_of a)" -ge 4 ]
	check "fem_poisson, $language: the solution has nearly half" [ "$(share_of node_u)" -gt 45 ]
	check "fem_poisson, $language: and the mesh" \
		[ "$(share_of element_neighbor node_boundary)" -ge 4 ]
done

# QUAD_MPI: the input that is broadcast leads, and the result that is reduced follows
for compiler in "$MPICC" "${MPICXX:-mpicxx}"; do
	command -v "$compiler" >/dev/null || continue
	source=$TOP/samples/quad_mpi/quad_mpi.c least=3
	[ "$compiler" = "$MPICC" ] || source=${source}c least=1 # streams are slow
	build quad "$source" --sis-cc="$compiler" --sis-blame -O2 -lm
	run 4 1 ./quad
	equal "$compiler, quad_mpi: the input that is broadcast leads" "$(first 1)" dim_num
	# While rank 0 computes the input, three ranks poll in the broadcast, on a processor or
	# more.
	check "$compiler, quad_mpi: it has the polls for the input" \
		[ $((2 * $(share_of dim_num))) -gt "$(share_of input)" ]
	check "$compiler, quad_mpi: the result has its part" \
		[ "$(share_of quad quad_proc)" -ge $least ]
done
