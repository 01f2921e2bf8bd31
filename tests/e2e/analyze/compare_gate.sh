# SPDX-License-Identifier: BSD-3-Clause
# The gate of sis-analyze compare: one slower function among 200 is found, and probes fail nothing.
# Experiments that cannot be compared; values that are not known.
# asleep: its truth is time asleep, which ends later on a busy machine
. "$(dirname "$0")/../lib.sh"

# many.c: 200 functions, of which one sleeps SLEEP us.
awk 'BEGIN {
	print "#include <unistd.h>"
	for (i = 1; i <= 200; i++)
		printf "static void f%d(void) { usleep(%s); }\n", i, i == 77 ? "SLEEP" : 200
	print "int main(void)\n{"
	for (i = 1; i <= 200; i++)
		printf "\tf%d();\n", i
	print "\treturn 0;\n}"
}' >many.c
mkdir base new
build base/many many.c -DSLEEP=40000 --sis-cr=CR_P,CR_F
build new/many many.c -DSLEEP=100000 --sis-cr=CR_P,CR_F
for k in 1 2 3 4 5 6; do
	for version in base new; do
		[ $k -le 5 ] || [ $version = base ] || continue
		run_alone 1 $version/many
		analyze import "$EXP" --name $version$k >import.out
	done
done
BASE=base1,base2,base3,base4,base5 NEW=new1,new2,new3,new4,new5
slower() {
	query 'map(select(.verdict == "slower" and .region != "program") | .region) | join(" ")' \
		compare "$@" --regions
}
matches "one slower function among 200 is found" "$(slower $BASE $NEW)" '(^| )f77( |$)'
one_error "it fails the gate" 1 "compare: [0-9]+ above 20 %: program is [0-9.]+ % slower" \
	"$ANALYZE" compare $BASE $NEW --db "$T/sis.db" --fail-above 20%
matches "it made the difference" \
	"$(query '.[0] | "\(.region) \(.overhead) \(.difference > 0.05)"' compare $BASE $NEW \
		--parts)" \
	'^f77 USEFUL true$'
check "repetitions of one build do not fail" \
	"$ANALYZE" compare base1,base3,base5 base2,base4,base6 --db "$T/sis.db" --fail-above 20%

# -- probes: the last three of six runs of one build get 0.2 s more of them
source_file nap.c <<'END'
#include <unistd.h>
int main(void) { usleep(60000); return 0; }
END
build nap nap.c --sis-cr=CR_P
"$CC" -O1 -o execute "$E2E/robust/execute.c" -lsqlite3 2>build.err ||
	give_up "execute is built" build.err
for k in 1 2 3 4 5 6; do
	run_alone 1 ./nap
	id=$(query '.[0].id' import "$EXP" --name nap$k)
	[ $k -le 3 ] || ./execute sis.db "
		CREATE TEMP TABLE probe AS SELECT min(n.id) AS id FROM drg_node n
			JOIN code_region r ON r.id = n.region
			WHERE n.experiment = $id AND r.type = 'RT_PROBE';
		UPDATE experiment SET t_p_ns = t_p_ns + 200000000 WHERE id = $id;
		UPDATE processing_unit SET end_ns = end_ns + 200000000 WHERE experiment = $id;
		UPDATE overhead SET ns = ns + 200000000 WHERE leaf = 'OPROBE'
			AND drg_node = (SELECT id FROM probe);
		UPDATE critical_path SET ns = ns + 200000000
			WHERE drg_node = (SELECT id FROM probe);
		UPDATE region_summary SET incl_ns = incl_ns + 200000000,
			excl_ns = excl_ns + 200000000 WHERE drg_node = (SELECT id FROM probe)" ||
		give_up "probes are added"
done
FEW=nap1,nap2,nap3 MANY=nap4,nap5,nap6
equal "probes make a run slower" \
	"$(query '.[] | select(.region == "program") | .change > 2' compare $FEW $MANY --regions)" \
	true
check "but fail no gate" "$ANALYZE" compare $FEW $MANY --db "$T/sis.db" --fail-above 100%
equal "their cost is in a row of its own" \
	"$(query '.[] | select(.type == "RT_PROBE") |
		"\(.difference > 0.15) \(.verdict) \(.fails)"' compare $FEW $MANY \
		--fail-above 100%)" \
	"true slower false"
equal "and in the difference" \
	"$(query '.[0] | "\(.overhead) \(.difference > 0.15)"' compare $FEW $MANY --parts)" \
	"OPROBE true"

# -- different applications
one_error "different applications" 1 \
	"'base1' is a run of application 'many', 'nap1' one of 'nap'; .*--any-application" \
	"$ANALYZE" compare base1 nap1 --db "$T/sis.db"
one_error "in a gate, too" 1 "run of application 'many'" \
	"$ANALYZE" compare base1 nap1 --db "$T/sis.db" --fail-above 5
check "unless they are requested" \
	"$ANALYZE" compare base1 nap1 --db "$T/sis.db" --any-application

# -- values that are not known
source_file pages.c <<'END'
#include <stdlib.h>
#include <string.h>
enum { SIZE = 64 << 20 };
int main(void)
{
	char *p = malloc(SIZE);
	for (int i = 0; i < SIZE; i += 4096)
		((volatile char *)p)[i] = 1;
	free(p);
	return 0;
}
END
build pages pages.c --sis-cr=CR_P,CR_F
run_alone 1 ./pages
analyze import "$EXP" --name plain >import.out
SIS_PMETRIC=MINFLT run_alone 1 ./pages
analyze import "$EXP" --name counted >import.out
pgflt() {
	query ".[] | select(.experiment == \"$1\") | select(.overhead == \"ODATA_PGFLT\") |
		.seconds" compare plain counted
}
equal "what was not counted is unknown" "$(pgflt plain)" null
check "what was counted is known" test "$(pgflt counted)" != null
matches "in text it is -" "$(analyze compare plain counted)" '^ODATA_PGFLT +- +0\.[0-9]+$'
matches "in CSV it is empty" "$(analyze compare plain counted --csv)" '^plain,ODATA_PGFLT,$'
equal "among the parts, too" \
	"$(query 'map(select(.overhead == "ODATA_PGFLT") | .a) | unique | tojson' compare plain \
		counted --parts)" "[null]"
