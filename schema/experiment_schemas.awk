# SPDX-License-Identifier: BSD-3-Clause
# experiment_schemas.awk - describes the tables of repository.sql, for exports and imports:
#     awk -v form=.xsd -f experiment_schemas.awk repository_version.h repository.sql
# The form .xsd is the schema of XML, .json the schema of JSON, and .inc the rows for
# analysis/repository/store/exported_rows.c. The head of repository.sql says what comments mean.

BEGIN {
	range("id", 1, "1000000000000")
	range("id_or_none", 0, "1000000000000")
	range("yes_or_no", 0, 1)
	range("count", 0, "")
	range("positive", 1, "")
	range("ns", "-1000000000000000000", "1000000000000000000")
	range("integer", "", "")
	xsd_name["TEXT"] = "xs:string"
	xsd_name["REAL"] = "xs:double"
	json_name["TEXT"] = "string"
	json_name["REAL"] = "number"
	json_name["INTEGER"] = "integer"
}
function range(name, from, to) {
	range_name[++ranges] = name
	least[name] = from
	most[name] = to
}

# -- reading the tables of repository.sql ----------------------------------------------------------

$2 == "SIS_REPOSITORY_VERSION" { version = $3 }
/^-- An export has/ {
	list = $0
	sub(/.*: /, "", list)
	words = split(list, word, ", ")
	for (i = 1; i <= words; i++) {
		fewest[word[i]] = !/no row of/
		only_one[word[i]] = /one row of/
		left_out[word[i]] = /no row of/
	}
}
/^CREATE TABLE / && !left_out[$3] {
	name[++tables] = $3
	number[$3] = tables
	order[tables] = "rowid"
	in_table = 1
	text = ""
}
in_table && /^\)/ {
	end_column()
	in_table = 0
}
in_table { take_line($0) }

