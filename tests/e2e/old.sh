# Experiments of profile version 2 (whole records and those of 16 bytes, nodes that have their origin in them), a file a rank
# and one for all ranks: they say what they said to the sis-analyze of their time. A ring of two ranks, each with a team of two.
. "$(dirname "$0")/lib.sh"

gzip -dc "$TOP/tests/data/experiment_2.tar.gz" | tar -xf - || give_up "the old experiments are there"

# Of each region: calls, nanoseconds in it, bytes sent.
regions() {
	query 'group_by(.region)[] | "\(.[0].region) \(map(.calls) | add) \(map(.wtime_incl * 1e9 | round) | add) \(
		map(.metrics.BYTES_S // 0) | add)"' regions "$1" | grep -E '^(omp|work|fork|MPI_(Waitall|Sendrecv|Isend|Allreduce)) '
}

equal "a file a rank: messages" "$(analyze messages --csv files | sed 1d)" \
	"0,1,100,800,0.000152912,0.034296947,false,message
1,0,100,800,0.000450258,0.000163733,false,message"
equal "a file a rank: regions" "$(regions files)" \
	"MPI_Allreduce 100 310501 800
MPI_Isend 100 106508 800
MPI_Sendrecv 100 496656 800
MPI_Waitall 100 33964013 0
fork 200 30600184 0
omp for@14 200 85929827 0
omp parallel@13 200 118090245 0
work 850 91418437 0"
equal "one file for all: messages" "$(analyze messages --csv one | sed 1d)" \
	"0,1,100,800,0.093085256,0.214841589,false,message
1,0,100,800,0.079909648,0.181676563,false,message"
equal "one file for all: regions" "$(regions one)" \
	"MPI_Allreduce 100 144444101 800
MPI_Isend 100 281758 800
MPI_Sendrecv 100 172713139 800
MPI_Waitall 100 223805015 0
fork 200 529230485 0
omp for@14 200 828781603 0
omp parallel@13 200 1996800605 0
work 850 114185354 0"
