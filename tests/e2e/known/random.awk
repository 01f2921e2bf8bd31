# SPDX-License-Identifier: BSD-3-Clause
# random.awk - a program whose overheads are known since it was made for them:
#
#     awk -v seed=N -f random.awk -f random_mpi.awk -f random_threads.awk -f random_tasks.awk \
#         -f random_nested.awk >program.c
#
# The program is a list of phases. Each phase has one kind of work (time asleep), and ends with an
# operation at which all units meet. So the kind of a phase alone decides what each unit loses in
# it. The truths are in comments, as in the other programs of this folder. The other awk files have
# the kinds of phases.

# 0 .. n-1
function random(n) { state = (state * 16807) % 2147483647; return int(state / 2147483647 * n) }
function between(low, high) { return low + random((high - low) / 0.02 + 1) * 0.02 }
function pick(list,   word, n) { n = split(list, word, " "); return word[1 + random(n)] }

# The leaf of an inner thread's idle time depends on how many others work at each moment. This is
# not checked, only the sum of these leaves.
function add(rank, thread, leaf, s) {
	if (thread >= threads + pthreads && leaf ~ /^OLOSS_/)
		leaf = "OLOSS"
	if (s > 0.001 || s < -0.001) truth[rank, thread, leaf] += s
}

# Others waited `s` seconds for the thread in the region; both may be "*".
function blame(rank, thread, leaf, s, region) {
	if (s > 0.001) culprit[rank " " thread " " leaf, region] += s
}
# The others waited for a thread that itself waited for this thread.
function blame_indirect(rank, thread, leaf, s, region) {
	if (s > 0.001) indirect[rank " " thread " " leaf, region] += s
}
# The initial thread of a rank worked in the region outside of teams; workers had nothing to do.
function works(rank, s, region,   t) {
	add(rank, 0, "USEFUL", s)
	for (t = 1; t < threads + inner; t++)
		add(rank, t, "OLOSS_UNPAR", s)
	blame(rank, 0, "OLOSS_UNPAR", s * (threads + inner - 1), region)
}
# It waited outside of teams for rank `late`, which was in the region; workers waited with it.
function waits(rank, leaf, s, late, region,   t) {
	for (t = 0; t < threads + inner; t++)
		add(rank, t, leaf, s)
	blame(late, 0, leaf, s * (threads + inner), region)
}
# A team of `threads` lasts `s` seconds. Inner threads have nothing to do.
function team_lasts(s,   r, t) {
	for (r = 0; r < ranks; r++)
		for (t = threads; t < threads + inner; t++)
			add(r, t, "OLOSS", s)
	lasts(s)
}
function code(text) { body = body "\t" text "\n" }
function lasts(s) { length_s += s }
function alone(k, s) { functions = functions "static void own" k "(void) { work(" s "); }\n\n" }
function blame_all(thread, leaf, s, region,   r) { # on every rank
	for (r = 0; r < ranks; r++)
		blame(r, thread, leaf, s, region)
}

function phase(kind, k) {
	if (kind == "balanced") balanced(k)
	else if (kind == "unbalanced") unbalanced(k)
	else if (kind == "serial") serial_phase(k)
	else if (kind == "some") some(k)
	else if (kind == "message") message(k)
	else if (kind == "received") received(k)
	else if (kind == "early_root") early_root(k)
	else if (kind == "hybrid") hybrid(k)
	else if (kind == "team") team(k)
	else if (kind == "locked") locked(k)
	else if (kind == "pthread") pthread(k)
	else if (kind == "nested") nested(k)
	else if (kind == "late_team") late_team(k)
	else if (kind == "task") task(k)
	else uneven(k)
}
# The kinds of phases that fit into the program.
function kinds_of_teams() {
	return "team locked" (threads == 2 ? " task uneven uneven" : "") (inner ? " nested" : "")
}
function kinds_of_ranks() {
	return "balanced unbalanced serial message received early_root " \
		(ranks > 2 ? "some" : "message")
}
function kind_of(k) {
	if (pthreads)
		return "pthread"
	if (k == 1 && threads > 1)
		return inner ? "nested" : pick(kinds_of_teams())
	if (ranks == 1)
		return pick(kinds_of_teams() " serial")
	return pick(kinds_of_ranks() (threads > 1 ? " hybrid late_team " kinds_of_teams() : ""))
}

