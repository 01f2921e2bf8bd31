# SPDX-License-Identifier: BSD-3-Clause
# random_threads.awk - phases in which threads of one rank wait for each other (random.awk).

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
	team_lasts(most)
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
	team_lasts(ended[threads - 1])
}
# Each rank creates a thread that lives as long as the phase. The initial thread waits for it: first
# for the mutex that it holds, or for the condition that it signals late, and then for its end.
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
