# SPDX-License-Identifier: BSD-3-Clause
# random.awk - a program whose overheads are known since it was made for them:
#
#     awk -v seed=N -f random.awk -f random_mpi.awk -f random_threads.awk >program.c
#
# It is a list of phases, each with one kind of work (asleep) and ended by an operation that all
# meet at, so that what each unit loses in a phase follows from its kind alone; the truths stand in
# comments, as in the other programs of this folder. The other files have the kinds of phases.

# 0 .. n-1
function random(n) { state = (state * 16807) % 2147483647; return int(state / 2147483647 * n) }
function between(low, high) { return low + random((high - low) / 0.02 + 1) * 0.02 }
function add(rank, thread, leaf, s) { if (s > 0.001) truth[rank, thread, leaf] += s }

# Others waited `s` seconds for the thread in the region; both may be "*".
function blame(rank, thread, leaf, s, region) {
	if (s > 0.001) culprit[rank " " thread " " leaf, region] += s
}
# The initial thread of a rank worked in the region outside of teams; workers had nothing to do.
function works(rank, s, region,   t) {
	add(rank, 0, "USEFUL", s)
	for (t = 1; t < threads; t++)
		add(rank, t, "OLOSS_UNPAR", s)
	blame(rank, 0, "OLOSS_UNPAR", s * (threads - 1), region)
}
# It waited outside of teams for rank `late`, which was in the region; workers waited with it.
function waits(rank, leaf, s, late, region,   t) {
	for (t = 0; t < threads; t++)
		add(rank, t, leaf, s)
	blame(late, 0, leaf, s * threads, region)
}
function code(text) { body = body "\t" text "\n" }
function lasts(s) { length_s += s }
function alone(k, s) { functions = functions "static void own" k "(void) { work(" s "); }\n\n" }
function blame_all(thread, leaf, s, region,   r) { # on every rank
	for (r = 0; r < ranks; r++)
		blame(r, thread, leaf, s, region)
}
BEGIN {
	state = seed % 2147483646 + 1
	for (i = 0; i < 20; i++)
		random(2) # neighbouring seeds begin alike
	# More ranks than processors take some 10 ms for each meeting, which is no part of the
	# truth: many have few phases.
	ranks = 2 + (random(2) ? random(3) : 0)
	threads = random(2) ? 1 : 2 + random(2)
	pthreads = ranks == 2 && threads == 1 && random(2)
	phases = ranks > 3 ? 2 : 7 - ranks - random(2)
	for (k = 1; k <= phases && length_s < 1.2; k++) {
		kind = threads > 1 && k == 1 ? 7 + random(3) : random(threads > 1 ? 11 : 7)
		if (pthreads) pthread(k)
		else if (kind == 0) balanced(k)
		else if (kind == 1) unbalanced(k)
		else if (kind == 2) serial_phase(k)
		else if (kind == 3 && ranks > 2) some(k)
		else if (kind == 3 || kind == 4) message(k)
		else if (kind == 5) early_root(k)
		else if (kind == 6) received(k)
		else if (kind == 8) locked(k)
		else if (kind == 9 && threads == 2) task(k)
		else if (kind == 10) hybrid(k)
		else team(k)
	}
	print "/* Made from seed " seed ": " k - 1 " phases. */"
	if (threads > 1)
		print "/* build: -fopenmp */"
	if (pthreads)
		print "/* build: -pthread --sis-cr=CR_P,CR_F,CR_MPI,CR_PTCREATE,CR_PTJOIN," \
			"CR_PTMUTEX,CR_PTCOND */"
	print "/* run: " ranks " " threads " */"
	for (r = 0; r < ranks; r++)
		for (t = 0; t < threads + pthreads; t++)
			for (key in truth) {
				split(key, part, SUBSEP)
				if (part[1] == r && part[2] == t)
					printf "/* truth: %d %d %s %.3f */\n", r, t, part[3],
						truth[key]
			}
	# what the unit has to do with the start of MPI, before its first thread
	for (r = 0; pthreads && r < ranks; r++)
		printf "/* truth: %d 1 OLOSS_UNPAR - */\n", r
	for (key in culprit) {
		split(key, part, SUBSEP)
		printf "/* culprit: %s %.3f %s */\n", part[1], culprit[key], part[2]
	}
	print "#include <mpi.h>"
	if (threads > 1)
		print "#include <omp.h>"
	if (pthreads)
		print "#include <pthread.h>"
	print "#include \"known.h\"\n"
	printf "%s", functions
	print "int main(int argc, char **argv)\n{\n\tint rank, size, one = 1, sum = 0, level;"
	print "\tMPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);"
	print "\tMPI_Comm_rank(MPI_COMM_WORLD, &rank);\n\tMPI_Comm_size(MPI_COMM_WORLD, &size);\n" \
		"\tMPI_Barrier(MPI_COMM_WORLD);"
	printf "%s", body
	print "\tMPI_Finalize();\n\treturn sum + size + one + level + rank < 0;\n}"
}
