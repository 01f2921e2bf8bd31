# SPDX-License-Identifier: BSD-3-Clause
# random_tasks.awk - phases with explicit tasks (random.awk).

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
	team_lasts(long)
}

# Thread 0 of two creates tasks of different lengths and waits for them, at first by executing the
# one that it created last. Thread 1 comes later and executes the first task at the barrier. A task
# that is left is for the thread that ends its own first. So it is known which thread executes which
# task. (With more threads, libomp decides at random which of them get tasks.)
#
#     thread 0    create |=== task 2 ===|= task 1 =|...     . waits for the tasks
#     thread 1    = late =|======== task 0 ============|
#
# At the barrier of a single construct, thread 0 may begin with any task. There all three are equal,
# and thread 0 executes two of them because it ends the first one first.
function uneven(k,   way, master, explicit) {
	way = pick("taskgroup taskwait taskloop barrier")
	master = way != "taskloop" && way != "barrier" && random(2)
	explicit = master && random(2)
	if (way == "barrier")
		length_of[0] = length_of[1] = length_of[2] = between(0.14, 0.2)
	else
		choose_uneven(way)
	late = 0.04 # seconds until thread 1 comes
	uneven_code(k, way, master, explicit)
	meet(0)
	uneven_truth(k, way, explicit ? "OSYNC_EBAR" : "OSYNC_IBAR")
}
# length_of[0], [1]: the first tasks of the two threads; [2]: the task that is left; 0: none.
function choose_uneven(way,   longer) {
	longer = random(2)
	length_of[1 - longer] = between(0.08, 0.14)
	length_of[longer] = between(0.24, 0.34)
	length_of[2] = way != "taskloop" && random(2) ? between(0.04, 0.3) : 0
}
function uneven_code(k, way, master, explicit,   left, loop, tasks) {
	left = length_of[2] > 0
	loop = "\t\t\tfor (int i = 0; i < " 2 + left "; i++)\n"
	tasks = way == "taskloop" ? "#pragma omp taskloop grainsize(1)\n" loop \
		: loop "#pragma omp task firstprivate(i)\n"
	functions = functions "static void task" k "(int i)\n{\n\tstatic const double d[] = { " \
		length_of[1] ", " (left ? length_of[2] ", " : "") length_of[0] \
		" };\n\twork(d[i]);\n}\n\n" \
		"static void tasks" k "(void)\n{\n#pragma omp parallel\n\t{\n" \
		"\t\twork(omp_get_thread_num() * " late ");\n" \
		"#pragma omp " (master ? "master" : "single") "\n\t\t{\n" \
		(way == "taskgroup" ? "#pragma omp taskgroup\n" : "") \
		tasks "\t\t\t\ttask" k "(i);\n" \
		(way == "taskwait" ? "#pragma omp taskwait\n" : "") "\t\t}\n" \
		(explicit ? "#pragma omp barrier\n" : "") "\t}\n}\n\n"
	code("tasks" k "();")
}
function uneven_truth(k, way, barrier,   r, ends, most, wait) {
	ends[0] = length_of[0]
	ends[1] = late + length_of[1]
	ends[ends[0] > ends[1]] += length_of[2]
	most = ends[0] > ends[1] ? ends[0] : ends[1]
	wait = way == "barrier" ? barrier : \
		way == "taskwait" ? "OSYNC_TASKWAIT" : "OSYNC_TASKGROUP"
	for (r = 0; r < ranks; r++) {
		add(r, 0, "USEFUL", ends[0])
		add(r, 0, wait, most - ends[0])
		add(r, 1, "USEFUL", ends[1])
		add(r, 1, barrier, most - ends[1])
		blame(r, 1, wait, most - ends[0], "task" k)
		blame(r, 0, barrier, most - ends[1], "task" k)
	}
	team_lasts(most)
}
