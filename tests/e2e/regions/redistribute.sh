# SPDX-License-Identifier: BSD-3-Clause
# Redistribution of data: what a region that says so, ScaLAPACK's routines, and routines that
# --routines names do is OCTRL_REDIST. Waits in it stay waits.
. "$(dirname "$0")/../lib.sh"

source_file library.c <<'END'
#include <mpi.h>
static int in, out[2];
static void move(void) { MPI_Allgather(&in, 1, MPI_INT, out, 1, MPI_INT, MPI_COMM_WORLD); }
void pdgemr2d_(int *m) { *m = 1; move(); }
void user_shuffle(int *m) { *m = 2; move(); }
END
"$MPICC" -shared -fPIC -o liblibrary.so library.c || give_up "the library is built"

source_file move.c <<'END'
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sis/sis.h>
enum { N = 200000 };
static double *from, *to;
extern void pdgemr2d_(int *m), user_shuffle(int *m);

static void pack(void) /* its time is that of the region around */
{
	for (int k = 0; k < 20; k++)
		for (int i = 0; i < N; i++)
			to[i] = from[(i * 7 + k) % N] + k;
}
static void exchange(void)
{
	MPI_Alltoall(to, N / 2, MPI_DOUBLE, from, N / 2, MPI_DOUBLE, MPI_COMM_WORLD);
}
int main(int argc, char **argv)
{
	int m;
	MPI_Datatype row;
	MPI_Init(&argc, &argv);
	from = calloc(N, sizeof *from), to = calloc(N, sizeof *to);
#pragma sis cr shuffle redistribute begin
	MPI_Type_vector(4, 1, 2, MPI_DOUBLE, &row);
	MPI_Type_commit(&row);
	pack();
	memcpy(from, to, N * sizeof *to);
	exchange();
	MPI_Type_free(&row);
#pragma sis end cr
	SIS_CR(again Redistribute pmetric CTIME if(argc > 0) begin)
	pack();
	SIS_END
	pack();
	exchange();
	pdgemr2d_(&m);
	user_shuffle(&m);
	free(from), free(to);
	MPI_Finalize();
	return m - 2;
}
END
build move move.c -O1 -L. -llibrary -Wl,-rpath,"$T" --sis-cr=CR_F,CR_MPI,CR_MEM,CR_S
equal "no messages" "$(cat build.err)" ""
run 2 1 ./move
equal "it runs" "$run_status" 0

# leaves ROOT [ARGUMENT...]: what time at and below the region is, without waits, loss of
# processors and probes
leaves() {
	root=$1
	analyze sql --json "WITH RECURSIVE below(node) AS (
		SELECT n.id FROM drg_node n JOIN code_region r ON r.id = n.region
		WHERE r.name = '$root' AND n.experiment = $id
		UNION SELECT n.id FROM drg_node n JOIN below b ON n.parent = b.node)
		SELECT DISTINCT o.leaf FROM overhead o JOIN below b ON b.node = o.drg_node
		WHERE o.ns > 0
		UNION SELECT 'USEFUL' FROM region_summary s JOIN below b ON b.node = s.drg_node
		WHERE s.useful_ns > 0" |
		jq -r '[.[].leaf | select(test("^OSYNC|NOCPU|OPROBE|OLOSS|^ODATA_PGFLT") | not)] |
			sort | join(" ")'
}
id=$(query '.[0].id' import "$EXP")
equal "all of the region" "$(leaves shuffle)" OCTRL_REDIST
equal "of the macro's region" "$(leaves again)" OCTRL_REDIST
equal "of ScaLAPACK's routine" "$(leaves pdgemr2d_)" OCTRL_REDIST
matches "not of the library's other routine" "$(leaves user_shuffle)" "ODATA_ALLGATHER.*USEFUL"
matches "nor what is outside" "$(leaves main)" "OCTRL_REDIST.*ODATA_ALLTOALL.*USEFUL"
equal "its type" "$(query '[.[] | select(.type == "CR_REDIST") | .region] | unique | join(" ")' \
	regions "$EXP")" "again pdgemr2d_ shuffle"
lacks "it is computed" "$(query '.not_computed | keys | join(" ")' overhead "$EXP")" OCTRL_REDIST
identity "with redistribution"

# -- routines of the user
echo 'user_shuffle pack: *1 <- 1, redistributes' >my.routines
id=$("$ANALYZE" import --db "$T/sis2.db" --json --routines my.routines "$EXP" | jq '.[0].id')
analyze() { command=$1; shift; "$ANALYZE" "$command" --db "$T/sis2.db" "$@"; }
equal "of a routine that --routines names" "$(leaves user_shuffle)" OCTRL_REDIST
equal "of a function that it names" "$(leaves pack)" OCTRL_REDIST
identity "with routines"
analyze() { command=$1; shift; "$ANALYZE" "$command" --db "$T/sis.db" "$@"; }

# -- by default
build plain move.c -O1 -L. -llibrary -Wl,-rpath,"$T"
equal "the call is measured by default" \
	"$(strings plain | grep -c '^CR_REDIST pdgemr2d_ -$')" 1

# -- what can have the overhead
warned() { # warned PRAGMA: sisc's warnings for a file with this directive
	printf '#pragma sis cr %s\nint f(int n) {\n%s\n\tn++;\n%s\n\treturn n;\n}\n' "$1" \
		"#pragma sis cr mix ${2:-} begin" "#pragma sis end cr" >warned.c
	"$SISC" -c warned.c 2>&1
}
equal "a region redistributes" "$(warned 'pmetric OCTRL_REDIST' redistribute)" ""
matches "no region does" "$(warned 'pmetric OCTRL_REDIST')" \
	"1:[0-9]+: warning: OCTRL_REDIST .*cannot occur here: the file has no code region"
