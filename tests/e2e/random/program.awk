# program.awk - a program whose overheads are known since it was made for them:
#
#     awk -v seed=N -f program.awk >program.c
#
# It is a list of phases, each with one kind of work (asleep) and ended by an operation that all meet at, so that
# what each unit loses in a phase follows from its kind alone; the truths stand in comments, as in ../known.

function random(n) { state = (state * 16807) % 2147483647; return int(state / 2147483647 * n) } # 0 .. n-1
function between(low, high) { return low + random((high - low) / 0.02 + 1) * 0.02 }
function add(rank, thread, leaf, s) { if (s > 0.001) truth[rank, thread, leaf] += s }

# What the initial thread of a rank did or lost outside of teams, workers lost with it.
function serial(rank, leaf, s,   t) {
	add(rank, 0, leaf, s)
	for (t = 1; t < threads; t++)
		add(rank, t, leaf == "USEFUL" ? "OLOSS_UNPAR" : leaf, s)
}
function code(text) { body = body "\t" text "\n" }
function lasts(s) { length_s += s }
function table_of(k,   r, list) { # rank r works d[r]
	for (r = 0; r < ranks; r++)
		list = list (r ? ", " : "") d[r]
	functions = functions "static void phase" k "(int rank)\n{\n\tstatic const double d[] = { " list " };\n\twork(d[rank]);\n}\n\n"
}
function alone(k, s) { functions = functions "static void own" k "(void) { work(" s "); }\n\n" }
function longest(   r, most) {
	for (r = 0; r < ranks; r++)
		most = d[r] > most ? d[r] : most
	return most
}
function meet(which) { # 0, 1: all wait for all
	code(which ? "MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);" : "MPI_Barrier(MPI_COMM_WORLD);")
	return which ? "OSYNC_NXN" : "OSYNC_MBAR"
}

function balanced(k,   r, s) {
	s = between(0.06, 0.2)
	for (r = 0; r < ranks; r++) { d[r] = s; serial(r, "USEFUL", s) }
	table_of(k)
	code("phase" k "(rank);")
	meet(random(2))
	lasts(s)
}
function unbalanced(k,   r, leaf, root, most) {
	for (r = 0; r < ranks; r++) { d[r] = between(0.06, 0.3); serial(r, "USEFUL", d[r]) }
	table_of(k)
	code("phase" k "(rank);")
	most = longest()
	if (random(3) == 0) {
		for (root = 0; d[root] < most; root++) ;
		code("MPI_Bcast(&one, 1, MPI_INT, " root ", MPI_COMM_WORLD);")
		leaf = "OSYNC_LATEBCAST"
	} else
		leaf = meet(random(2))
	for (r = 0; r < ranks; r++)
		serial(r, leaf, most - d[r])
	lasts(most)
}
function serial_phase(k,   r, s, who) {
	s = between(0.1, 0.3)
	who = random(ranks)
	alone(k, s)
	code("if (rank == " who ")\n\t\town" k "();")
	if (random(3) == 0)
		code("MPI_Bcast(&one, 1, MPI_INT, " who ", MPI_COMM_WORLD);")
	else
		meet(random(2))
	for (r = 0; r < ranks; r++)
		serial(r, r == who ? "USEFUL" : "OLOSS_UNPAR", s)
	lasts(s)
}
function some(k,   r, s, workers) { # more than one, not all
	s = between(0.1, 0.3)
	workers = 2 + random(ranks - 2)
	alone(k, s)
	code("if (rank < " workers ")\n\t\town" k "();")
	meet(random(2))
	for (r = 0; r < ranks; r++)
		serial(r, r < workers ? "USEFUL" : "OLOSS_PART", s)
	lasts(s)
}
function message(k,   r, s, late_sender) { # from even ranks to the next; who has no partner works
	s = between(0.1, 0.3)
	late_sender = random(2)
	alone(k, s)
	code("if (rank % 2 == 0 && rank + 1 < size) {")
	if (late_sender)
		code("\town" k "();")
	code("\tMPI_" (late_sender ? "Send" : "Ssend") "(&one, 1, MPI_INT, rank + 1, " k ", MPI_COMM_WORLD);")
	code("} else if (rank % 2 == 1) {")
	if (!late_sender)
		code("\town" k "();")
	code("\tMPI_Recv(&sum, 1, MPI_INT, rank - 1, " k ", MPI_COMM_WORLD, MPI_STATUS_IGNORE);")
	code("} else {\n\t\town" k "();\n\t}")
	meet(0)
	for (r = 0; r < ranks; r++)
		if (r % 2 == 0 && r + 1 == ranks)
			serial(r, "USEFUL", s)
		else if (r % 2 == (late_sender ? 0 : 1))
			serial(r, "USEFUL", s)
		else
			serial(r, late_sender ? "OSYNC_LATESEND" : "OSYNC_LATERECV", s)
	lasts(s)
}
function early_root(k,   r, root, first, last) {
	root = random(ranks)
	first = between(0.06, 0.1)
	last = first + between(0.1, 0.2)
	for (r = 0; r < ranks; r++) { d[r] = r == root ? first : last; serial(r, "USEFUL", d[r]) }
	table_of(k)
	code("phase" k "(rank);")
	code("MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, " root ", MPI_COMM_WORLD);")
	meet(0)
	serial(root, "OSYNC_EARLYRED", last - first)
	lasts(last)
}
function team(k,   r, t, list, most) {
	for (t = 0; t < threads; t++) {
		d[t] = between(0.06, 0.3)
		most = d[t] > most ? d[t] : most
		list = list (t ? ", " : "") d[t]
	}
	functions = functions "static void team" k "(void)\n{\n\tstatic const double d[] = { " list " };\n#pragma omp parallel\n" \
		"\twork(d[omp_get_thread_num()]);\n}\n\n"
	code("team" k "();")
	meet(0)
	for (r = 0; r < ranks; r++)
		for (t = 0; t < threads; t++) {
			add(r, t, "USEFUL", d[t])
			add(r, t, "OSYNC_IBAR", most - d[t])
		}
	lasts(most)
}

