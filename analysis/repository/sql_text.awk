# SPDX-License-Identifier: BSD-3-Clause
# sql_text.awk - SQL files to C strings: awk -f sql_text.awk repository.sql views.sql [NNNN.sql ...]
# The result is what sql_text.c includes. Comments stay: they are what `.schema` shows its reader.
function string_name(file,  base) {
	base = file
	sub(/.*\//, "", base)
	sub(/\.sql$/, "", base)
	return base
}
FNR == 1 {
	if (open)
		print "\t;\n"
	name = string_name(FILENAME)
	if (name ~ /^[0-9]+$/) {
		step[++steps] = name
		printf "static const char sql_step_%s[] =\n", name
	} else {
		printf "const char sql_%s[] =\n", name
	}
	open = 1
}
{
	gsub(/\\/, "&&")
	gsub(/"/, "\\\"")
	printf "\t\"%s\\n\"\n", $0
}
END {
	print "\t;\n\nconst struct migration sql_migration[] = {"
	for (i = 1; i <= steps; i++)
		printf "\t{ %d, sql_step_%s },\n", step[i] + 0, step[i]
	print "\t{ 0, 0 },\n};"
	printf "const size_t sql_migrations = %d;\n", steps
	printf "_Static_assert(SIS_REPOSITORY_VERSION == %d, ", steps ? step[steps] + 0 : 1
	print "\"migrations/ ends at another version\");"
}
