# SPDX-License-Identifier: BSD-3-Clause
# A new column needs two edits: its line in repository.sql, and the code that fills it. The tables,
# the schemas of exports, exporting, importing with its checks, and merging follow from the line.
. "$(dirname "$0")/../lib.sh"

# -- the first edit, and what the build makes of it
sed 's|^  affinity TEXT, .*|  luck INTEGER CHECK (luck > 0), -- of the user;\n\
                                       -- NULL: "none"\n&|' \
	"$TOP/schema/repository.sql" >repository.sql
generate() { # FORM SQL
	awk -v "form=$1" -f "$TOP/schema/experiment_schemas.awk" \
		"$TOP/schema/repository_version.h" "$2"
}
for form in .xsd .json .inc; do
	generate $form "$TOP/schema/repository.sql" >old$form
	generate $form repository.sql >new$form
done
cp new.inc row_kinds.inc
sed 's/\\/&&/g; s/"/\\"/g; s/.*/"&\\n"/' new.xsd >experiment_xsd.inc
awk -f "$TOP/analysis/repository/database/sql_text.awk" repository.sql \
	"$TOP/schema/views.sql" >sql_text.inc
added() { diff "old$1" "new$1" | sed -n 's/^> *//p' | tr -d '\n\t'; }
matches "XML has an attribute that may be missing" "$(added .xsd)" \
	'^<xs:attribute name="luck" type="positive">.*of the user; NULL: "none"<.*</xs:attribute>$'
equal "JSON has a member that may be null" "$(jq -c '."$defs".processing_unit |
	(.required | index("luck") > 0), (.properties.luck | .type, .minimum, .description)' \
	new.json | tr '\n' ' ')" 'true ["integer","null"] 1 "of the user; NULL: \"none\"" '

# -- a sis-analyze with it
# shellcheck disable=SC2046 # words
"$CC" -I. "-I$TOP/schema" "-I$TOP/analysis" $(pkg-config --cflags libxml-2.0) -D_GNU_SOURCE \
	'-DSIS_VERSION="1"' -o new-analyze \
	"$TOP"/analysis/repository/store/exported_rows.c \
	"$TOP"/analysis/repository/store/xml_read.c \
	"$TOP"/analysis/repository/database/sql_text.c \
	"$build_dir/obj/analysis/main.o" "$build_dir/obj/libsis-analysis.a" \
	"$build_dir/obj/libsis-schema.a" -lsqlite3 -ljson-c -ldw -lelf -lzstd -lz -lncursesw \
	-ltinfo -lm >build.out 2>&1 || give_up "it builds" build.out
"$CC" -o execute "$E2E/robust/execute.c" -lsqlite3 || give_up "execute is built"
ANALYZE=$T/new-analyze
source_file none.c <<'END'
int main(void) { return 0; }
END
build none none.c
run_alone 1 ./none
analyze import "$EXP" >import.out 2>&1 || give_up "the run is imported" import.out
luck() { "$ANALYZE" sql "SELECT luck FROM processing_unit" --csv --db "$1" | tail -n 1; }
equal "a database has it" "$(luck sis.db)" ""

# -- the second edit
./execute sis.db "UPDATE processing_unit SET luck = 7"
for format in xml json; do
	analyze export --format $format -o out.$format
	check "$format is imported" "$ANALYZE" import out.$format --db $format.db
	equal "$format has it" "$(luck $format.db)" 7
	sed 's/luck\(="\|": \)7/luck\10/' out.$format >bad.$format
	one_error "$format: what the line forbids is refused" 1 "'?luck'?" \
		"$ANALYZE" import bad.$format --db bad.db
done
check "XML is by the new schema" xmllint --noout --schema new.xsd out.xml
equal "JSON is by the new schema" "$(jq -nr -f "$E2E/analyze/json_schema.jq" \
	--slurpfile s new.json --slurpfile d out.json)" ""
check "the repository is merged" "$ANALYZE" merge sis.db --db merged.db
equal "with it" "$(luck merged.db)" 7
