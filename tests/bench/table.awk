# SPDX-License-Identifier: BSD-3-Clause
# table.awk - the benchmark's rows from its medians: `KEY VALUE` lines, then what was not available.
# With -v json=1 the same rows as JSON. A row's limit is of its last figure.

function have(key) { return key in m }

# row(TITLE, VALUE, UNIT, RATIO, AGAINST, WHICH, LIMIT, NOISE): WHICH figure the LIMIT is of,
# "value" or "ratio"; NOISE in percent, if it is known (settled.awk)
function row(title, value, unit, ratio, against, which, limit, noise,    figure, mark) {
	figure = which == "ratio" ? ratio : value
	mark = noise > 5 ? "not settled" : figure <= limit ? "met" : "over"
	if (json) {
		printf "%s\n    {\"title\": \"%s\", \"value\": %.4f, \"unit\": \"%s\"",
			separator, title, value, unit
		if (ratio != "") printf ", \"ratio\": %.4f, \"against\": \"%s\"", ratio, against
		if (limit != "") printf ", \"limit\": %s, \"limit_of\": \"%s\", \"met\": %s",
			limit, which, mark == "met" ? "true" : "false"
		if (noise != "") printf ", \"noise_percent\": %s", noise
		printf "}"
		separator = ","
		return
	}
	printf "%-46s %9.*f %-3s", title, (unit == "s" ? 3 : 1), value, unit
	if (ratio != "") printf " %8.2f x %-18s", ratio, against
	else printf " %-29s", ""
	if (limit != "") printf " %s (limit %s %s)", mark, limit, which == "ratio" ? "x" : unit
	if (noise > 1) printf " noise %.0f %%", noise
	printf "\n"
}

function pair_row(title, group, key, floor, limit) {
	if (have(group "." key))
		row(title, m[group "." key], "ns", m[group "." key] / m[group "." floor],
			"two clock reads", "ratio", limit)
}

# A peer that instruments calls: what it adds to a call.
function call_row(title, group, two,    added) {
	if (!have(group ".pair" two))
		return
	added = m[group ".pair" two] - m[group ".empty" two]
	row(title, added, "ns", added / m[group ".floor" two], "two clock reads", "", "")
}

# A pair with a trace, against the same pair with the profile alone.
function traced_row(title, group, key, limit) {
	row(title, m[group "." key], "ns", m[group "." key] / m["sis." key], "profile alone",
		"ratio", limit)
}

# What tracing adds to a pair, against the same pair with the profile alone.
function tracing_row(title, group, key, limit,    added) {
	added = m[group "." key] - m["sis." key]
	row(title, added, "ns", added / m["sis." key], "profile alone", "ratio", limit)
}

# What a pair adds to a recursion deeper than SIS_RECURSION, whose calls take some time alone.
function in_recursion(group, key) { return m[group "." key] - m[group ".folded_bare"] }

function folded_row(title, key, limit,    ns) {
	ns = in_recursion("folded", key)
	row(title, ns, "ns", ns / m["folded.pair"], "the pair", "ratio", limit)
}

function counted_folded_row(title, limit,    ns) {
	if (!have("counted_folded.folded"))
		return
	ns = in_recursion("counted_folded", "folded")
	row(title, ns, "ns", ns / in_recursion("folded", "folded"), "the pair there", "ratio",
		limit)
}

# What a pair adds to the work inside it. The work hides a part of the pair, or all of it, and also
# a part of two clock reads. So the ratio compares the pair with two clock reads around the same
# work: it is 1, plus their difference divided by the time of two clock reads around nothing.
function body_row(title, limit,    more) {
	more = m["sis.body_pair"] - m["sis.body_floor"]
	row(title, m["sis.body_pair"] - m["sis.body"], "ns", 1 + more / m["sis.floor"],
		"two clock reads", "ratio", limit)
}

function mpi_added(title, group, key, limit) {
	row(title, m[group "." key "_added"], "ns", m[group "." key "_ratio"], "its PMPI twin",
		"value", limit)
}

