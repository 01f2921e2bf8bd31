# SPDX-License-Identifier: BSD-3-Clause
# man.awk - inserts tables into a manual page:
#     awk -v version=V -f man.awk options.c *.def page.1.in
# A row of a *.def ends with `)`, one of options.c with `},`. Table NAME replaces the line @NAME@ of
# the page.

function text(line,    string, n) { # the last string of a row, or the first one of an overhead
	n = split(line, string, "\"")
	return string[line ~ /^SIS_OVERHEAD/ ? 2 : n - 1]
}
function plain(words) { # no request, no escape
	gsub(/\\/, "\\e", words)
	return words ~ /^[.']/ ? "\\&" words : words
}
function mnemonic(line) {
	sub(/^[^(]*\( */, "", line)
	sub(/ *,.*/, "", line)
	return line
}
function second(line) {
	sub(/^[^,]*, */, "", line)
	sub(/ *,.*/, "", line)
	return line
}
function add(table, name, group, description) {
	rows[table]++
	row[table, rows[table]] = name
	of[table, name] = group
	said[table, name] = description
	members[table, group] = 1
}
function show(table, parent,    i, name) {
	for (i = 1; i <= rows[table]; i++) {
		name = row[table, i]
		if (of[table, name] != parent)
			continue
		print ".It Sy " ((table, name) in members ? "(" name ")" : name)
		print plain(said[table, name])
		if ((table, name) in members)
			show(table, name)
	}
}

FILENAME ~ /\.def$/ && /^SIS_[A-Z_]*\(/ {
	while ($0 !~ /\)$/ && (getline line) > 0)
		$0 = $0 line
}
/^SIS_REGION_TYPE\(CR_/ && mnemonic($0) != "CR_SAMPLED" { add("REGIONS", mnemonic($0), second($0), text($0)); next }
/^SIS_OVERHEAD\(/ { add("OVERHEADS", mnemonic($0), second($0), text($0)); next }
/^SIS_METRIC\(/ { add("METRICS", mnemonic($0), "", text($0)); next }
FILENAME ~ /options\.c$/ && (option != "" || /^\t\{ "[a-z]+", [A-Z_]*VALUE,/) {
	option = option $0
	if (option !~ /\},$/)
		next
	split(option, part, "\"")
	options = options ".It Fl Fl sis-" part[2] (part[4] != "" ? " Ns " part[4] : "") "\n"
	options = options plain(part[6]) "\n"
	option = ""
	next
}
FILENAME !~ /\.in$/ { next }
/^@OPTIONS@$/ { printf "%s", options; next }
/^@METRICS@$/ { show("METRICS", ""); next }
/^@REGIONS@$/ { show("REGIONS", "CR_NONE"); next }
/^@OVERHEADS@$/ { show("OVERHEADS", "O_NONE"); next }
{ gsub(/@VERSION@/, version); print }