BEGIN {
	state = seed % 2147483646 + 1
	for (i = 0; i < 20; i++)
		random(2) # neighbouring seeds begin alike
	# More ranks than processors take some 10 ms for each meeting, which is no part of the truth: many have few phases.
	ranks = 2 + (random(2) ? random(3) : 0)
	threads = random(2) ? 1 : 2 + random(2)
	phases = ranks > 3 ? 2 : 7 - ranks - random(2)
	for (k = 1; k <= phases && length_s < 1.2; k++) {
		kind = threads > 1 && k == 1 ? 6 : random(threads > 1 ? 7 : 6)
		if (kind == 0) balanced(k)
		else if (kind == 1) unbalanced(k)
		else if (kind == 2) serial_phase(k)
		else if (kind == 3 && ranks > 2) some(k)
		else if (kind == 3 || kind == 4) message(k)
		else if (kind == 5) early_root(k)
		else team(k)
	}
	print "/* Made from seed " seed ": " k - 1 " phases. */"
	if (threads > 1)
		print "/* build: -fopenmp */"
	print "/* run: " ranks " " threads " */"
	for (r = 0; r < ranks; r++)
		for (t = 0; t < threads; t++)
			for (key in truth) {
				split(key, part, SUBSEP)
				if (part[1] == r && part[2] == t)
					printf "/* truth: %d %d %s %.3f */\n", r, t, part[3], truth[key]
			}
	print "#include <mpi.h>"
	if (threads > 1)
		print "#include <omp.h>"
	print "#include \"known.h\"\n"
	printf "%s", functions
	print "int main(int argc, char **argv)\n{\n\tint rank, size, one = 1, sum = 0, level;"
	print "\tMPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);"
	print "\tMPI_Comm_rank(MPI_COMM_WORLD, &rank);\n\tMPI_Comm_size(MPI_COMM_WORLD, &size);\n\tMPI_Barrier(MPI_COMM_WORLD);"
	printf "%s", body
	print "\tMPI_Finalize();\n\treturn sum + size + one + level + rank < 0;\n}"
}
