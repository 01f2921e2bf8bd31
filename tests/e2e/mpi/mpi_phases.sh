# SPDX-License-Identifier: BSD-3-Clause
# Phases: the runtime records which regions ran between two collective operations, and how long.
# asleep: its truth is time asleep, which ends later on a busy machine
. "$(dirname "$0")/../lib.sh"

lib=$build_dir/lib
"$CC" -I"$TOP/schema" -o records "$HERE/records.c" 2>build.err ||
	give_up "records is built" build.err
"$MPICC" -O1 -I"$build_dir/include" -o phases "$HERE/phases.c" -L"$lib" -lsis-mpi -lsis \
	-Wl,-rpath,"$lib" \
	2>build.err || give_up "phases is built" build.err

run 2 1 ./phases
equal "output" "$(cat run.out)" done
./records "$EXP" >lines

# phases_of RANK: its phases with regions of the program: their names and times, without the rest
phases_of() {
	awk -v rank="$1" '$1 == "ran" && $2 == rank {
		s = ""
		for (i = 4; i <= NF; i++) if ($i ~ /^u/) s = s (s ? " " : "") $i
		if (s) print s
	}' lines
}
regions_of() { phases_of "$1" | sed 's/=[0-9.]*//g' | tr '\n' ';'; }
# seconds_of RANK PHASE REGION
seconds_of() { phases_of "$1" | sed -n "$2p" | tr ' ' '\n' | sed -n "s/^$3=//p"; }

equal "rank 0 ran alone in a region of its own" "$(regions_of 0)" "u0;u1;u2;u2 u1;"
equal "rank 1 did not" "$(regions_of 1)" "u1;u2;u2 u1;"
near "the serial region" "$(seconds_of 0 1 u0)" 0.2
near "activations add up" "$(seconds_of 1 1 u1)" 0.3
near "an open region, before the collective inside it" "$(seconds_of 0 3 u2)" 0.1
near "the same after it" "$(seconds_of 0 4 u2)" 0.15
near "a region entered since" "$(seconds_of 0 4 u1)" 0.05

run 1 1 ./phases 5990
./records "$EXP" >lines
equal "more regions than a phase has room for: no more than that" \
	"$(awk '$1 == "ran" && NF > 1000 { print (NF - 3 <= 4096), (NF > 4000) }' lines)" "1 1"
near "the longest is there" "$(phases_of 0 | tail -n 1 | tr ' ' '\n' | sed -n 's/^u4=//p')" 0.1
matches "and it is said" "$(strings -a "$EXP"/proc-* | grep warning)" "phase between collectives"

SIS_RECORDS=4096
export SIS_RECORDS
run 2 1 ./phases 2000
equal "a full log does not stop the run" "$(cat run.out)" done
equal "nor the tree" \
	"$(./records "$EXP" | awk '$1 == "call" && $3 == "MPI_Finalize" { n += $4 }
		END { print n }')" \
	2
echo "1..$number"
