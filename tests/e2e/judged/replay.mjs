// replay.mjs - who made whom wait, from the logs of own_log.h alone, and how far SIS agrees.
//
//     node replay.mjs LOG... [--sis FILE] [--verbose]
//
// Rules. A unit's time is pieces: it works, it waits, it is idle (its thread is in no team, or does
// not exist), or none of these. Each moment of a wait has one culprit:
//
//     all      who came last; a unit that executes tasks in the wait comes when the last one ends
//     until    who released the operation last
//     lock     who holds the lock at that moment
//     turn     whose turn it is: who releases next
//     a task   a wait that ends because the unit begins a task: who released that task last
//     idle     all units of the process that work at that moment, in equal parts; if none does, its
//              first unit
//
// The function is that in which the culprit works meanwhile. While the culprit waits itself, the
// cause is indirect: that of this other wait, and so on.
//
// FILE is JSON: {"pairs": [{victim, culprit, root, ns}], "delays": [{culprit, path, root, ns,
// passed, indirect, lack}], "lack": ns, "unknown": ns}; units are "PROCESS.THREAD". Output: recall
// and precision of pairs of units, of functions, of indirect causes, and of these functions' lack
// of processors; seconds without a cause; all lack, told and true.
import { readFileSync } from "node:fs";

const FLOOR = 5e6; // ns: what is less in both is not compared
const OTHER = "(other)"; // no function of the log
const WAIT = "(wait)"; // the culprit waits itself
const words = process.argv.slice(2);
const verbose = words.includes("--verbose");
const sisFile = words.includes("--sis") ? words[words.indexOf("--sis") + 1] : null;
const logs = words.filter((word) => !word.startsWith("--") && word !== sisFile);

// -- the logs ------------------------------------------------------------------------------------
const processes = new Map(); // rank: {start, end}
const units = new Map(); // "rank.slot": {rank, records, pieces}

function readLog(file) {
	let rank, unit;
	for (const line of readFileSync(file, "utf8").trim().split("\n")) {
		const w = line.split(" ");
		if (w[0] === "start") {
			rank = Number(w[1]);
			processes.set(rank, { start: Number(w[2]) });
		} else if (w[0] === "end") {
			processes.get(rank).end = Number(w[2]);
		} else if (w[0] === "unit") {
			const name = `${rank}.${w[1]}`;
			unit = units.get(name) ?? { name, rank, slot: Number(w[1]), records: [] };
			units.set(name, unit);
		} else {
			const [type, rule, name, a, b] = w;
			const [begin, end, cpu] = w.slice(5).map(Number);
			const key = `${name} ${name.startsWith("mpi") ? "" : rank} ${a} ${b}`;
			unit.records.push({ unit, type, rule, name, key, begin, end, cpu });
		}
	}
}

// begins and ends that a program cannot log are those of other records
function complete(unit) {
	let last = 0; // end of what the unit did before
	unit.records.sort((x, y) => x.begin - y.begin); // a slot can have several threads
	for (const r of unit.records) {
		if (r.type === "after") // an implicit barrier was passed
			Object.assign(r, { type: "wait", begin: last, end: r.begin });
		if (r.type === "leave") { // the end of a team: it waits until all have come
			Object.assign(r, { type: "wait", end: Infinity });
			last = r.begin;
		} else {
			last = Math.max(last, r.type === "life" ? r.begin : r.end);
		}
	}
}

const ofTypes = (unit, ...types) => unit.records.filter((r) => types.includes(r.type));

// pieces: {unit, begin, end, state, record}; `record` is the innermost one that it is a part of
function divide(unit) {
	const { start, end } = processes.get(unit.rank);
	const nested = ofTypes(unit, "work", "io", "wait");
	nested.sort((x, y) => x.begin - y.begin || y.end - x.end);
	const lives = unit.slot === 0 ? [{ begin: start, end }] : ofTypes(unit, "life");
	const cuts = [...nested, ...lives, { begin: start, end }].flatMap((r) => [r.begin, r.end]);
	const times = [...new Set(cuts)].filter((t) => t >= start && t <= end)
		.sort((x, y) => x - y);
	const open = []; // nested records around the piece
	unit.pieces = [];
	for (let i = 0; i + 1 < times.length; i++) {
		const [from, to] = [times[i], times[i + 1]];
		while (nested.length > 0 && nested[0].begin <= from) open.push(nested.shift());
		while (open.length > 0 && open.at(-1).end <= from) open.pop();
		const alive = lives.some((r) => r.begin <= from && from < r.end);
		const record = open.at(-1);
		const state = record ? (record.type === "wait" ? "wait" : "work") :
			alive ? "none" : "idle";
		unit.pieces.push({ unit, begin: from, end: to, state, record });
	}
}

logs.forEach(readLog);
const started = Math.min(...[...processes.values()].map((p) => p.start)); // who comes later is late
for (const process of processes.values()) process.start = started;
const all = [...units.values()];
all.forEach(complete);