# A column ends where the next column begins, because a column's comment is after its comma.
function take_line(line,  sql, note) {
	note = index(line, "-- ") ? substr(line, index(line, "-- ") + 3) : ""
	sql = line ~ /^CREATE/ ? "" : line
	sub(/ *--.*/, "", sql)
	if (sql != "" && text ~ /,$/ && !is_open(text))
		end_column()
	if (text == "" && sql == "")
		table_note[tables] = table_note[tables] (table_note[tables] ? " " : "") note
	else if (note != "")
		text_note = text_note (text_note ? " " : "") note
	text = text sql
}
function is_open(text) {
	return gsub(/\(/, "", text) > gsub(/\)/, "", text)
}
function end_column(  part, n) {
	sub(/,$/, "", text)
	split(text, part, " ")
	if (part[1] == "UNIQUE")
		unique[tables] = names_in(text)
	else if (part[1] == "PRIMARY")
		order[tables] = names_in(text)
	else {
		n = ++columns[tables]
		column[tables, n] = part[1]
		sql_type[tables, n] = part[2]
		note_of[tables, n] = text_note
		may_be_null[tables, n] = text !~ /NOT NULL|PRIMARY KEY/
		type[tables, n] = part[2] == "INTEGER" ? type_of(part[1], text_note) : ""
		if (text ~ /CHECK \([a-z_]* IN/)
			values[tables, n] = values_of(text)
		take_keys(n, part[1])
	}
	text = text_note = ""
}
function take_keys(n, column) {
	if (text ~ /PRIMARY KEY/)
		order[tables] = column
	if (text ~ / UNIQUE/)
		unique[tables] = column
	if (type[tables, n] ~ /^id/)
		refers[tables, n] = column == "id" ? name[tables] : table_in(text text_note)
	is_unchecked[tables, n] = text_note ~ /^-> /
	if (text ~ /CASCADE/ && !owner[tables])
		owner[tables] = n
}
function table_in(words) {
	sub(/.*(REFERENCES|->) /, "", words)
	sub(/[^a-z_].*/, "", words)
	return words
}
function names_in(sql) {
	sub(/.*\(/, "", sql)
	sub(/\).*/, "", sql)
	return sql
}
function type_of(column, note) {
	if (text ~ /PRIMARY KEY|REFERENCES/ || note ~ /^-> /)
		return note ~ /; 0:/ ? "id_or_none" : "id"
	if (note ~ /^1: /)
		return "yes_or_no"
	if (note ~ /since 1970|-1:|negative/)
		return "integer"
	if (column ~ /(^|_)ns$/)
		return "ns"
	return text ~ /CHECK \([a-z_]* > 0\)/ ? "positive" : "count"
}
function values_of(sql) {
	sub(/.* IN \(/, "", sql)
	sub(/\).*/, "", sql)
	gsub(/'/, "", sql)
	return sql
}

# -- writing the three forms -----------------------------------------------------------------------

END {
	if (form == ".xsd")
		write_xsd()
	else if (form == ".inc")
		write_rows()
	else
		write_json()
}

function xml(text) {
	gsub(/&/, "\\&amp;", text)
	gsub(/</, "\\&lt;", text)
	return text
}
function documented(indent, note) {
	printf "%s<xs:annotation><xs:documentation>%s</xs:documentation></xs:annotation>\n",
		indent, xml(note)
}
function write_xsd(  t, i) {
	print "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
	print "<!-- One experiment, as sis-analyze export writes it in XML. An element is a row,"
	print "     an attribute a column. If a column is null, the attribute is missing. Elements"
	print "     come in this order, each after those to which it refers; references are ids"
	print "     within the document. Times are nanoseconds. The version changes when a table"
	print "     does. -->"
	print "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\""
	print "  xmlns=\"urn:sis:experiment\" targetNamespace=\"urn:sis:experiment\""
	print "  elementFormDefault=\"qualified\">"
	print "  <xs:element name=\"sis\">\n    <xs:complexType>\n      <xs:sequence>"
	for (t = 1; t <= tables; t++)
		printf "        <xs:element name=\"%s\" type=\"%s\" minOccurs=\"%d\" " \
			"maxOccurs=\"%s\"/>\n", name[t], name[t], fewest[name[t]],
			only_one[name[t]] ? 1 : "unbounded"
	print "      </xs:sequence>"
	print "      <xs:attribute name=\"version\" type=\"xs:positiveInteger\" use=\"required\"/>"
	print "      <xs:attribute name=\"writer\" type=\"xs:string\"/>"
	print "    </xs:complexType>\n  </xs:element>"
	for (i = 1; i <= ranges; i++)
		xsd_range(range_name[i])
	for (t = 1; t <= tables; t++)
		xsd_table(t)
	print "</xs:schema>"
}
function xsd_range(name) {
	printf "  <xs:simpleType name=\"%s\">\n    <xs:restriction base=\"xs:long\">\n", name
	if (least[name] != "")
		printf "      <xs:minInclusive value=\"%s\"/>\n", least[name]
	if (most[name] != "")
		printf "      <xs:maxInclusive value=\"%s\"/>\n", most[name]
	print "    </xs:restriction>\n  </xs:simpleType>"
}
function xsd_table(t,  c) {
	printf "  <xs:complexType name=\"%s\">\n", name[t]
	documented("    ", table_note[t])
	for (c = 1; c <= columns[t]; c++) {
		printf "    <xs:attribute name=\"%s\"%s%s>\n", column[t, c], xsd_type(t, c),
			may_be_null[t, c] ? "" : " use=\"required\""
		documented("      ", note_of[t, c])
		xsd_values(values[t, c])
		print "    </xs:attribute>"
	}
	print "  </xs:complexType>"
}
function xsd_type(t, c) {
	if (values[t, c])
		return ""
	return " type=\"" (type[t, c] ? type[t, c] : xsd_name[sql_type[t, c]]) "\""
}
function xsd_values(list,  word, n, i) {
	n = split(list, word, ", *")
	if (n)
		print "      <xs:simpleType><xs:restriction base=\"xs:string\">"
	for (i = 1; i <= n; i++)
		printf "        <xs:enumeration value=\"%s\"/>\n", word[i]
	if (n)
		print "      </xs:restriction></xs:simpleType>"
}

function write_rows(  t, c) {
	for (t = 1; t <= tables; t++) {
		printf "static const struct row_column columns_%s[] = {\n", name[t]
		for (c = 1; c <= columns[t]; c++)
			row_column(t, c)
		print "};"
	}
	print "const struct row_kind row_kind[] = {"
	for (t = 1; t <= tables; t++)
		printf "\t{ \"%s\", \"%s\", columns_%s, %d, %d, %d, %s },\n", name[t], order[t],
			name[t], columns[t], owner[t] - 1, fewest[name[t]],
			only_one[name[t]] ? 1 : "INT64_MAX"
	print "};"
	printf "_Static_assert(ROW_KINDS == %d, \"repository.sql has another number\");\n", tables
}
function row_column(t, c) {
	printf "\t{ \"%s\", ROW_%s, %d, %s, %s, %d, %d, %d },\n", column[t, c], sql_type[t, c],
		may_be_null[t, c], limit(least[type[t, c]], "INT64_MIN"),
		limit(most[type[t, c]], "INT64_MAX"), number[refers[t, c]] - 1, is_unchecked[t, c],
		(", " unique[t] ", ") ~ ", " column[t, c] ", "
}
function limit(number, none) {
	return number == "" ? none : number
}

function json(text) {
	gsub(/\\/, "&&", text)
	gsub(/"/, "\\\"", text)
	return "\"" text "\""
}
# A list of names: of the columns of table t or, if t is 0, of the tables.
function json_names(t,  list, i, n) {
	n = t ? columns[t] : tables
	list = t ? "" : "\"sis_experiment\", \"writer\", "
	for (i = 1; i <= n; i++)
		list = list (i > 1 ? ", " : "") json((t ? column[t, i] : name[i]))
	return list
}
function write_json(  t) {
	print "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\","
	print "  \"title\": \"One experiment as sis-analyze export writes it in JSON\","
	print "  \"description\": \"Arrays are tables, objects are rows, references are ids.\","
	print "  \"type\": \"object\", \"additionalProperties\": false,"
	printf "  \"required\": [%s],\n  \"properties\": {\n", json_names(0)
	printf "    \"sis_experiment\": { \"const\": %d, \"description\": %s },\n", version,
		json("the version, which changes when a table does")
	print "    \"writer\": { \"type\": \"string\" }"
	for (t = 1; t <= tables; t++)
		printf "    , \"%s\": { \"type\": \"array\",%s%s \"items\": { \"$ref\": %s } }\n",
			name[t], json_limit("minItems", fewest[name[t]] + 0),
			only_one[name[t]] ? json_limit("maxItems", 1) : "", json("#/$defs/" name[t])
	print "  },\n  \"$defs\": {"
	for (t = 1; t <= tables; t++)
		json_table(t)
	print "  }\n}"
}
function json_table(t,  c) {
	printf "    \"%s\": {\n      \"description\": %s,\n", name[t], json(table_note[t])
	print "      \"type\": \"object\", \"additionalProperties\": false,"
	printf "      \"required\": [%s],\n      \"properties\": {\n", json_names(t)
	for (c = 1; c <= columns[t]; c++)
		printf "        \"%s\": { %s \"description\": %s }%s\n", column[t, c],
			json_type(t, c), json(note_of[t, c]), c < columns[t] ? "," : ""
	printf "      }\n    }%s\n", t < tables ? "," : ""
}
function json_type(t, c,  kind) {
	if (values[t, c])
		return "\"enum\": [\"" json_values(values[t, c]) "\"],"
	kind = json(json_name[sql_type[t, c]])
	kind = may_be_null[t, c] ? "[" kind ", \"null\"]" : kind
	return "\"type\": " kind "," json_limit("minimum", least[type[t, c]]) \
		json_limit("maximum", most[type[t, c]])
}
function json_limit(word, number) {
	return number == "" ? "" : " \"" word "\": " number ","
}
function json_values(list) {
	gsub(/, */, "\", \"", list)
	return list
}
