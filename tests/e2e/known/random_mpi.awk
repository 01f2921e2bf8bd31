# SPDX-License-Identifier: BSD-3-Clause
# random_mpi.awk - phases in which ranks wait for each other (random.awk).

function table_of(k,   r, list) { # rank r works d[r]
	for (r = 0; r < ranks; r++)
		list = list (r ? ", " : "") d[r]
	functions = functions "static void phase" k "(int rank)\n{\n" \
		"\tstatic const double d[] = { " list " };\n\twork(d[rank]);\n}\n\n"
}
function longest(   r, last) { # the rank that comes last
	for (r = 0; r < ranks; r++)
		last = d[r] > d[last] ? r : last
	return last + 0
}
function meet(which) { # 0, 1: all wait for all
	if (ranks > 1)
		code(which ? "MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);" \
			: "MPI_Barrier(MPI_COMM_WORLD);")
	return which ? "OSYNC_NXN" : "OSYNC_MBAR"
}

function balanced(k,   r, s) {
	s = between(0.06, 0.2)
	for (r = 0; r < ranks; r++) { d[r] = s; works(r, s, "phase" k) }
	table_of(k)
	code("phase" k "(rank);")
	meet(random(2))
	lasts(s)
}
function unbalanced(k,   r, leaf, last) {
	for (r = 0; r < ranks; r++) { d[r] = between(0.06, 0.3); works(r, d[r], "phase" k) }
	table_of(k)
	code("phase" k "(rank);")
	last = longest()
	if (random(3) == 0) {
		code("MPI_Bcast(&one, 1, MPI_INT, " last ", MPI_COMM_WORLD);")
		leaf = "OSYNC_LATEBCAST"
	} else
		leaf = meet(random(2))
	for (r = 0; r < ranks; r++)
		waits(r, leaf, d[last] - d[r], nearly_last(last) ? "*" : last, "phase" k)
	lasts(d[last])
}
# Whether another rank comes so late, too, that either may be the last.
function nearly_last(last,   r, near) {
	for (r = 0; r < ranks; r++)
		near += d[last] - d[r] < 0.03
	return near > 1
}
function serial_phase(k,   r, s, sole) {
	s = between(0.1, 0.3)
	sole = random(ranks)
	alone(k, s)
	code((ranks > 1 ? "if (rank == " sole ")\n\t\t" : "") "own" k "();")
	if (ranks > 1 && random(3) == 0)
		code("MPI_Bcast(&one, 1, MPI_INT, " sole ", MPI_COMM_WORLD);")
	else
		meet(random(2))
	works(sole, s, "own" k)
	for (r = 0; r < ranks; r++)
		if (r != sole) waits(r, "OLOSS_UNPAR", s, sole, "own" k)
	lasts(s)
}
function some(k,   r, s, workers) { # more than one, not all
	s = between(0.1, 0.3)
	workers = 2 + random(ranks - 2)
	alone(k, s)
	code("if (rank < " workers ")\n\t\town" k "();")
	meet(random(2))
	for (r = 0; r < ranks; r++)
		if (r < workers) works(r, s, "own" k)
		else waits(r, "OLOSS_PART", s, "*", "own" k)
	lasts(s)
}
# From even ranks to the next one; a rank without a partner works.
function message(k,   r, s, late_sender) {
	s = between(0.1, 0.3)
	late_sender = random(2)
	alone(k, s)
	code("if (rank % 2 == 0 && rank + 1 < size) {")
	if (late_sender)
		code("\town" k "();")
	code("\tMPI_" (late_sender ? "Send" : "Ssend") "(&one, 1, MPI_INT, rank + 1, " k \
		", MPI_COMM_WORLD);")
	code("} else if (rank % 2 == 1) {")
	if (!late_sender)
		code("\town" k "();")
	code("\tMPI_Recv(&sum, 1, MPI_INT, rank - 1, " k ", MPI_COMM_WORLD, MPI_STATUS_IGNORE);")
	code("} else {\n\t\town" k "();\n\t}")
	meet(0)
	for (r = 0; r < ranks; r++)
		if (r % 2 == (late_sender ? 0 : 1) || (r % 2 == 0 && r + 1 == ranks))
			works(r, s, "own" k)
		else if (late_sender)
			waits(r, "OSYNC_LATESEND", s, r - 1, "own" k)
		else
			waits(r, "OSYNC_LATERECV", s, r + 1, "own" k)
	lasts(s)
}
# The same with a late sender, received in other ways. The sender's first message is early; with
# way 2 it is received last, and so in the wrong order.
function received(k,   r, s, way, first, second, world) {
	s = between(0.1, 0.3)
	way = random(8)
	first = k * 2 + 100
	second = first + 1
	world = ", MPI_COMM_WORLD"
	alone(k, s)
	code("if (rank % 2 == 0 && rank + 1 < size) {")
	code("\tMPI_Send(&one, 1, MPI_INT, rank + 1, " first world ");")
	code("\town" k "();")
	code("\tMPI_Send(&one, 1, MPI_INT, rank + 1, " second world ");")
	code("} else if (rank % 2 == 1) {")
	if (way < 2) {
		code("\tMPI_Request q[2];\n\t\tint b[2], i;")
		code("\tMPI_Irecv(&b[0], 1, MPI_INT, rank - 1, " first world ", &q[0]);")
		code("\tMPI_Irecv(&b[1], 1, MPI_INT, rank - 1, " second world ", &q[1]);")
		code(way ? "\tMPI_Waitany(2, q, &i, MPI_STATUS_IGNORE);\n" \
			"\t\tMPI_Waitany(2, q, &i, MPI_STATUS_IGNORE);" : \
			"\tMPI_Status s[2];\n\t\ti = MPI_Waitall(2, q, s);")
		code("\tsum += i < 0;")
	} else {
		source = way == 3 ? "MPI_ANY_SOURCE" : "rank - 1"
		if (way != 2)
			code("\tMPI_Recv(&sum, 1, MPI_INT, rank - 1, " first world \
				", MPI_STATUS_IGNORE);")
		if (way == 4)
			code("\tMPI_Probe(MPI_ANY_SOURCE, " second world ", MPI_STATUS_IGNORE);")
		if (way == 7)
			code("\tfor (int found = 0; !found;)\n\t\t\tMPI_Iprobe(rank - 1, " second \
				world ", &found, MPI_STATUS_IGNORE);")
		if (way == 5) {
			code("\tMPI_Message found;")
			code("\tMPI_Mprobe(rank - 1, " second world \
				", &found, MPI_STATUS_IGNORE);")
			code("\tMPI_Mrecv(&sum, 1, MPI_INT, &found, MPI_STATUS_IGNORE);")
		} else if (way == 6) {
			code("\tMPI_Request q;\n\t\tint done = 0;")
			code("\tMPI_Irecv(&sum, 1, MPI_INT, rank - 1, " second world ", &q);")
			code("\twhile (!done)\n\t\t\tMPI_Test(&q, &done, MPI_STATUS_IGNORE);")
		} else
			code("\tMPI_Recv(&sum, 1, MPI_INT, " source ", " second world \
				", MPI_STATUS_IGNORE);")
		if (way == 2)
			code("\tMPI_Recv(&sum, 1, MPI_INT, rank - 1, " first world \
				", MPI_STATUS_IGNORE);")
	}
	code("} else {\n\t\town" k "();\n\t}")
	meet(0)
	for (r = 0; r < ranks; r++)
		if (r % 2 == 1) waits(r, "OSYNC_LATESEND", s, r - 1, "own" k)
		else works(r, s, "own" k)
	lasts(s)
}
# A team waits for its master, which waits in MPI for a rank that works.
function hybrid(k,   r, t, s) {
	s = between(0.1, 0.3)
	alone(k, s)
	code("if (rank % 2 == 0 && rank + 1 < size) {")
	code("\town" k "();")
	code("\tMPI_Send(&one, 1, MPI_INT, rank + 1, " k ", MPI_COMM_WORLD);")
	code("} else if (rank % 2 == 1) {\n#pragma omp parallel\n\t\t{\n#pragma omp master")
	code("\t\tMPI_Recv(&sum, 1, MPI_INT, rank - 1, " k ", MPI_COMM_WORLD, " \
		"MPI_STATUS_IGNORE);\n#pragma omp barrier\n\t\t}")
	code("} else {\n\t\town" k "();\n\t}")
	meet(0)
	for (r = 0; r < ranks; r++)
		if (r % 2 == 0)
			works(r, s, "own" k)
		else {
			add(r, 0, "OSYNC_LATESEND", s)
			for (t = 1; t < threads; t++)
				add(r, t, "OLOSS_UNPAR", s)
			blame(r - 1, 0, "OSYNC_LATESEND", s, "own" k)
			for (t = threads; t < threads + inner; t++)
				add(r, t, "OLOSS", s)
			blame(r, 0, "OLOSS_UNPAR", s * (threads - 1), "MPI_Recv")
		}
	lasts(s)
}
function early_root(k,   r, root, first, last) {
	root = random(ranks)
	first = between(0.06, 0.1)
	last = first + between(0.1, 0.2)
	for (r = 0; r < ranks; r++) {
		d[r] = r == root ? first : last
		works(r, d[r], "phase" k)
	}
	table_of(k)
	code("phase" k "(rank);")
	code("MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, " root ", MPI_COMM_WORLD);")
	meet(0)
	waits(root, "OSYNC_EARLYRED", last - first, "*", "phase" k)
	lasts(last)
}