function groupBy(list, keyOf) {
	const groups = new Map(list.map((item) => [keyOf(item), []]));
	for (const item of list) groups.get(keyOf(item)).push(item);
	return groups;
}
const ofType = (type) => all.flatMap((unit) => ofTypes(unit, type));
const releases = groupBy(ofType("release"), (r) => r.key);
const turnsOf = groupBy(ofType("release").sort((x, y) => x.begin - y.begin), (r) => r.name);
const holds = groupBy(ofType("hold"), (r) => r.key);
const meetings = groupBy(ofType("wait").filter((r) => r.rule === "all"), (r) => r.key);

// arrival: when it only waits from then on
function arrival(wait) {
	if (wait.end === Infinity) return wait.begin;
	const nested = ofTypes(wait.unit, "work", "io").filter((r) =>
		r.begin >= wait.begin && r.end <= wait.end);
	return Math.max(wait.begin, ...nested.map((r) => r.end));
}
for (const waits of meetings.values()) {
	for (const wait of waits) wait.arrival = arrival(wait);
	const last = waits.reduce((x, y) => (y.arrival > x.arrival ? y : x));
	for (const wait of waits) {
		wait.last = last;
		if (wait.end === Infinity) wait.end = last.arrival;
	}
}
all.forEach(divide);

// -- who is to blame -----------------------------------------------------------------------------
const latest = (key, until) => (releases.get(key) ?? [])
	.filter((r) => r.begin <= until)
	.reduce((x, y) => (x && x.begin >= y.begin ? x : y), null);

// taskAfter: the task that the unit begins at the end of the piece, within the same wait
function taskAfter(piece) {
	if (piece.end >= piece.record.end) return null;
	return piece.unit.records.find((r) => r.type === "begin" && r.begin >= piece.begin &&
		r.begin <= piece.end + 1e5);
}

// causes: parts of a piece in which its unit waits or is idle, each [culprit, begin, end, weight]
function causes(piece, from, to) {
	if (piece.state === "idle") return idleCauses(piece.unit, from, to);
	const wait = piece.record;
	const task = taskAfter(piece);
	if (!task && wait.rule === "lock")
		return (holds.get(wait.key) ?? []).filter((h) => h.unit !== wait.unit)
			.map((h) => [h.unit, Math.max(h.begin, from), Math.min(h.end, to), 1]);
	if (!task && wait.rule === "all")
		return [[wait.last.unit, from, Math.min(to, wait.last.arrival), 1]];
	if (!task && wait.rule === "turn") return turns(wait, from, to);
	const release = latest((task ?? wait).key, task ? task.begin : wait.end);
	return release ? [[release.unit, from, Math.min(to, release.begin), 1]] : [];
}

// turns: the time up to each release of the kind is that of the unit that releases
function turns(wait, from, to) {
	const parts = [];
	for (const r of (turnsOf.get(wait.name) ?? []).filter((x) => x.begin > from)) {
		if (from >= to) break;
		if (r.unit !== wait.unit) parts.push([r.unit, from, Math.min(to, r.begin), 1]);
		from = r.begin;
	}
	return parts;
}

function idleCauses(unit, from, to) {
	const near = all.filter((other) => other.rank === unit.rank && other !== unit);
	const busy = near.flatMap((other) => other.pieces)
		.filter((p) => p.state === "work" && p.end > from && p.begin < to);
	const times = new Set([from, to]);
	for (const t of busy.flatMap((p) => [p.begin, p.end])) if (t > from && t < to) times.add(t);
	const sorted = [...times].sort((x, y) => x - y);
	return sorted.slice(1).flatMap((end, i) => {
		const at = busy.filter((p) => p.begin <= sorted[i] && p.end >= end);
		if (at.length > 0) return at.map((p) => [p.unit, sorted[i], end, 1 / at.length]);
		return unit.slot === 0 ? [] : [[units.get(`${unit.rank}.0`), sorted[i], end, 1]];
	});
}

// lackIn: of a piece of work, the time without a processor
const overlap = (r, from, to) => Math.max(0, Math.min(r.end, to) - Math.max(r.begin, from));
function lackIn(piece, from, to) {
	const work = piece.record;
	if (work.type !== "work") return 0;
	const share = (r) => (r.end > r.begin ? (r.end - r.begin - r.cpu) / (r.end - r.begin) : 0);
	const missing = share(work) * (work.end - work.begin);
	const noted = ofTypes(piece.unit, "lack")
		.filter((r) => overlap(r, work.begin, work.end) > 0);
	const sum = noted.reduce((x, r) => x + share(r) * (r.end - r.begin), 0);
	if (sum < missing / 2) return share(work) * (to - from);
	return noted.reduce((x, r) => x + share(r) * overlap(r, from, to), 0);
}

const truth = Object.fromEntries(["pairs", "functions", "indirect", "lack", "rows"]
	.map((name) => [name, new Map()]));