# The limit of a measured call: two clock reads and 28.4 ns. That is 45 ns where a clock read takes
# 8.3 ns.
function timed_limit() { return sprintf("%.1f", 28.4 + m["sis.floor"]) + 0 }

function mpi_asks(title, key, limit) {
	mpi_added(title, "mpi_sis", key, timed_limit())
	mpi_added("  one in 16 timed (SIS_OVERHEAD=5%)", "mpi_budget", key, limit)
}

# Calls that are not measured: switched off, paused while requests are known, and by SIS_FILTER.
function mpi_off(title, key, excluded) {
	mpi_added(title, "mpi_off", key, 3)
	mpi_added("  while paused", "mpi_paused", key, 3)
	mpi_added("  excluded", "mpi_excluded", key, excluded)
}

function mpi_ratio(title, key, limit) {
	row(title, m["mpi_sis." key], "ns", m["mpi_sis." key "_ratio"], "its PMPI twin", "ratio",
		limit)
}

# What the runtime adds to an operation of OpenMP or of pthreads: while it measures, switched off,
# and paused. What it adds is less than a processor's differences from run to run, so it may seem to
# be negative.
function omp_row(title, key, limit, limit_off,    plain) {
	plain = m["omp_plain." key]
	row(title, m["omp_sis." key] - plain, "ns", "", "", "value", limit)
	row("  switched off", m["omp_off." key] - plain, "ns", "", "", "value", limit_off)
	row("  paused", m["omp_paused." key] - plain, "ns", "", "", "value", limit_off)
}

# What the wrappers of --sis-blame add to a malloc and its free.
function allocation_row(title, group, key, limit) {
	row(title, m["allocations_" group "." key] - m["allocations_plain." key], "ns", "", "",
		"value", limit)
}

# The same operation with SIS_TIMING, against full timing.
function omp_sampled_row(title, group, key, limit,    ns) {
	ns = m[group "_sampled." key]
	row(title, ns, "ns", ns / m[group "." key], "full timing", "ratio", limit)
}

function disabled_row(title, group, limit,    ns) {
	if (!have(group ".pair"))
		return
	ns = (m[group ".pair"] - m[group ".empty"]) / 2
	row(title, ns, "ns", ns / m[group ".tsc"], "one clock read", "value", limit)
}

function compile_row(title, name, limit,    group) {
	group = "compile_" name
	if (have(group ".sisc"))
		row(title, m[group ".sisc"], "s", m[group ".sisc"] / m[group ".plain"],
			"plain compiler", "ratio", limit)
}

# What the static part of blame adds to it.
function blame_row(title, name,    group, added) {
	group = "compile_" name
	if (!have(group ".blame"))
		return
	added = m[group ".blame"] - m[group ".sisc"]
	row(title, added, "s", added / m[group ".plain"], "plain compiler", "ratio", 0.3)
}

function analyze_row(title, key, limit, limit_ten,    million, ten) {
	million = m["analyze." key] / m["analyze.summaries"] * 1e6
	ten = m["analyze_ten." key] / m["analyze_ten.summaries"] * 1e6
	row(title, million, "s", "", "", "value", limit)
	row("  ten million, for each", ten, "s", ten / million, "one million",
		limit_ten ? "ratio" : "", limit_ten)
}

# The largest process of each.
function memory_row(title, name,    group) {
	group = "compile_" name
	if (have(group ".sisc_kb"))
		row(title, m[group ".sisc_kb"] / 1024, "MB",
			m[group ".sisc_kb"] / m[group ".plain_kb"], "plain compiler", "ratio", 2.5)
}

function whole_row(title, name, limit) {
	if (!have("whole." name))
		return
	row(title, (m["whole." name] - 1) * 100, "%", "", "", "value", limit)
	row("  to the same program, switched off", (m["whole." name "_off"] - 1) * 100, "%", "",
		"", "", "")
}

function known_rows(kind, title, way,    n, off) {
	for (n = 0; n <= 1000000; n = n ? n * 10 : 1000) {
		off = m["known." kind "_" n way]
		row(sprintf("%s, %d children", title, n), off < 0 ? -off : off, "%", "", "",
			"value", 2)
		row("  with the cost of their probes", m["known." kind "_" n way "_measured"], "%",
			"", "", "", "")
	}
}

