# SPDX-License-Identifier: BSD-3-Clause
# sis-analyze speedup, on programs that sleep: in sets, with and without a sequential run.
# asleep: its truth is time asleep, which ends later on a busy machine
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
query '(map({(.name): .t_p}) | add) as $t | [$t.t1 / $t.t2, $t.t1 / $t.t4 / 4,
	1 - $t.t1 / $t.t1, $t.t2 / $t.t4 / 2] | .[]' list >truth
query '(map({(.experiment): .}) | add) as $e |
	[$e.t2.speedup, $e.t4.efficiency, $e.t1.improvement, $e.t4.scalability] | .[]' \
	speedup t1 t2 t4 >found
check "and these are exactly the ratios of T_p: $(paste truth found | tr '\n' ' ')" \
	sh -c "paste truth found | awk '{ d = \$1 - \$2; n += d < 1e-6 && d > -1e-6 }
		END { exit n != 4 }'"
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
sets="kind=other, threads=2:other kind=team, threads=1:t1 kind=team, threads=2:t2"
equal "sets by several properties" \
	"$(query '[.[] | "\(.set):\(.experiment)"] | join(" ")' speedup t1 other t2 \
		--group kind,threads)" "$sets"
equal "given one by one" \
	"$(query '[.[] | "\(.set):\(.experiment)"] | join(" ")' speedup t1 other t2 --group kind \
		--group threads)" "$sets"
one_error "a property that one has not" 1 "'t1' has no 'colour' to group by" \
	"$ANALYZE" speedup t1 --db "$T/sis.db" --group threads,colour
equal "all of the application when none is named" \
	"$(query '[.[].experiment] | sort | join(" ")' speedup)" \
	"other t1 t2 t4"

# -- other metrics than time: means over the units. shared is called by each thread, serial by one
metric() { # metric KEY REGION OPTION NAME
	query ".[] | select(.experiment == \"t4\") | .$1" speedup t1 t2 t4 --region "$2" "$3" "$4"
}
equal "a metric: what each unit has alike" \
	"$(for key in metric value speedup efficiency scalability; do
		metric $key shared --metric calls; done | xargs)" "CALLS 1 1 0.25 0.5"
equal "a metric: what all units have together" \
	"$(for key in value speedup efficiency scalability; do
		metric $key serial --metric calls; done | xargs)" "0.25 4 1 1"
equal "a metric that is no time has no seconds" "$(metric seconds serial --metric calls)" null
equal "the wall time by name" "$(metric seconds shared --metric wtime)" \
	"$(query '.[] | select(.experiment == "t4") | .seconds' speedup t1 t2 t4 --region shared)"
for node in OTOTAL OLOSS_UNPAR; do
	equal "an overhead of the program: $node" \
		"$(query '[.[] | .seconds] | tostring' speedup t1 t2 t4 --overhead $node)" \
		"[$(for t in t1 t2 t4; do query ".overheads.$node" overhead $t; done |
			paste -sd ,)]"
	for region in serial shared 'main > serial'; do
		equal "an overhead of a region: $node of $region" \
			"$(metric 'seconds * 1e4 | round' "$region" --overhead $node)" \
			"$(query '.[0].seconds * 1e4 | round' overhead t4 --region "$region" \
				--overhead $node)"
	done
done
about "the loss grows with the units" "$(metric seconds serial --overhead OLOSS_UNPAR)" 0.09
equal "several metrics" \
	"$(query '[.[] | .metric] | join(" ")' speedup t1 t2 --metric osync,CALLS \
		--overhead OLOSS)" \
	"OSYNC OSYNC CALLS CALLS OLOSS OLOSS"
equal "a call path" "$(of t4 seconds t1 t2 t4 --region 'main > serial')" \
	"$(of t4 seconds t1 t2 t4 --region serial)"
matches "a table with the metric" "$(analyze speedup t1 t2 --metric calls)" \
	'^region +experiment +p +speedup .* metric +value$'
one_error "a metric that no run has" 1 "MINFLT was not measured .*SIS_PMETRIC=MINFLT" \
	"$ANALYZE" speedup t1 t2 --db "$T/sis.db" --metric CALLS,MINFLT
one_error "an unknown metric" 2 "speedup: unknown metric 'CALS'; did you mean CALLS" \
	"$ANALYZE" speedup t1 --db "$T/sis.db" --metric CALS
SIS_PMETRIC=CTIME run_alone 2 ./nap
analyze import "$EXP" --name counted --set kind=counted >import.out
equal "one that some runs have" \
	"$(query '[.[] | .experiment] | join(" ")' speedup t1 counted --metric ctime)" counted
equal "of all processing units" \
	"$(query '.[0].value * 2e4 | round' speedup t1 counted --metric ctime)" \
	"$(query '[.[] | select(.metric == "CTIME" and .process == null) | .value * 1e4] | add |
		round' summary counted)"
analyze rm counted >import.out

# -- a base that was repeated
run_alone 1 ./nap
analyze import "$EXP" --name again >import.out
speedups() { # speedups BASE: whether that of t2 is what it should be, but for rounding in print
	{
		query "(map({(.name): .t_p}) | add) as \$t | [\$t.t1, \$t.again] |
			if \"$1\" == \"best\" then min else add / 2 end | . / \$t.t2" list
		query '.[] | select(.experiment == "t2") | .speedup' speedup t1 t2 again --base "$1"
	} | awk 'NR == 1 { v = $1 } END { d = $1 - v; exit !(NR == 2 && d < 1e-6 && d > -1e-6) }'
}
check "repeated runs: the base is their mean" speedups mean
check "or the best of them" speedups best
equal "if not requested, the mean" "$(query '.[0].speedup' speedup t1 t2 again)" \
	"$(query '.[0].speedup' speedup t1 t2 again --base mean)"