function choose_size() {
	# Ranks on a busy machine take some 10 ms for each meeting, which is no part of the truth.
	# It counts for each thread. So many ranks, or ranks with threads, have few phases.
	ranks = 2 + (random(2) ? random(3) : 0)
	threads = random(3) ? 2 + (ranks < 3 && random(2)) : 1
	if (threads > 1 && random(4) == 0)
		ranks = 1 # without MPI
	pthreads = ranks == 2 && threads == 1 && random(2)
	# Members of a team fork inner teams, which need so many threads more. With MPI they are
	# few, for the same reason.
	inner_size = ranks > 1 || random(2) ? 2 : threads
	forkers = ranks > 1 && threads > 2 ? 1 : 1 + random(2)
	inner = threads > 1 && ranks < 3 && random(3) ? (inner_size - 1) * forkers : 0
	phases = ranks > 2 ? 6 - ranks : ranks == 2 && threads > 1 ? 4 : 6 - random(2)
}
function print_truths(   r, t, key, part) {
	for (r = 0; r < ranks; r++)
		for (t = 0; t < threads + inner + pthreads; t++)
			for (key in truth) {
				split(key, part, SUBSEP)
				if (part[1] == r && part[2] == t)
					printf "/* truth: %d %d %s %.3f */\n", r, t, part[3],
						truth[key]
			}
	for (r = 0; r < ranks; r++) {
		for (t = threads; t < threads + inner; t++)
			printf "/* truth: %d %d OLOSS_UNPAR - */\n" \
				"/* truth: %d %d OLOSS_PART - */\n", r, t, r, t
		# what the unit has to do with the start of MPI, before its first thread
		if (pthreads)
			printf "/* truth: %d 1 OLOSS_UNPAR - */\n", r
	}
	print_causes("culprit", culprit)
	print_causes("indirect", indirect)
}
function print_causes(word, cost,   key, part) {
	for (key in cost) {
		split(key, part, SUBSEP)
		printf "/* %s: %s %.3f %s */\n", word, part[1], cost[key], part[2]
	}
}
function print_main() {
	print "int main(int argc, char **argv)\n{"
	if (inner)
		print "\tomp_set_max_active_levels(2);"
	if (ranks > 1)
		print "\tint rank, size, one = 1, sum = 0, level;\n" \
			"\tMPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);\n" \
			"\tMPI_Comm_rank(MPI_COMM_WORLD, &rank);\n" \
			"\tMPI_Comm_size(MPI_COMM_WORLD, &size);\n\tMPI_Barrier(MPI_COMM_WORLD);"
	printf "%s", body
	if (ranks > 1)
		print "\tMPI_Finalize();"
	print "\treturn " (ranks > 1 ? "sum + size + one + level + rank" : "argc + !argv") \
		" < 0;\n}"
}
function print_program() {
	print "/* Made from seed " seed ": " k - 1 " phases. */"
	if (threads > 1)
		print "/* build: -fopenmp */"
	if (pthreads)
		print "/* build: -pthread --sis-cr=CR_P,CR_F,CR_MPI,CR_PTCREATE,CR_PTJOIN," \
			"CR_PTMUTEX,CR_PTCOND */"
	print "/* run: " ranks " " threads " */"
	print_truths()
	print (ranks > 1 ? "#include <mpi.h>\n" : "") (threads > 1 ? "#include <omp.h>\n" : "") \
		(pthreads ? "#include <pthread.h>\n" : "") "#include \"known.h\"\n"
	printf "%s", functions
	print_main()
}

BEGIN {
	state = seed % 2147483646 + 1
	for (i = 0; i < 20; i++)
		random(2) # neighbouring seeds begin alike
	choose_size()
	for (k = 1; k <= phases && length_s < 1.2; k++)
		phase(kind_of(k), k)
	print_program()
}
