# SPDX-License-Identifier: BSD-3-Clause
# sql_text.awk - makes C strings of SQL files: awk -f sql_text.awk repository.sql views.sql
# sql_text.c includes the result. Comments stay, because users read them in the output of `.schema`.
function string_name(file,  base) {
	base = file
	sub(/.*\//, "", base)
	sub(/\.sql$/, "", base)
	return base
}
FNR == 1 {
	if (open)
		print "\t;\n"
	printf "const char sql_%s[] =\n", string_name(FILENAME)
	open = 1
}
{
	gsub(/\\/, "&&")
	gsub(/"/, "\\\"")
	printf "\t\"%s\\n\"\n", $0
}
END {
	print "\t;"
}
