# SPDX-License-Identifier: BSD-3-Clause
# Experiments of older profile versions: they say what they said to the sis-analyze of their time.
#   1   whole records, the origin of nodes in them; two ranks, and one alone
#   2   records of 16 bytes; a file a rank, and one for all ranks
#   3   records of 4 and 8 bytes, no folded recursion; a file a rank, and one for all ranks
#   4   nodes without a rung; likewise
# Rings of two ranks, each with a team of two; that of version 3 has a recursion 41 deep.
. "$(dirname "$0")/../lib.sh"

for version in 1 2 3 4; do
	gzip -dc "$TOP/tests/data/experiment_$version.tar.gz" |
		tar -xf - || give_up "the experiments of version $version are there"
done

# Of each region: calls, nanoseconds in it, bytes sent.
regions() {
	query 'group_by(.region)[] |
		"\(.[0].region) \(map(.calls) | add) \(map(.wtime_incl * 1e9 | round) | add) \(
		map(.metrics.BYTES_S // 0) | add)"' regions "$1" |
		grep -E '^(omp|critical|down|work|fork|MPI_(Waitall|Sendrecv|Isend|Allreduce)) '
}
nodes() { query '[.[] | select(.region == "down")] | length' regions "$1"; }

# said TITLE EXPERIMENT MESSAGES REGIONS [FIELDS]: what the experiment says of its messages, in all
# columns or in these, and of its regions
said() {
	equal "$1: messages" \
		"$(analyze messages --csv "$2" | sed 1d | cut -d, -f "${5:-1-}")" \
		"$3"
	equal "$1: regions" "$(regions "$2")" "$4"
}

said "version 1, two ranks" two \
	"0,1,100,800
1,0,100,800" \
	"MPI_Allreduce 100 35323139 800
MPI_Isend 100 45588 800
MPI_Sendrecv 100 38333374 800
MPI_Waitall 100 59466442 0
critical wait 200 12688 0
fork 400 6371252 0
omp critical@25 200 207718 0
omp parallel for@13 200 10674392 0
omp parallel@23 200 2471553 0
work 1000 2187904 0" 1-4
equal "version 1, two ranks: no complaints" \
	"$(query '.[].text' sql "SELECT text FROM warning WHERE kind <> 'lack'" |
		grep -v processors)" \
	""
said "version 1, one rank, to itself" alone "0,0,100,800" \
	"MPI_Allreduce 50 10155 400
MPI_Isend 50 5678 400
MPI_Sendrecv 50 9384 400
MPI_Waitall 50 9544 0
critical wait 100 1681 0
fork 200 2123448 0
omp critical@25 100 63474 0
omp parallel for@13 100 2905679 0
omp parallel@23 100 1082976 0
work 500 982568 0" 1-4
EXP=two
identity "version 1: what each unit lost"
said "version 2, a file a rank" files \
	"0,1,100,800,0.000152912,0.034296947,false,message
1,0,100,800,0.000450258,0.000163733,false,message" \
	"MPI_Allreduce 100 310501 800
MPI_Isend 100 106508 800
MPI_Sendrecv 100 496656 800
MPI_Waitall 100 33964013 0
fork 200 30600184 0
omp for@14 200 85929827 0
omp parallel@13 200 118090245 0
work 850 91418437 0"
said "version 2, one file for all" one \
	"0,1,100,800,0.093085256,0.214841589,false,message
1,0,100,800,0.079909648,0.181676563,false,message" \
	"MPI_Allreduce 100 144444101 800
MPI_Isend 100 281758 800
MPI_Sendrecv 100 172713139 800
MPI_Waitall 100 223805015 0
fork 200 529230485 0
omp for@14 200 828781603 0
omp parallel@13 200 1996800605 0
work 850 114185354 0"
said "version 3, a file a rank" apart \
	"0,1,100,800,0.494441756,0.488050192,false,message
1,0,100,800,0.488050192,0.494441756,false,message" \
	"MPI_Sendrecv 200 982491939 1600
down 41 1585899 0
fork 400 13943488 0
omp parallel for@13 400 17348794 0
work 841 266760 0"
equal "version 3, a file a rank: a node for each depth" "$(nodes apart)" 41
said "version 3, one file for all" together \
	"0,1,100,800,0.117379719,0.139307826,false,message
1,0,100,800,0.139307826,0.117379719,false,message" \
	"MPI_Sendrecv 200 256687548 1600
down 41 981194 0
fork 400 25446786 0
omp parallel for@13 400 64820747 0
work 841 245236 0"
equal "version 3, one file for all: a node for each depth" "$(nodes together)" 41
for what in "a file a rank" "one file for all"; do
	[ "$what" = "a file a rank" ] && EXP=apart4 || EXP=together4
	equal "version 4, $what: calls" \
		"$(query '[group_by(.region)[] | select(.[0].region == ("down", "work", "MPI_Sendrecv")) |
			"\(.[0].region) \(map(.calls) | add)"] | join(", ")' regions "$EXP")" \
		"MPI_Sendrecv 100, down 4100, work 4200"
	equal "version 4, $what: no estimates" \
		"$(query '[.[].error] | add' regions "$EXP")" \
		0
	identity "version 4, $what"
done