function add(map, key, ns, lack = 0) {
	const old = map.get(key) ?? { ns: 0, lack: 0 };
	map.set(key, { ns: old.ns + ns, lack: old.lack + lack });
}

// covered: length of the union of intervals [, begin, end]
function covered(parts) {
	let [sum, last] = [0, -Infinity];
	for (const [, begin, end] of [...parts].sort((x, y) => x[1] - y[1])) {
		sum += Math.max(0, end - Math.max(begin, last));
		last = Math.max(last, end);
	}
	return sum;
}

// follow: charges culprits for a part of a piece; after the first step they are indirect
function follow(victim, piece, from, to, weight, depth) {
	for (const [culprit, begin, end, part] of causes(piece, from, to)) {
		if (end <= begin || culprit === piece.unit || culprit === victim) continue;
		const share = weight * part;
		const map = depth === 0 ? truth.functions : truth.indirect;
		const charge = (name, ns, lack) => {
			if (name !== WAIT)
				add(map, `${culprit.name} ${name}`, share * ns, share * lack);
			if (depth > 0) return;
			add(truth.pairs, `${victim.name} ${culprit.name}`, share * ns);
			add(truth.rows, `${victim.name} ${culprit.name} ${name}`, share * ns,
				share * lack);
		};
		for (const p of culprit.pieces) {
			const [x, y] = [Math.max(p.begin, begin), Math.min(p.end, end)];
			if (y <= x) continue;
			if (p.state === "work") {
				charge(p.record.name, y - x, lackIn(p, x, y));
			} else if (p.state === "none") {
				charge(OTHER, y - x, 0);
			} else { // what nobody causes: it could go on, but does not do so yet
				const passed = covered(causes(p, x, y));
				charge(WAIT, passed, 0);
				charge(OTHER, y - x - passed, 0);
				if (depth < 20) follow(victim, p, x, y, share, depth + 1);
			}
		}
	}
}
for (const unit of all)
	for (const piece of unit.pieces)
		if (piece.state === "wait" || piece.state === "idle")
			follow(unit, piece, piece.begin, piece.end, 1, 0);

// -- what SIS says -------------------------------------------------------------------------------
const seconds = (ns) => (ns / 1e9).toFixed(3);
function table(title, map) {
	console.log(`# ${title}: seconds, of it without a processor`);
	for (const [key, { ns, lack }] of [...map].sort((x, y) => y[1].ns - x[1].ns))
		if (ns >= FLOOR / 5) console.log(`#   ${key} ${seconds(ns)} ${seconds(lack)}`);
}

// agreement: [recall, precision] of two maps, and where they differ
function agreement(title, trueMap, saidMap, differences) {
	let [common, real, said] = [0, 0, 0];
	for (const key of new Set([...trueMap.keys(), ...saidMap.keys()])) {
		const [t, s] = [trueMap.get(key)?.ns ?? 0, saidMap.get(key)?.ns ?? 0];
		if (t < FLOOR && s < FLOOR) continue;
		common += Math.min(t, s);
		real += t;
		said += s;
		if (Math.abs(t - s) >= FLOOR) differences.push({ title, key, t, s });
	}
	return [real > 0 ? common / real : 1, said > 0 ? common / said : 1];
}

const names = new Set([...ofType("work"), ...ofType("io")].map((r) => r.name));
const functionOf = (path) => path.split("/").findLast((name) => names.has(name)) ?? OTHER;

if (verbose || !sisFile) {
	table("victim culprit function", truth.rows);
	table("culprit function, directly", truth.functions);
	table("culprit function, indirectly", truth.indirect);
}
if (sisFile) {
	const sis = JSON.parse(readFileSync(sisFile, "utf8"));
	const said = {
		pairs: new Map(), functions: new Map(), indirect: new Map(), lack: new Map(),
	};
	for (const row of sis.pairs.filter((x) => !x.root))
		add(said.pairs, `${row.victim ?? "?"} ${row.culprit}`, row.ns);
	for (const row of sis.delays.filter((x) => !x.root)) {
		const key = `${row.culprit} ${functionOf(row.path)}`;
		add(said.functions, key, row.ns - row.passed);
		add(said.indirect, key, row.indirect);
		add(said.lack, key, row.lack);
	}
	for (const [key, { lack }] of truth.functions) add(truth.lack, key, lack);
	const lack = all.flatMap((u) => u.pieces).filter((p) => p.state === "work")
		.reduce((sum, p) => sum + lackIn(p, p.begin, p.end), 0);
	const differences = [];
	const shown = Object.keys(said).flatMap((name) =>
		agreement(name, truth[name], said[name], differences)).map((x) => x.toFixed(2));
	console.log(...shown, ...[sis.unknown, sis.lack, lack].map(seconds));
	differences.sort((x, y) => Math.abs(y.t - y.s) - Math.abs(x.t - x.s));
	for (const d of differences.slice(0, verbose ? 30 : 4))
		console.log(`#     ${d.title} ${d.key}: SIS ${seconds(d.s)}, log ${seconds(d.t)}`);
}
