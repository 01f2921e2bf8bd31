# SPDX-License-Identifier: BSD-3-Clause
# random.awk - a program whose overheads are known since it was made for them:
#
#     awk -v seed=N -f random.awk >program.c
#
# It is a list of phases, each with one kind of work (asleep) and ended by an operation that all
# meet at, so that what each unit loses in a phase follows from its kind alone; the truths stand in
# comments, as in ../known.

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
function table_of(k,   r, list) { # rank r works d[r]
	for (r = 0; r < ranks; r++)
		list = list (r ? ", " : "") d[r]
	functions = functions "static void phase" k "(int rank)\n{\n" \
		"\tstatic const double d[] = { " list " };\n\twork(d[rank]);\n}\n\n"
}
function alone(k, s) { functions = functions "static void own" k "(void) { work(" s "); }\n\n" }
function longest(   r, last) { # the rank that comes last
	for (r = 0; r < ranks; r++)
		last = d[r] > d[last] ? r : last
	return last + 0
}
function meet(which) { # 0, 1: all wait for all
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
	code("if (rank == " sole ")\n\t\town" k "();")
	if (random(3) == 0)
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
function team(k,   r, t, list, most) {
	for (t = 0; t < threads; t++) {
		d[t] = between(0.06, 0.3)
		most = d[t] > most ? d[t] : most
		list = list (t ? ", " : "") d[t]
	}
	functions = functions "static void team" k "(void)\n{\n" \
		"\tstatic const double d[] = { " list " };\n#pragma omp parallel\n" \
		"\twork(d[omp_get_thread_num()]);\n}\n\n"
	code("team" k "();")
	meet(0)
	for (r = 0; r < ranks; r++)
		for (t = 0; t < threads; t++) {
			add(r, t, "USEFUL", d[t])
			add(r, t, "OSYNC_IBAR", most - d[t])
			blame(r, "*", "OSYNC_IBAR", most - d[t], "team" k)
		}
	lasts(most)
}

function blame_all(thread, leaf, s, region,   r) { # on every rank
	for (r = 0; r < ranks; r++)
		blame(r, thread, leaf, s, region)
}
# One thread after the other has the lock; each comes while the one before has it, so that no
# other thread waits.
function locked(k,   r, t, list, hold, leaf, critical, start, end, before, before_end) {
	critical = random(2)
	leaf = critical ? "OSYNC_CRIT" : "OSYNC_LOCK"
	for (t = 0; t < threads; t++) {
		came[t] = t ? before + between(0.04, before_end - before - 0.04) \
			: between(0.04, 0.1)
		held[t] = between(0.1, 0.2)
		start = t ? before_end : came[t]
		end = start + held[t]
		before = start
		before_end = end
		list = list (t ? ", " : "") came[t]
		hold = hold (t ? ", " : "") held[t]
		waited[t] = start - came[t]
		ended[t] = end
	}
	functions = functions "static void held" k "(int t)\n{\n" \
		"\tstatic const double d[] = { " hold " };\n\twork(d[t]);\n}\n\n" \
		(critical ? "" : "static omp_lock_t lock" k ";\n") \
		"static void locked" k "(void)\n{\n" \
		"\tstatic const double d[] = { " list " };\n" \
		(critical ? "" : "\tomp_init_lock(&lock" k ");\n") \
		"#pragma omp parallel\n\t{\n\t\tint t = omp_get_thread_num();\n\t\twork(d[t]);\n" \
		(critical ? "#pragma omp critical\n\t\theld" k "(t);\n" : \
		"\t\tomp_set_lock(&lock" k ");\n\t\theld" k "(t);\n" \
		"\t\tomp_unset_lock(&lock" k ");\n") "\t}\n}\n\n"
	code("locked" k "();")
	meet(0)
	for (t = 0; t < threads; t++) {
		for (r = 0; r < ranks; r++) {
			add(r, t, "USEFUL", came[t] + held[t])
			add(r, t, leaf, waited[t])
			add(r, t, "OSYNC_IBAR", ended[threads - 1] - ended[t])
			blame(r, "*", "OSYNC_IBAR", ended[threads - 1] - ended[t], "locked" k)
		}
		if (t)
			blame_all(t - 1, leaf, waited[t], "held" k)
	}
	lasts(ended[threads - 1])
}
# The one that waits for a task has nothing to execute itself. Of more than two threads any would
# take it.
function task(k,   r, long, s) {
	long = between(0.2, 0.4)
	s = between(0.04, long - 0.1)
	functions = functions "static void task" k "(void) { work(" long "); }\n\n" \
		"static void tasks" k "(void)\n{\n" \
		"#pragma omp parallel\n\tif (omp_get_thread_num() == 0) {\n#pragma omp task\n" \
		"\t\ttask" k "();\n\t\twork(" s ");\n" \
		"#pragma omp taskwait\n\t}\n}\n\n"
	code("tasks" k "();")
	meet(0)
	for (r = 0; r < ranks; r++) {
		add(r, 0, "USEFUL", s)
		add(r, 0, "OSYNC_TASKWAIT", long - s)
		add(r, 1, "USEFUL", long)
	}
	blame_all(1, "OSYNC_TASKWAIT", long - s, "task" k)
	lasts(long)
}
# A thread of its own for as long as the phase lasts: it has the mutex, or comes to the condition
# late, and ends late.
function pthread(k,   r, s, long, rest, cond, leaf) {
	cond = random(2)
	leaf = cond ? "OSYNC_PTCOND" : "OSYNC_PTMUTEX"
	long = between(0.2, 0.4)
	s = between(0.06, long - 0.1)
	rest = between(0.1, 0.3)
	functions = functions "static pthread_mutex_t mutex" k " = PTHREAD_MUTEX_INITIALIZER;\n" \
		"static pthread_cond_t cond" k " = PTHREAD_COND_INITIALIZER;\n" \
		"static int ready" k ";\n" \
		"static void first" k "(void) { work(" long "); }\n" \
		"static void rest" k "(void) { work(" rest "); }\n\n" \
		"static void *other" k "(void *x)\n{\n" \
		(cond ? "\tfirst" k "();\n" : "") "\tpthread_mutex_lock(&mutex" k ");\n" \
		(cond ? "\tready" k " = 1;\n" \
		"\tpthread_cond_signal(&cond" k ");\n" : "\tfirst" k "();\n") \
		"\tpthread_mutex_unlock(&mutex" k ");\n\trest" k "();\n\treturn x;\n}\n\n" \
		"static void threads" k "(void)\n{\n\tpthread_t thread;\n" \
		"\tpthread_create(&thread, NULL, other" k ", NULL);\n" \
		"\twork(" s ");\n\tpthread_mutex_lock(&mutex" k ");\n" \
		(cond ? "\twhile (!ready" k ")\n" \
		"\t\tpthread_cond_wait(&cond" k ", &mutex" k ");\n" : "\tready" k "++;\n") \
		"\tpthread_mutex_unlock(&mutex" k ");\n\tpthread_join(thread, NULL);\n}\n\n"
	code("threads" k "();")
	meet(0)
	for (r = 0; r < ranks; r++) {
		add(r, 0, "USEFUL", s)
		add(r, 0, leaf, long - s)
		add(r, 0, "OSYNC_PTJOIN", rest)
		add(r, 1, "USEFUL", long + rest)
	}
	blame_all(1, leaf, long - s, "first" k)
	blame_all(1, "OSYNC_PTJOIN", rest, "rest" k)
	lasts(long + rest)
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
