# SPDX-License-Identifier: BSD-3-Clause
# The page of runs in which something is wrong or missing: a process was killed, nothing happened,
# names are hostile.
# ci: it opens many pages in a browser
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_page.sh"

source_file work.c <<'END'
#include <mpi.h>
#include <signal.h>
#include <string.h>
static int sum(int n)
{
	volatile int s = 0;
	for (int i = 0; i < n; i++)
		s += i;
	return s;
}
int main(int argc, char **argv)
{
	int rank, x = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	sum(10000000 * (1 + rank));
	MPI_Bcast(&x, 1, MPI_INT, 1, MPI_COMM_WORLD);
	if (argc > 1 && rank == 1)
		raise(SIGKILL);
	if (rank == 0)
		MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	else
		MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
END
build work work.c -O1 --sis-cr=CR_F,CR_MPI

run 2 1 ./work kill
page killed "$EXP"
equal "the page says that the run did not end" \
	"$(grep -c '^INCOMPLETE: not every process' killed.html)" 1
numbers killed
views killed

echo 'int main(void) { return 0; }' >nothing.c
build nothing nothing.c
run_alone 1 ./nothing
page empty "$EXP"
numbers empty
views empty

# -- hostile names
"$CC" "$E2E/robust/names_hostile.c" -o hostile -lsqlite3 2>cc.err &&
	"$CC" "$E2E/robust/execute.c" -o execute -lsqlite3 2>cc.err ||
	give_up "what makes names hostile compiles" cc.err
run 2 1 ./work
rm -f sis.db
analyze import "$EXP" >import.out 2>&1 || give_up "it is imported" import.out
check "its names are made hostile" ./hostile sis.db
check "and end scripts, are long, and have quotes" ./execute sis.db "
	UPDATE code_region SET name = name || '</script><script>document.title = 1</script>'
		|| '<!--<script>' || char(39) || '\"\`\${1}&lt;';
	UPDATE code_region SET name = substr(replace(hex(zeroblob(5000)), '0', 'long'), 1, 10000)
		WHERE id = (SELECT max(id) FROM code_region);
	UPDATE experiment SET name = '</title></script>' || name, command = '<img src=x>' || command"
page hostile 1
equal "it is UTF-8" "$(iconv -f UTF-8 -t UTF-8 hostile.html 2>&1 >/dev/null)" ""
equal "no name begins or ends a script" "$(grep -c '<script>' hostile.html) $(
	grep -o '</script>' hostile.html | wc -l)" "1 $(grep -c '<script' hostile.html)"
numbers hostile
views hostile