# How far a region of known length is from it without the cost of its probes, and with it.
function known_kind(kind, title) {
	known_rows(kind, title, "")
	known_rows(kind, title ", each call timed", "_exact")
}

# By default, and with all functions.
function kind_row(title, name,    plain, noise) {
	plain = m["kinds.plain." name]
	noise = m["kinds.noise." name]
	row(title, m["kinds.sis." name] / 1e6, "ms", m["kinds.sis." name] / plain, "plain",
		"ratio", 1.06, noise)
	row("  all functions measured", m["kinds.all." name] / 1e6, "ms",
		m["kinds.all." name] / plain, "plain", "", "", noise)
	row("  SIS_OVERHEAD=2%: more than switched off",
		(m["kinds.two." name] - m["kinds.off." name]) / plain * 100, "%", "", "",
		"value", 2.5, noise)
}

# With nothing configured, and with all gates off.
function program_row(title, name, limit, limit_off,    noise) {
	if (!have("programs." name))
		return
	noise = m["programs." name "_noise"]
	row(title, m["programs." name "_s"], "s", m["programs." name], "plain", "ratio", limit,
		noise)
	row("  all gates off (SIS_ENABLE=0)", m["programs." name "_s"], "s",
		m["programs." name "_off"], "plain", limit_off ? "ratio" : "", limit_off, noise)
}

# A loop of one construct or call with the default budget, by 1 or 2 threads: what measuring adds to
# an operation, and how far OPROBE is from that.
function construct_rows(key,    name, threads, plain, added, wrong) {
	name = key
	threads = sub(/_2$/, "", name) ? "two threads" : "one thread"
	sub(/_1$/, "", name)
	plain = m["constructs.plain." key]
	added = m["constructs.added." key]
	wrong = m["constructs.claim." key] - added
	if (plain < 20)
		row(name ", " threads, added, "ns", (plain + added) / plain, "plain", "value", 10)
	else
		row(name ", " threads, added, "ns", (plain + added) / plain, "plain", "ratio", 1.1)
	row("  OPROBE is wrong by", wrong < 0 ? -wrong : wrong, "ns", "", "", "value",
		added * 0.2 > 2 ? added * 0.2 : 2)
}

# The part of the plain run that the operations take is in the title.
function synchronized_row(title, kind,    plain, part) {
	plain = m["synchronized." kind ".plain"]
	if (!plain)
		return
	part = 100 * (plain - m["synchronized." kind ".bare"]) / plain
	row(sprintf("%s, %.0f %% of the time", title, part), m["synchronized." kind ".sis"], "ns",
		m["synchronized." kind ".sis"] / plain, "plain", "ratio", 1.1,
		m["synchronized." kind ".noise"])
}

function section(title) { if (!json) printf "\n%s\n", title }

FILENAME ~ /unavailable$/ { group = $1; sub(/^[^ ]* /, ""); missing[++missing_count] = $0; next }
$1 ~ /^constructs\.plain\./ { construct[++constructs] = $1; sub(/.*\./, "", construct[constructs]) }
{ m[$1] = $2 }