matches "the heading says which" "$(analyze speedup t1 t2 again)" \
	'^against the mean of t1, again, on 1 processing unit$'
matches "for the best, too" "$(analyze speedup t1 t2 again --base best)" \
	'^against (t1|again), the best of t1, again, on 1'
scaling() { # scaling NAME BASE
	query ".[] | select(.experiment == \"$1\") | select(.factor == \"computation_scaling\") |
		.value" speedup t1 t2 again --efficiencies --base "$2"
}
check "efficiencies are against the mean, too" \
	awk -v a="$(scaling t1 mean)" -v b="$(scaling again mean)" \
	'BEGIN { d = 1 / a + 1 / b - 2; exit !(a && b && d < 1e-6 && d > -1e-6) }'
check "or against the best" \
	awk -v a="$(scaling t1 best)" -v b="$(scaling again best)" \
	'BEGIN { exit !(a && b && (a == 1 || b == 1)) }'
matches "and say so" "$(analyze speedup t1 t2 again --efficiencies)" \
	'^against the mean of t1, again +t1 +again +t2$'
equal "in JSON" "$(query 'map(.base) | unique | join(";")' speedup t1 t2 again --efficiencies)" \
	"the mean of t1, again"
matches "ratios look as in the report" "$(analyze speedup t1 t2 again)" \
	'^program +t2 +2 +[0-9.]+ +[0-9]\.[0-9]{2} +[0-9.]+ % +[0-9.]+ % +[0-9.]+ % +[0-9.]+ '
one_error "another base" 2 "'worst' is neither mean nor best" \
	"$ANALYZE" speedup t1 t2 --db "$T/sis.db" --base worst
analyze rm again >rm.out

run_alone 1 ./nap_seq
analyze import "$EXP" --name seq --role seq --set application=nap >import.out
equal "the sequential run joins by itself" \
	"$(query '[.[].experiment] | join(" ")' speedup t2 t4)" \
	"seq t2 t4"
about "and is the base" "$(of t4 speedup t4)" 2.5
about "of regions, too, in another file" \
	"$(query '.[] | select(.region == "shared" and .experiment == "t4") | .speedup' \
	speedup t4 --regions)" 4
run_alone 1 ./nap_seq another size
analyze import "$EXP" --name large --role seq --set application=nap >import.out
equal "one of the same arguments, not the newest" \
	"$(query '[.[].experiment] | join(" ")' speedup t2 t4)" \
	"seq t2 t4"
equal "--seq names it" \
	"$(query '[.[] | select(.speedup == 1) | .experiment] | join(" ")' speedup t2 t4 \
		--seq t1)" \
	t1
matches "a table" \
	"$(analyze speedup t2 t4)" \
	'^region +experiment +p +T_p \[s\] +speedup +improvement +efficiency +scalability +without'
matches "with its sets" "$(analyze speedup t2 t4 --group kind)" '^set +region'

one_error "an unknown region" 1 "no region 'sharde'" \
	"$ANALYZE" speedup t1 --db "$T/sis.db" --region sharde
one_error "a key that nobody has" 1 "'t1' has no 'colour' to group by" \
	"$ANALYZE" speedup t1 --db "$T/sis.db" --group colour
one_error "an unknown experiment" 1 "no experiment 't9'" "$ANALYZE" speedup t1 t9 --db "$T/sis.db"

# -- runs of different problems are no series ------------------------------------------------------
for size in 300 4600; do
	run_alone 2 ./nap $size
	analyze import "$EXP" --name par$size >import.out
done
run_alone 1 ./nap_seq 300
analyze import "$EXP" --name seq300 --role seq --set application=nap >import.out
# sets ARGUMENT...: SET:EXPERIMENT of each line
sets() { query '[.[] | "\(.set):\(.experiment)"] | join(" ")' speedup "$@"; }
equal "arguments separate them, the sequential run, too" "$(sets seq300 par4600)" \
	"300:seq300 4600:par4600"
equal "so they have no speedup" \
	"$(query '[.[] | .speedup] | unique | tostring' speedup seq300 par4600)" "[1]"
equal "no sequential run of another problem joins" "$(sets par4600)" ":par4600"
equal "one of the same does" "$(sets par300 par4600)" "300:seq300 300:par300 4600:par4600"
matches "text says so" "$(analyze speedup par300 par4600)" '^These are runs of different problems'
matches "and shows the sets" "$(analyze speedup par300 par4600)" '^300 +program +par300 '
equal "--group decides otherwise" "$(sets seq300 par4600 --group application)" \
	"nap:seq300 nap:par4600"
lacks "and needs no explanation" "$(analyze speedup seq300 par4600 --group application)" different
equal "a sequential run without arguments is in every set" "$(sets seq par300 par4600)" \
	"300:seq 300:par300 4600:seq 4600:par4600"
analyze import "$T/exp1" --set size=9 >import.out
analyze import "$EXP" --set size=9 >import.out
equal "size of --set is the problem, whatever the arguments" "$(sets t1 seq300)" ":seq300 :t1"
analyze import "$EXP" --set size=8 >import.out
equal "another size is another problem" "$(sets t1 seq300)" "8:seq300 9:t1"
equal "a sequential run that lacks the key is in every set" \
	"$(sets seq t1 other --group kind)" "other:seq other:other team:seq team:t1"
