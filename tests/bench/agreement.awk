# SPDX-License-Identifier: BSD-3-Clause
# agreement.awk - compares the runs of a program (tests/bench/agreement): its source, then lines of
# each run. Prints TITLE LEAF DIFFERENCE VERDICT, and culprits that differ. Exit status 1: the runs
# do not agree.
BEGIN {
	LEAST = 0.5 # percent
	split("OCTRL_MPIMGMT OCTRL_SPAWN OSYNC_INIT OPROBE OLOSS_NOCPU OUNID OSYNC_ATOMIC " \
		"OSYNC_FLUSH OSYNC_UNCONT OADD_RED OADD_PRIV", word, " ")
	for (i in word) not_compared[word[i]]
	FS = "[ ,]"
}

function one_barrier(leaf) { return leaf == "OSYNC_EBAR" ? "OSYNC_IBAR" : leaf }
function positive(x) { return x < 0 ? -x : x }

# The program's functions on a path of the present run. What a compiler makes of a construct is a
# part of its function.
function functions_of(path,    part, n, i, text) {
	n = split(path, part, "/")
	for (i = 1; i <= n; i++)
		if ((way, round, part[i]) in is_function &&
		    part[i] !~ /^MPI_|\._omp_fn\./)
			text = text " > " part[i]
	return substr(text, 4)
}

# The median over the rounds of ns[way, round, key]
function median(way, key,    value, i, k, x) {
	for (i = 1; i <= rounds; i++) {
		x = ns[way, i, key] + 0
		for (k = i; k > 1 && value[k - 1] > x; k--) value[k] = value[k - 1]
		value[k] = x
	}
	return (value[int((rounds + 1) / 2)] + value[int(rounds / 2) + 1]) / 2
}

FNR == NR { if ($0 ~ /^\/\* culprit: /) judged[one_barrier($5)]; next }
$1 == "run" { way = $2; round = rounds = $3; next }
{ gsub(/"/, "") }
$1 == "time" { ns[way, round, "all"] = $3 }
$1 == "leaf" && !($2 in not_compared) {
	leaf = one_barrier($2)
	leaves[leaf]
	ns[way, round, leaf] += $3
}
$1 == "function" { name = $0; sub(/^function,/, "", name); sub(/,0$/, "", name)
	is_function[way, round, name] }
$1 == "delay" && one_barrier($3) in judged {
	path = $0
	sub(/^[^ ]* [^ ]* /, "", path)
	sub(/,[0-9]*$/, "", path)
	delay[++delays] = way SUBSEP round SUBSEP $2 " " one_barrier($3) SUBSEP path SUBSEP $NF
}

END {
	for (i = 1; i <= delays; i++) {
		split(delay[i], d, SUBSEP)
		way = d[1]
		round = d[2]
		site = d[3]
		key = site " " functions_of(d[4])
		sites[key] = site
		ns[way, round, site] += d[5]
		ns[way, round, key] += d[5]
	}
	worst = "none"
	all = (median("one", "all") + median("other", "all")) / 2
	for (leaf in leaves) {
		one = median("one", leaf)
		other = median("other", leaf)
		beyond = positive(median("plain", leaf) - (one + other) / 2)
		beyond -= positive(one - other)
		if (beyond > most) { most = beyond; worst = leaf }
	}
	most *= 100 / all
	# Where one has a fifth of the costs of a culprit, the other has a twentieth. What is less
	# than the largest difference of leaves is not judged.
	for (key in sites) {
		with = (median("one", key) + median("other", key)) / 2
		with_all = (median("one", sites[key]) + median("other", sites[key])) / 2
		without = median("plain", key)
		without_all = median("plain", sites[key])
		if (with + without > LEAST / 100 * all &&
		    (with > with_all / 5 && without < without_all / 20 ||
		     without > without_all / 5 && with < with_all / 20))
			differ = differ sprintf("; %s %.3f s, without sisc %.3f s", key,
				with / 1e9, without / 1e9)
	}
	printf "%s %s %.2f %s%s\n", title, worst, most,
		(most > LEAST ? "over" : "met"),
		(differ == "" ? "" : " other culprits" differ)
	exit (most > LEAST || differ != "")
}
