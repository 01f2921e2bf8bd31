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
