# SPDX-License-Identifier: BSD-3-Clause
# mpi_source.awk - prints an MPI program of some 2000 lines, as people write them: fields on a
# process grid, halos, reductions, output, errors handled. No two functions are alike, or the
# compiler would fold them. With -v warned=1 it gives no statuses, of which GCC warns when mpi.h is
# MPICH's: awk -f mpi_source.awk </dev/null
function put(s) { gsub(/@/, f, s); gsub(/STATUSES/, statuses, s); print s }
BEGIN {
	statuses = warned ? "MPI_STATUSES_IGNORE" : "status"
	print "#include <math.h>\n#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n" \
		"#include <string.h>\n"
	print "enum { HALO = 1, TAG_UP = 10, TAG_DOWN };\n"
	print "struct grid { MPI_Comm comm; int rank, size, up, down, rows, cols, first; };"
	print "struct field { struct grid *grid; double *now, *next; double residual; " \
		"char name[32]; };\n"
	print "static double *row(struct field *f, double *values, int i)\n{\n" \
		"\treturn values + (size_t)(i + HALO) * f->grid->cols;\n}\n"
	for (f = 1; f <= 18; f++) {
		put("static int exchange_@(struct field *f)\n{\n\tstruct grid *g = f->grid;\n" \
			"\tMPI_Request request[4];\n\tMPI_Status status[4];\n\tint n = 0;")
		put("\tif (g->up != MPI_PROC_NULL) {\n" \
			"\t\tMPI_Irecv(row(f, f->now, -1), g->cols, MPI_DOUBLE, g->up, " \
			"TAG_DOWN + 2 * @, g->comm, &request[n++]);")
		put("\t\tMPI_Isend(row(f, f->now, 0), g->cols, MPI_DOUBLE, g->up, TAG_UP + 2 * @, " \
			"g->comm, &request[n++]);\n\t}")
		put("\tif (g->down != MPI_PROC_NULL) {\n" \
			"\t\tMPI_Irecv(row(f, f->now, g->rows), g->cols, MPI_DOUBLE, g->down, " \
			"TAG_UP + 2 * @, g->comm, &request[n++]);")
		put("\t\tMPI_Isend(row(f, f->now, g->rows - 1), g->cols, MPI_DOUBLE, g->down, " \
			"TAG_DOWN + 2 * @, g->comm, &request[n++]);\n\t}")
		put("\tif (MPI_Waitall(n, request, STATUSES) != MPI_SUCCESS) {\n" \
			"\t\tfprintf(stderr, \"%s: exchange @ failed\\n\", f->name);\n" \
			"\t\treturn -1;\n\t}\n\treturn 0;\n}\n")
		put("static double relax_@(struct field *f, double omega)\n{\n" \
			"\tstruct grid *g = f->grid;\n\tdouble sum = 0, total;")
		put("\tfor (int i = 0; i < g->rows; i++) {\n" \
			"\t\tdouble *above = row(f, f->now, i - 1), *here = row(f, f->now, i), " \
			"*below = row(f, f->now, i + 1);")
		put("\t\tdouble *out = row(f, f->next, i);\n" \
			"\t\tfor (int j = 1; j < g->cols - 1; j++) {")
		put("\t\t\tdouble r = 0.25 * (above[j] + below[j] + here[j - 1] + here[j + 1]) - here[j];\n\t\t\tout[j] = here[j] + omega * r / @;\n\t\t\tsum += r * r;\n\t\t}")
		put("\t\tout[0] = here[0];\n\t\tout[g->cols - 1] = here[g->cols - 1];\n\t}")
		put("\tMPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, g->comm);\n" \
			"\tdouble *swap = f->now;\n\tf->now = f->next;\n\tf->next = swap;")
		put("\treturn sqrt(total);\n}\n")
		put("static void fill_@(struct field *f, const char *name)\n{\n" \
			"\tstruct grid *g = f->grid;\n" \
			"\tsnprintf(f->name, sizeof f->name, \"%s-@\", name);")
		put("\tfor (int i = -HALO; i < g->rows + HALO; i++)\n" \
			"\t\tfor (int j = 0; j < g->cols; j++) {\n\t\t\tint global = g->first + i;")
		put("\t\t\tif (j == 0 || j == g->cols - 1)\n\t\t\t\trow(f, f->now, i)[j] = @;\n" \
			"\t\t\telse if (global % 7 == @ % 7)\n" \
			"\t\t\t\trow(f, f->now, i)[j] = sin(global * 0.01) * cos(j * 0.02);")
		put("\t\t\telse\n\t\t\t\trow(f, f->now, i)[j] = 0;\n\t\t}\n}\n")
		put("static int save_@(struct field *f, const char *path)\n{\n" \
			"\tstruct grid *g = f->grid;\n" \
			"\tdouble *all = NULL, *mine = row(f, f->now, 0);\n" \
			"\tint count = g->rows * g->cols, *counts = NULL, *starts = NULL, " \
			"failed = 0;")
		put("\tif (g->rank == 0) {\n\t\tcounts = malloc(g->size * sizeof *counts);\n" \
			"\t\tstarts = malloc(g->size * sizeof *starts);\n" \
			"\t\tif (!counts || !starts)\n\t\t\tMPI_Abort(g->comm, 1);\n\t}")
		put("\tMPI_Gather(&count, 1, MPI_INT, counts, 1, MPI_INT, 0, g->comm);\n" \
			"\tif (g->rank == 0) {\n\t\tint total = 0;\n" \
			"\t\tfor (int p = 0; p < g->size; p++) {\n\t\t\tstarts[p] = total;\n" \
			"\t\t\ttotal += counts[p];\n\t\t}")
		put("\t\tall = malloc(total * sizeof *all);\n\t}\n" \
			"\tMPI_Gatherv(mine, count, MPI_DOUBLE, all, counts, starts, MPI_DOUBLE, " \
			"0, g->comm);")
		put("\tif (g->rank == 0) {\n\t\tFILE *out = fopen(path, \"ab\");\n" \
			"\t\tif (!out) {\n\t\t\tperror(path);\n\t\t\tfailed = 1;\n\t\t} else {")
		put("\t\t\tfailed = fwrite(all, sizeof *all, " \
			"starts[g->size - 1] + counts[g->size - 1], out) == 0;\n" \
			"\t\t\tfailed |= fclose(out) != 0;\n\t\t}\n\t}")
		put("\tMPI_Bcast(&failed, 1, MPI_INT, 0, g->comm);\n\tfree(all);\n" \
			"\tfree(counts);\n\tfree(starts);\n\treturn failed ? -@ : 0;\n}\n")
		put("static int solve_@(struct field *f, int limit, double tolerance)\n{\n" \
			"\tint step = 0;\n\tf->residual = 1e30;\n" \
			"\twhile (step < limit && f->residual > tolerance) {")
		put("\t\tif (exchange_@(f) < 0)\n\t\t\treturn -1;\n" \
			"\t\tf->residual = relax_@(f, 1.0 + 0.01 * (step % 5));\n" \
			"\t\tif (f->grid->rank == 0 && step % (10 * @) == 0)")
		put("\t\t\tprintf(\"%s: step %d, residual %g\\n\", f->name, step, f->residual);\n" \
			"\t\tstep++;\n\t}\n\tMPI_Barrier(f->grid->comm);\n\treturn step;\n}\n")
	}
	print "static void make_grid(struct grid *g, int rows, int cols)\n{\n" \
		"\tMPI_Comm_dup(MPI_COMM_WORLD, &g->comm);\n\tMPI_Comm_rank(g->comm, &g->rank);\n" \
		"\tMPI_Comm_size(g->comm, &g->size);"
	print "\tg->up = g->rank ? g->rank - 1 : MPI_PROC_NULL;\n" \
		"\tg->down = g->rank + 1 < g->size ? g->rank + 1 : MPI_PROC_NULL;\n" \
		"\tg->rows = rows / g->size;\n\tg->first = g->rank * g->rows;\n" \
		"\tg->cols = cols;\n}\n"
	print "int main(int argc, char **argv)\n{\n\tstruct grid grid;\n\tint steps = 0;\n" \
		"\tMPI_Init(&argc, &argv);\n\tmake_grid(&grid, argc > 1 ? atoi(argv[1]) : 64, 64);"
	print "\tstruct field field = {.grid = &grid};\n" \
		"\tfield.now = calloc((grid.rows + 2 * HALO) * grid.cols, sizeof(double));\n" \
		"\tfield.next = calloc((grid.rows + 2 * HALO) * grid.cols, sizeof(double));"
	for (f = 1; f <= 18; f++) {
		put("\tfill_@(&field, \"psi\");\n\tsteps += solve_@(&field, 50, 1e-6);\n" \
			"\tif (argc > 2 && save_@(&field, argv[2]) < 0)\n" \
			"\t\tMPI_Abort(grid.comm, 2);")
	}
	print "\tif (grid.rank == 0)\n\t\tprintf(\"%d steps\\n\", steps);\n\tfree(field.now);\n" \
		"\tfree(field.next);\n\tMPI_Comm_free(&grid.comm);\n\tMPI_Finalize();\n" \
		"\treturn 0;\n}"
}
