# SPDX-License-Identifier: BSD-3-Clause
# big_source.awk - prints a C file of some 5000 lines of ordinary numerical code:
# awk -f big_source.awk </dev/null
BEGIN {
	print "#include <math.h>\n#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n" \
		"#include <string.h>\n"
	print "struct field { int rows, cols; double *values; char name[32]; };\n"
	for (f = 1; f <= 192; f++) {
		printf "static double sweep_%d(struct field *field, double weight)\n{\n", f
		print "\tdouble sum = 0, largest = 0;"
		print "\tint rows = field->rows, cols = field->cols;"
		print "\tif (rows < 3 || cols < 3) {"
		print "\t\tfprintf(stderr, \"%s is too small\\n\", field->name);"
		print "\t\treturn -1;\n\t}"
		print "\tfor (int i = 1; i < rows - 1; i++) {"
		print "\t\tfor (int j = 1; j < cols - 1; j++) {"
		print "\t\t\tdouble *here = &field->values[i * cols + j];"
		printf "\t\t\tdouble next = " \
			"weight * (here[1] + here[-1]) + %d * (here[cols] + here[-cols]);\n", f
		print "\t\t\tdouble change = fabs(next - *here);"
		print "\t\t\tif (change > largest)\n\t\t\t\tlargest = change;"
		print "\t\t\tsum += next * next;\n\t\t\t*here = next;\n\t\t}\n\t}"
		print "\twhile (sum > 1e6)\n\t\tsum /= 10;"
		if (f > 1)
			printf "\tsum += largest > 1 ? sweep_%d(field, weight / 2) : 0;\n", f - 1
		print "\treturn sqrt(sum) + largest;\n}\n"
	}
	print "int main(int argc, char **argv)\n{\n" \
		"\tstruct field field = {.rows = 8, .cols = 8, .name = \"psi\"};"
	print "\tfield.values = calloc(64, sizeof *field.values);\n\tMPI_Init(&argc, &argv);"
	for (f = 1; f <= 192; f++)
		printf "\tprintf(\"%%g\\n\", sweep_%d(&field, 0.25));\n", f
	print "\tMPI_Finalize();\n\tfree(field.values);\n\treturn 0;\n}"
}