END {
	if (json) printf "{\"rows\": ["
	section("Enter and leave, one pair")
	row("one clock read", m["sis.tsc"], "ns", "", "", "", "")
	row("two clock reads: the floor", m["sis.floor"], "ns", "", "", "", "")
	pair_row("pair", "sis", "pair", "floor", 1.15)
	pair_row("pair, SIS_CLOCK=monotonic, of two reads of that", "by_kernel", "pair",
		"kernel_floor", 1.3)
	body_row("pair around 66 ns of work", 1.15)
	pair_row("pair, 20 siblings in turn", "sis", "siblings", "floor", 1.25)
	pair_row("pair, recursion 64 deep, unfolded", "sis", "recursion", "recursion_floor", 1.25)
	folded_row("pair, recursion 2048 deep, folded", "folded", 3)
	folded_row("pair, two functions in turn, folded", "folded_pairs", 3)
	pair_row("pair, two threads at once, each", "sis", "pair_two", "floor_two", 1.15)
	row("two threads against one", m["sis.pair_two"], "ns",
		m["sis.pair_two"] / m["sis.pair"], "one thread", "", "")
	call_row("function call measured", "call", "")
	if (have("sampled.pair"))
		row("pair, one in 16 timed (SIS_TIMING=1/16)", m["sampled.pair"], "ns",
			m["sampled.pair"] / m["sis.pair"], "the pair", "ratio", 0.3)
	if (have("counted.pair"))
		row("pair, counted alone (SIS_TIMING=sample)", m["counted.pair"], "ns",
			m["counted.pair"] / m["sis.pair"], "the pair", "ratio", 0.15)
	if (have("counted.recursion"))
		row("  in recursion 64 deep, unfolded", m["counted.recursion"], "ns",
			m["counted.recursion"] / m["sis.recursion"], "the pair there", "ratio",
			0.3)
	counted_folded_row("  in recursion 2048 deep, folded", 0.3)
	disabled_row("a probe, switched off (SIS_ENABLE=0)", "off", 1)
	tracing_row("added by tracing, a thread writes", "trace", "pair", 0.5)
	tracing_row("  with what the pair's thread waits", "trace", "pair_wall", 0.5)
	tracing_row("  two threads at once, each", "trace", "pair_two", 0.5)
	traced_row("pair traced, the thread writes itself", "trace_sync", "pair", 1.6)
	traced_row("  two threads at once, each", "trace_sync", "pair_two", 1.6)
	traced_row("pair traced, one processor, elapsed", "trace_one", "pair_wall", 1.6)
	traced_row("  with a writer's thread all the same", "trace_one_async", "pair_wall", "")
	section("Peers, one pair")
	call_row("gprof: mcount, counts only", "gprof", "")
	call_row("uftrace, recording", "uftrace", "")
	call_row("uftrace, recording, two threads", "uftrace", "_two")
	pair_row("LTTng-UST, two events", "lttng", "pair", "floor", "")
	pair_row("LTTng-UST, two events, two threads", "lttng", "pair_two", "floor_two", "")
	pair_row("likwid markers", "likwid", "pair", "floor", "")
	for (i = 1; i <= missing_count; i++)
		if (!json) printf "%s\n", "not available: " missing[i]
	section("MPI")
	mpi_asks("added to MPI_Iprobe", "iprobe", timed_limit())
	mpi_asks("added to MPI_Test", "test", timed_limit())
	mpi_asks("added to MPI_Testany of four", "testany", timed_limit())
	mpi_asks("added to MPI_Comm_rank", "rank", 10)
	mpi_asks("added to MPI_Pack_size", "pack_size", 10)
	mpi_added("added to MPI_Irecv, Isend, Waitall, each", "mpi_sis", "nonblocking_self",
		timed_limit())
	mpi_added("added to MPI_Barrier of one rank", "mpi_sis", "barrier_self",
		timed_limit())
	mpi_added("added to MPI_Allreduce of one rank", "mpi_sis", "allreduce_self",
		timed_limit())
	mpi_added("added to MPI_Sendrecv, which has two records", "mpi_sis", "sendrecv_self", "")
	mpi_off("MPI_Iprobe, off", "iprobe", 3)
	mpi_off("MPI_Test, off", "test", 3)
	mpi_off("MPI_Testany of four, off", "testany", 3)
	mpi_off("MPI_Irecv, Isend, Waitall, each, off", "nonblocking_self", 45)
	mpi_off("MPI_Barrier, off", "barrier_self", 45)
	mpi_ratio("ping-pong, 8 bytes, 2 ranks", "pingpong", 1.15)
	mpi_ratio("barrier, 2 ranks", "barrier", 1.1)
	mpi_ratio("allreduce, 8 bytes, 2 ranks", "allreduce", 1.1)
	section("OpenMP and locks, one thread, without contention")
	omp_row("added to a lock of OpenMP", "lock", 5, 3)
	omp_row("added to a nested lock", "nest_lock", 5, 3)
	omp_row("added to a critical construct", "critical", 5, 3)
	omp_row("added to a named critical construct", "critical_name", 5, 3)
	omp_row("added to an atomic without an instruction", "atomic", 5, 3)
	omp_row("added to an ordered construct", "ordered", 5, 3)
	omp_row("added to a barrier outside of teams", "barrier", 8, 3)
	omp_row("added to a barrier in a team of one", "barrier_in_team", 8, 3)
	omp_row("added to a parallel region of one thread", "parallel", 100, 15)
	omp_row("added to a mutex", "mutex", 5, 3)
	omp_row("added to a read-write lock", "rwlock", 5, 3)
	omp_row("added to a spin lock", "spin", 5, 3)
	omp_row("added to a semaphore", "semaphore", 5, 3)
	omp_row("added to a signal of a condition", "signal", 5, 3)
	omp_sampled_row("a lock, SIS_TIMING=1/16", "omp_sis", "lock", 1.1)
	omp_sampled_row("a critical construct", "omp_sis", "critical", 1.1)
	omp_sampled_row("a parallel region of one thread", "omp_sis", "parallel", 1.1)
	omp_sampled_row("the same with regions: a lock", "omp_regions", "lock", 1.1)
	omp_sampled_row("a critical construct", "omp_regions", "critical", 1.1)
	omp_sampled_row("a parallel region of one thread", "omp_regions", "parallel", 1.1)
	section("Each construct and call, with the default budget, added to one operation")
	for (i = 1; i <= constructs; i++)
		construct_rows(construct[i])
	section("CPU time of programs that synchronize, with the default budget, one operation")
	synchronized_row("locks of a table", "locks")
	synchronized_row("critical constructs", "critical")
	synchronized_row("tasks", "tasks")
	synchronized_row("messages of 8 bytes, 2 ranks", "messages")
	section("Whole programs, default instrumentation, elapsed time added")
	whole_row("the Stommel sample, 2 ranks", "stommel", 2)
	whole_row("conjugate gradients, 2 ranks", "cg", 2)
	whole_row("multigrid, 2 threads", "mg", 2)
	row("CPU time of a program that is over at once", m["short.plain"], "ms", "", "",
		"value", 1)
	row("one of MPI, one rank", m["short.mpi"], "ms", "", "", "value", 2)
	section("Times without probes of regions of known length: error (busy machines have more)")
	known_kind("compute", "computing")
	known_kind("chase", "following pointers")
	section("CPU time of programs with small functions, with nothing configured")
	kind_row("searches in a tree", "tree")
	kind_row("looks up in tables", "table")
	kind_row("a stencil", "stencil")
	kind_row("forces between particles", "particles")
	kind_row("updates at random", "random")
	kind_row("reads and writes bytes", "bytes")
	section("CPU time of well-known programs with nothing configured, runs of a second or more")
	program_row("xz -6", "xz", 1.06, "")
	program_row("libpng, reading", "png", 1.06, "")
	program_row("bzip2 -9", "bzip2", 1.06, "")
	program_row("zstd -3", "zstd", 1.06, "")
	program_row("Lua", "lua", 1.15, 1.10)
	program_row("jq", "jq", 1.15, "")
	program_row("SQLite, its speed test", "sqlite", 1.15, 1.05)
	if (have("samples.sampled")) {
		section("Samples of call stacks (SIS_BLAME=1: 250 a second)")
		row("added CPU time", m["samples.sampled"], "%", "", "", "value", 1.5)
		row("  of it, interrupts and signals without a sample", m["samples.interrupts"],
			"%", "", "", "", "")
		row("our own work for a sample", m["samples.handler"], "us", "", "", "value", 10)
	}
	section("Programs that are not compiled with sisc (sis-analyze run)")
	row("a process of a millisecond, CPU time added", m["preloaded.short"], "ms", "", "",
		"value", 1)
	row("a process of 100 ms, with samples", m["preloaded.process"], "ms", "", "", "value", 15)
	row("a program that waits for nothing, with samples", m["preloaded.work"], "%", "", "",
		"value", 2)
	row("added to MPI_Pack_size, MPICH", m["preloaded.call"], "ns", "", "", "value", 45)
	row("added to MPI_Pack_size, Open MPI", m["preloaded.call_openmpi"], "ns", "", "", "value",
		45)
	section("Their results, against those of sisc and of the programs themselves")
	row("runs, of " m["agreement.runs"] ": a leaf differs by 0.5 % or more",
		m["agreement.leaves"], "", "", "", "value", 0)
	row("  a culprit is in another function", m["agreement.culprits"], "", "", "", "value", 0)
	row("  the largest difference beyond that of two runs", m["agreement.most"], "%", "", "",
		"value", 0.5)
	row("one thread: a share outside its error, of 40", m["agreement.thread"], "", "", "",
		"value", 5)
	row("  two threads", m["agreement.threads"], "", "", "", "value", 5)
	row("  two ranks", m["agreement.mpi"], "", "", "", "value", 5)
	section("Memory")
	row("a node, of a million, on the disk", m["memory.node"], "B", "", "", "value", 104)
	row("an idle thread, resident", m["memory.thread"] / 1024, "KiB", "", "", "value", 1024)
	row("an idle thread, on the disk", m["memory.thread_disk"] / 1024, "KiB", "", "",
		"value", 1024)
	section("What --sis-blame adds to malloc and free, 64 and 4096 bytes")
	allocation_row("64, without SIS_BLAME", "off", "small", 3)
	allocation_row("64, SIS_BLAME=1: not recorded", "on", "small", 10)
	allocation_row("4096, without SIS_BLAME", "off", "large", 3)
	allocation_row("4096, SIS_BLAME=1: recorded", "on", "large", 5000)
	section("Compiling with -O2, CPU seconds")
	compile_row("sisc, 5000 lines of numerical code", "big", 1.5)
	compile_row("sisc, 2100 lines of MPI", "mpi", 1.5)
	compile_row("sisc, the same, the compiler warns", "warned", "")
	compile_row("sisc, Lua", "lua", 1.5)
	compile_row("sisc, SQLite in one file", "sqlite", 1.5)
	blame_row("added by --sis-blame, numerical code", "big")
	blame_row("added by --sis-blame, MPI", "mpi")
	blame_row("added by --sis-blame, SQLite", "sqlite")
	memory_row("memory to parse 2100 lines of MPI", "mpi")
	memory_row("memory to parse Lua's largest file", "lua")
	memory_row("memory to parse SQLite", "sqlite")
	if (have("compile_lua.sisc_j2"))
		row("make -j2 against -j1, Lua with sisc", m["compile_lua.sisc_j2"], "s",
			(m["compile_lua.sisc_j2"] / m["compile_lua.sisc_j1"]) / \
			(m["compile_lua.plain_j2"] / m["compile_lua.plain_j1"]),
			"gain of plain", "", "")
	section("sis-analyze, CPU seconds for a million summaries")
	row("a program that top looks at, CPU time", m["watched.cpu"], "s",
		m["watched.cpu"] / m["watched.cpu_alone"], "alone", "ratio", 1.02)
	row("a look of top, 100 processes of 1000 nodes", m["watched.look"] * 1000, "ms",
		"", "", "", "")
	analyze_row("import", "import", 4, 1.3)
	analyze_row("overhead", "overhead", 1, "")
	analyze_row("regions --top 20", "regions", 1, "")
	analyze_row("view (seconds that pass)", "view", 5, "")
	row("the page's size", m["analyze.page"] / m["analyze.summaries"], "MB", "", "",
		"value", 30)
	row("the repository's size", m["analyze.bytes"] / m["analyze.summaries"], "MB", "", "",
		"value", 120)
	if (json) {
		printf "\n  ],\n  \"unavailable\": ["
		for (i = 1; i <= missing_count; i++) {
			gsub(/["\\]/, "\\\\&", missing[i])
			gsub(/[[:cntrl:]]/, " ", missing[i])
			printf "%s\"%s\"", (i > 1 ? ", " : ""), missing[i]
		}
		printf "],\n  \"medians\": {"
		separator = ""
		for (key in m) { printf "%s\n" \
			"    \"%s\": %s", separator, key, m[key]; separator = "," }
		print "\n  }\n}"
	}
}
