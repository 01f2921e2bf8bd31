# SPDX-License-Identifier: BSD-3-Clause
# sis-analyze speedup, on programs that sleep: in sets, with and without a sequential run.
# alone: its truth is time asleep, which ends later on a busy machine
. "$(dirname "$0")/../lib.sh"

# nap.c shares 480 ms of work among its threads, and 120 ms are serial.
source_file nap.c <<'END'
#include <omp.h>
#include <unistd.h>
static void shared(void) { usleep(480000 / omp_get_num_threads()); }
static void serial(void) { usleep(120000); }
int main(void)
{
#pragma omp parallel
	shared();
	serial();
	return 0;
}
END
sed 's/omp_get_num_threads()/1/; /omp/d' nap.c >nap_seq.c
build nap nap.c -fopenmp --sis-cr=CR_P,CR_F,CR_OMP
build nap_seq nap_seq.c --sis-cr=CR_P,CR_F
for threads in 1 2 4; do
	run_alone $threads ./nap
	analyze import "$EXP" --name t$threads --set kind=team >import.out
done
run_alone 2 ./nap
analyze import "$EXP" --name other --set kind=other >import.out

# about WHAT VALUE TRUTH: a ratio of times asleep, on a machine that others use, too
about() {
	if awk -v v="$2" -v t="$3" \
		'BEGIN { d = v - t; if (d < 0) d = -d; exit !(v != "" && d <= 0.25 * t) }'; then
		ok "$1"; else not_ok "$1: ${2:-no value}, not about $3"; fi
}

# of EXPERIMENT KEY [ARGUMENT...]
of() {
	experiment=$1 key=$2
	shift 2
	query ".[] | select(.experiment == \"$experiment\") | .$key" speedup "$@"
}
about "without a sequential run the fewest units are the base" "$(of t1 speedup t1 t2 t4)" 1
about "speedup" "$(of t2 speedup t4 t1 t2)" 1.667
about "efficiency" "$(of t4 efficiency t4 t1 t2)" 0.625
about "improvement" "$(of t4 improvement t4 t1 t2)" 0.6
about "scalability is against the next smaller p" "$(of t4 scalability t4 t1 t2)" 0.75
equal "the base has none" "$(of t1 scalability t4 t1 t2)" null
equal "and these are exactly the ratios of T_p" \
	"$(query '(map({(.name): .t_p}) | add) as $t | [$t.t1 / $t.t2, $t.t1 / $t.t4 / 4,
	1 - $t.t1 / $t.t1, $t.t2 / $t.t4 / 2] | map(. * 1e6 | round)' list)" \
	"$(query '(map({(.experiment): .}) | add) as $e |
	[$e.t2.speedup, $e.t4.efficiency, $e.t1.improvement, $e.t4.scalability] |
	map(. * 1e6 | round)' speedup t1 t2 t4)"
equal "in order of the units" "$(query '[.[].experiment] | join(" ")' speedup t4 t1 t2)" "t1 t2 t4"
about "a region" "$(of t4 speedup t1 t2 t4 --region shared)" 4
about "one that is serial" "$(of t4 efficiency t1 t2 t4 --region serial)" 0.25
equal "sets" \
	"$(query '[.[] | "\(.set):\(.experiment)"] | join(" ")' speedup t1 other t4 --group kind)" \
	"other:other team:t1 team:t4"
equal "each with its base" \
	"$(query '.[] | select(.set == "other") | .speedup' speedup t1 other t4 --group kind)" \
	1
equal "sets by what every experiment has" \
	"$(query '[.[].set] | join(" ")' speedup t1 t4 --group threads)" \
	"1 4"
equal "all of the application when none is named" \
	"$(query '[.[].experiment] | sort | join(" ")' speedup)" \
	"other t1 t2 t4"

run_alone 1 ./nap_seq
analyze import "$EXP" --name seq --role seq --set application=nap >import.out
equal "the sequential run joins by itself" \
	"$(query '[.[].experiment] | join(" ")' speedup t2 t4)" \
	"seq t2 t4"
about "and is the base" "$(of t4 speedup t4)" 2.5
about "of regions, too, in another file" \
	"$(query '.[] | select(.region == "shared" and .experiment == "t4") | .speedup' \
	speedup t4 --regions)" 4
matches "a table" \
	"$(analyze speedup t2 t4)" \
	'^region +experiment +p +seconds +speedup +improvement +efficiency +scalability$'
matches "with its sets" "$(analyze speedup t2 t4 --group kind)" '^set +region'

one_error "an unknown region" 1 "no region 'sharde'" \
	"$ANALYZE" speedup t1 --db "$T/sis.db" --region sharde
one_error "a key that nobody has" 1 "'t1' has no 'colour' to group by" \
	"$ANALYZE" speedup t1 --db "$T/sis.db" --group colour
one_error "an unknown experiment" 1 "no experiment 't9'" "$ANALYZE" speedup t1 t9 --db "$T/sis.db"
