# SPDX-License-Identifier: BSD-3-Clause
# random_nested.awk - phases in which members of a team fork inner teams, and in which ranks wait
# for such a team (random.awk).
#
# One thread of each inner team comes last, long after the others. So does one member of the outer
# team, which forks an inner team or works alone.
#
#     thread 0   |== before ==|...........................      . waits
#     thread 1   |............................|...........      for thread 3, then for thread 2
#     thread 3   |=========== deep ===========|                 in the team that thread 1 forks
#     thread 2   |================ before ================|
#
# The slot of an inner thread is the first free one after those of the outer team. If two members
# fork, one does so 0.06 s after the other, and before the team of the other ends. So it is known
# which slots each inner team gets.

# Chooses what the members of the inner team do that thread t forks: deep[t, i] seconds of work.
# last_deep[t] comes last. Returns its time.
function choose_inner(t,   i, most) {
	for (i = 0; i < inner_size; i++) {
		deep[t, i] = i || random(2) ? between(0.06, 0.12) : 0
		most = deep[t, i] > most ? deep[t, i] : most
	}
	last_deep[t] = 1 + random(inner_size - 1)
	return deep[t, last_deep[t]] = most + between(0.06, 0.2)
}
# Thread t forks after d[t] seconds. Its inner threads are in the slots from inner_slot[t] on.
function forks_after(t, s, slot) {
	d[t] = s
	inner_slot[t] = slot
	ends[t] = s + choose_inner(t)
}
# Chooses what the members of the outer team do. Returns the one that comes last.
function choose_outer(   t, first, last) {
	for (t = 0; t < threads; t++) {
		inner_slot[t] = 0
		ends[t] = d[t] = between(0.04, 0.3)
	}
	first = random(threads)
	forks_after(first, 0, threads)
	if (forkers == 2)
		forks_after((first + 1 + random(threads - 1)) % threads, 0.06,
			    threads + inner_size - 1)
	for (t = 0; t < threads; t++)
		last = ends[t] > ends[last] ? t : last + 0
	ends[last] += 0.06
	if (inner_slot[last])
		deep[last, last_deep[last]] += 0.06
	else
		d[last] += 0.06
	return last
}

function nested_code(k,   t, i, before, inside) {
	for (t = 0; t < threads; t++) {
		before = before (t ? ", " : "") d[t]
		inside = inside (t ? ", {" : "{")
		for (i = 0; i < inner_size; i++)
			inside = inside (i ? ", " : "") (inner_slot[t] ? deep[t, i] : 0)
		inside = inside "}"
	}
	functions = functions "static void before" k "(int t)\n{\n" \
		"\tstatic const double d[] = { " before " };\n\twork(d[t]);\n}\n\n" \
		"static const double inside" k "[][" inner_size "] = {" inside "};\n\n" \
		"static void deep" k "(int t)\n{\n" \
		"\twork(inside" k "[t][omp_get_thread_num()]);\n}\n\n" \
		"static void nested" k "(void)\n{\n#pragma omp parallel\n\t{\n" \
		"\t\tint t = omp_get_thread_num();\n\t\tbefore" k "(t);\n" \
		"\t\tif (inside" k "[t][1] > 0) {\n" \
		"#pragma omp parallel num_threads(" inner_size ")\n\t\t\tdeep" k "(t);\n" \
		"\t\t}\n\t}\n}\n\n"
	code("nested" k "();")
}
# The truth of the inner team that thread t of a rank forked.
function inner_truth(k, r, t,   i, slot, whole, wait) {
	whole = deep[t, last_deep[t]]
	for (i = 0; i < inner_size; i++) {
		slot = i ? inner_slot[t] + i - 1 : t
		wait = whole - deep[t, i]
		add(r, slot, "USEFUL", deep[t, i])
		add(r, slot, "OSYNC_IBAR", wait)
		blame(r, inner_slot[t] + last_deep[t] - 1, "OSYNC_IBAR", wait, "deep" k)
		if (i) # it was not idle as long as the phase lasted
			add(r, slot, "OLOSS", -whole)
	}
}
# A wait for the last member of the outer team. If all that it did was to wait for its inner team,
# that costs the inner team's last member indirectly.
function outer_wait(k, r, last, s) {
	blame(r, last, "OSYNC_IBAR", s, (inner_slot[last] ? "nested" : "before") k)
	if (inner_slot[last] && !d[last] && !deep[last, 0])
		blame_indirect(r, inner_slot[last] + last_deep[last] - 1, "OSYNC_IBAR", s, "deep" k)
}
function nested(k,   r, t, last) {
	last = choose_outer()
	nested_code(k)
	meet(0)
	for (r = 0; r < ranks; r++)
		for (t = 0; t < threads; t++) {
			add(r, t, "USEFUL", d[t])
			add(r, t, "OSYNC_IBAR", ends[last] - ends[t])
			outer_wait(k, r, last, ends[last] - ends[t])
			if (inner_slot[t])
				inner_truth(k, r, t)
		}
	team_lasts(ends[last])
}

# On each rank, all threads wait for one: for thread 1, or for a thread of the inner team that
# thread 1 forks. This one works longest on one rank. The other ranks wait for thread 0 of that
# rank, and so for the one that works.
function late_team(k,   r, start, last, leaf, forks) {
	forks = inner && random(2)
	start = between(0.04, 0.1)
	last = random(ranks)
	for (r = 0; r < ranks; r++)
		d[r] = r == last ? between(0.34, 0.44) : between(0.14, 0.2)
	late_team_code(k, start, forks)
	leaf = meet(random(2))
	for (r = 0; r < ranks; r++) {
		slow_truth(k, r, start, forks)
		waits(r, leaf, d[last] - d[r], last, "late" k)
		blame_indirect(last, forks ? threads : 1, "OSYNC_IBAR",
			       (d[last] - d[r]) * (threads + inner), "slow" k)
	}
	lasts(d[last])
}
# One thread of the rank works d[r] seconds, and the others `start`.
function slow_truth(k, r, start, forks,   t, slow, wait) {
	slow = forks ? threads : 1
	wait = d[r] - start
	for (t = threads; t < threads + inner; t++)
		add(r, t, "OLOSS", t == slow ? 0 : d[r])
	for (t = 0; t < threads; t++)
		if (t != 1) {
			add(r, t, "USEFUL", start)
			add(r, t, "OSYNC_IBAR", wait)
		}
	add(r, slow, "USEFUL", d[r])
	blame(r, 1, "OSYNC_IBAR", wait * (threads - 1), (forks ? "late" : "slow") k)
	if (forks) {
		blame_indirect(r, slow, "OSYNC_IBAR", wait * (threads - 1), "slow" k)
		add(r, 1, "OSYNC_IBAR", d[r])
		blame(r, slow, "OSYNC_IBAR", d[r], "slow" k)
	}
}
function late_team_code(k, start, forks,   r, list) {
	for (r = 0; r < ranks; r++)
		list = list (r ? ", " : "") d[r]
	functions = functions "static void slow" k "(int rank)\n{\n" \
		"\tstatic const double d[] = { " list " };\n\twork(d[rank]);\n}\n\n" \
		"static void late" k "(int rank)\n{\n#pragma omp parallel\n" \
		"\tif (omp_get_thread_num() != 1) {\n\t\twork(" start ");\n\t} else {\n" \
		(forks ? "#pragma omp parallel num_threads(2)\n" \
		"\t\tif (omp_get_thread_num() == 1)\n\t" : "") \
		"\t\tslow" k "(rank);\n\t}\n}\n\n"
	code("late" k "(rank);")
}
