/* perfetto_read.c - reads a trace in Perfetto's format (protos/perfetto/trace of
 * https://github.com/google/perfetto), decompressed, from standard input, and prints what Perfetto
 * shows, one line for each event:
 *
 *     P PID NAME                  a process            T PID TID NAME       a thread
 *     B TID NS NAME               a slice begins       E TID NS NAME        it ends
 *     I TID NS NAME               an instant           C TID NS NAME VALUE  a counter
 *     S TID NAME CATEGORY FILE:LINE FUNCTION           of a slice that begins
 *     A TID NAME KEY VALUE        an annotation of a slice
 *     F ID FROM-TID TO-TID FROM-NAME TO-NAME           a flow
 *     wrong: ...                  what Perfetto would refuse or leave out
 *
 * with tabs between. NS is the time since the first clock snapshot. It shares nothing with the
 * writer, but the numbers of fields. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bytes { const unsigned char *at, *end; };
struct field { uint32_t number, type; uint64_t value; struct bytes bytes; };

enum { SEQUENCES = 1000, TRACKS = 5000, NAMES = 500, DEEP = 6000, FLOWS = 10000, CATEGORIES = 500 };

struct place { char file[200], function[100]; uint64_t line; };
struct sequence {
	int valid;
	uint64_t clock, track, now;
	char name[NAMES][100], category[CATEGORIES][40], key[20][40];
	struct place place[NAMES];
};
struct track {
	int known, is_thread, is_counter;
	uint64_t tid, parent, last;
	char name[100];
	unsigned depth;
	const char *open[DEEP];  /* names of slices */
};
static struct sequence *sequences[SEQUENCES];
static struct track tracks[TRACKS];
/* both ends of a flow: time of the event, thread and slice */
static struct flow {
	uint64_t from_ns, to_ns, from, to;
	char from_name[100], to_name[100];
} flows[FLOWS];
static uint64_t primary, origin;
static int has_origin;

static void wrong(const char *what, uint64_t number)
{
	printf("wrong: %s %" PRIu64 "\n", what, number);
}

static void fatal(const char *what)
{
	printf("wrong: %s\n", what);
	exit(1);
}

/* -- fields ------------------------------------------------------------------------------------ */

static uint64_t varint(struct bytes *b)
{
	uint64_t value = 0;
	for (int shift = 0; shift < 70; shift += 7) {
		if (b->at == b->end)
			fatal("a number is cut off");
		value |= (uint64_t)(*b->at & 0x7f) << shift;
		if (!(*b->at++ & 0x80))
			return value;
	}
	fatal("a number is too long");
	return 0;
}

static int next(struct bytes *b, struct field *f)
{
	if (b->at == b->end)
		return 0;
	uint64_t tag = varint(b);
	*f = (struct field){ .number = (uint32_t)(tag >> 3), .type = tag & 7 };
	if (f->type == 0) {
		f->value = varint(b);
	} else if (f->type == 1) {
		if (b->end - b->at < 8)
			fatal("eight bytes are cut off");
		memcpy(&f->value, b->at, 8); /* the machine is little-endian */
		b->at += 8;
	} else if (f->type == 2) {
		uint64_t length = varint(b);
		if (length > (uint64_t)(b->end - b->at))
			fatal("a field is longer than the message around it");
		f->bytes = (struct bytes){ b->at, b->at + length };
		b->at += length;
	} else {
		fatal("a field has an unknown wire type");
	}
	return 1;
}

static void copy(char *to, size_t room, struct bytes text)
{
	size_t length = (size_t)(text.end - text.at);
	snprintf(to, room, "%.*s", (int)length, (const char *)text.at);
	if (strlen(to) != length)
		wrong("a long or strange text of so many bytes:", length);
}

static int find(struct bytes message, uint32_t number, struct field *f)
{
	while (next(&message, f))
		if (f->number == number)
			return 1;
	*f = (struct field){ 0 };
	return 0;
}

static uint64_t number_at(struct bytes message, uint32_t number)
{
	struct field f;
	find(message, number, &f);
	return f.value;
}

/* -- what packets set up ----------------------------------------------------------------------- */

static void read_clocks(struct sequence *s, struct bytes snapshot)
{
	struct field f;
	uint64_t reference = 0;
	if (number_at(snapshot, 2))
		primary = number_at(snapshot, 2);
	for (struct bytes b = snapshot; next(&b, &f);) {
		if (f.number != 1)
			continue;
		uint64_t id = number_at(f.bytes, 1), time = number_at(f.bytes, 2);
		if (id == primary)
			reference = time;
		if (id >= 64 && !number_at(f.bytes, 3))
			wrong("the clock of a sequence is not incremental:", id);
		if (id >= 64)
			s->clock = id, s->now = reference;
		if (id == primary && !has_origin)
			has_origin = 1, origin = time;
	}
}

static void read_interned(struct sequence *s, struct bytes data)
{
	struct field f, text;
	while (next(&data, &f)) {
		uint64_t id = number_at(f.bytes, 1);
		find(f.bytes, 2, &text);
		if (id == 0 || id >= (f.number == 3 ? 20 : NAMES))
			fatal("a number of a name is 0 or large");
		if (f.number == 1)
			copy(s->category[id], sizeof s->category[id], text.bytes);
		else if (f.number == 2)
			copy(s->name[id], sizeof s->name[id], text.bytes);
		else if (f.number == 3)
			copy(s->key[id], sizeof s->key[id], text.bytes);
		else if (f.number == 4) {
			struct place *place = &s->place[id];
			copy(place->file, sizeof place->file, text.bytes);
			find(f.bytes, 3, &text);
			copy(place->function, sizeof place->function, text.bytes);
			place->line = number_at(f.bytes, 4);
		} else {
			wrong("a kind of names", f.number);
		}
	}
}

static void read_track(struct bytes descriptor)
{
	struct field f;
	char name[100] = "";
	uint64_t uuid = number_at(descriptor, 1);
	if (uuid == 0)
		return; /* the order of tracks */
	if (uuid >= TRACKS || tracks[uuid].known)
		fatal("a track is described twice, or there are too many");
	struct track *t = &tracks[uuid];
	t->known = 1;
	if (find(descriptor, 3, &f)) {
		uint64_t pid = number_at(f.bytes, 1);
		find(f.bytes, 6, &f);
		copy(name, sizeof name, f.bytes);
		printf("P\t%" PRIu64 "\t%s\n", pid, name);
	} else if (find(descriptor, 4, &f)) {
		uint64_t pid = number_at(f.bytes, 1);
		t->is_thread = 1;
		t->tid = number_at(f.bytes, 2);
		find(f.bytes, 5, &f);
		copy(name, sizeof name, f.bytes);
		printf("T\t%" PRIu64 "\t%" PRIu64 "\t%s\n", pid, t->tid, name);
	} else if (find(descriptor, 8, &f)) {
		t->is_counter = 1;
		t->parent = number_at(descriptor, 5);
		if (t->parent >= TRACKS || !tracks[t->parent].is_thread)
			fatal("a counter is of no thread");
		t->tid = tracks[t->parent].tid;
		find(descriptor, 2, &f);
		copy(t->name, sizeof t->name, f.bytes);
	} else {
		wrong("a track of no kind:", uuid);
	}
}

/* -- events ------------------------------------------------------------------------------------ */

static void read_annotation(const struct sequence *s, const struct track *t, struct bytes a,
			    const char *before)
{
	struct field f;
	char path[300];
	unsigned item = 0;
	uint64_t id = number_at(a, 1);
	if (id >= 20 || !s->key[id][0])
		fatal("an annotation has no name");
	snprintf(path, sizeof path, "%s%s", before, s->key[id]);
	while (next(&a, &f)) {
		char below[350];
		if (f.number == 4) {
			printf("A\t%" PRIu64 "\t%s\t%s\t%" PRId64 "\n", t->tid,
			       t->open[t->depth - 1], path, (int64_t)f.value);
		} else if (f.number == 11) {
			snprintf(below, sizeof below, "%s.", path);
			read_annotation(s, t, f.bytes, below);
		} else if (f.number == 12) {
			struct field entry;
			snprintf(below, sizeof below, "%s[%u].", path, item++);
			for (struct bytes b = f.bytes; next(&b, &entry);)
				read_annotation(s, t, entry.bytes, below);
		} else if (f.number != 1) {
			wrong("a kind of annotation", f.number);
		}
	}
}

static void read_flow(const struct track *t, uint64_t ns, uint64_t id, int ends)
{
	if (id == 0 || id >= FLOWS)
		fatal("a flow has number 0 or a large one");
	struct flow *f = &flows[id];
	if (ends ? f->to : f->from)
		wrong("a flow has two begins, or two ends:", id);
	const char *slice = t->open[t->depth - 1];
	if (ends)
		f->to = t->tid, f->to_ns = ns, strcpy(f->to_name, slice);
	else
		f->from = t->tid, f->from_ns = ns, strcpy(f->from_name, slice);
}

/* What a slice's begin or end says about it, while it is open. */
static void read_details(const struct sequence *s, const struct track *t, uint64_t ns,
			 struct bytes event)
{
	struct field f;
	while (next(&event, &f)) {
		if (f.number == 4)
			read_annotation(s, t, f.bytes, "");
		if ((f.number == 47 || f.number == 48) && f.type == 1)
			read_flow(t, ns, f.value, f.number == 48);
	}
}

static void begin_slice(const struct sequence *s, struct track *t, uint64_t ns, struct bytes event)
{
	uint64_t name = number_at(event, 10), category = number_at(event, 3),
		 place = number_at(event, 34);
	if (name >= NAMES || !s->name[name][0] || category >= CATEGORIES || place >= NAMES)
		fatal("a slice has no name, or names are unknown");
	if (t->depth == DEEP)
		fatal("slices are too deep");
	t->open[t->depth++] = s->name[name];
	printf("B\t%" PRIu64 "\t%" PRIu64 "\t%s\n", t->tid, ns, s->name[name]);
	printf("S\t%" PRIu64 "\t%s\t%s\t%s:%" PRIu64 "\t%s\n", t->tid, s->name[name],
	       s->category[category], s->place[place].file, s->place[place].line,
	       s->place[place].function);
	read_details(s, t, ns, event);
}

static void end_slice(const struct sequence *s, struct track *t, uint64_t ns, struct bytes event)
{
	if (t->depth == 0) {
		wrong("a slice ends that has not begun, of thread", t->tid);
		return;
	}
	read_details(s, t, ns, event);
	printf("E\t%" PRIu64 "\t%" PRIu64 "\t%s\n", t->tid, ns, t->open[--t->depth]);
}

static void read_event(const struct sequence *s, uint64_t ns, struct bytes event)
{
	struct field f;
	char name[100];
	double value;
	uint64_t type = number_at(event, 9),
		 uuid = find(event, 11, &f) ? f.value : s->track;
	if (uuid >= TRACKS || !tracks[uuid].known)
		fatal("an event is on no track");
	struct track *t = &tracks[uuid];
	if (ns < t->last)
		wrong("time goes back on track", uuid);
	t->last = ns;
	if (t->is_counter != (type == 4) || (type != 4 && !t->is_thread))
		wrong("an event does not fit its track, of type", type);
	if (type == 1)
		begin_slice(s, t, ns, event);
	else if (type == 2)
		end_slice(s, t, ns, event);
	else if (type == 3 && find(event, 23, &f)) {
		copy(name, sizeof name, f.bytes);
		printf("I\t%" PRIu64 "\t%" PRIu64 "\t%s\n", t->tid, ns, name);
	} else if (type == 4 && find(event, 44, &f)) {
		memcpy(&value, &f.value, sizeof value);
		printf("C\t%" PRIu64 "\t%" PRIu64 "\t%s\t%.17g\n", t->tid, ns, t->name, value);
	} else {
		wrong("an event of type", type);
	}
}

/* -- packets ----------------------------------------------------------------------------------- */

static struct sequence *sequence_of(struct bytes packet)
{
	uint64_t id = number_at(packet, 10), flags = number_at(packet, 13);
	if (id == 0 || id >= SEQUENCES)
		fatal("a packet has no sequence, or there are too many");
	struct sequence *s = sequences[id] = sequences[id] ?: calloc(1, sizeof **sequences);
	if (flags & 1)
		memset(s, 0, sizeof *s), s->valid = 1;
	if (!s->valid)
		fatal("a packet needs state that its sequence does not have");
	return s;
}

static void read_packet(struct bytes packet)
{
	struct field f, time;
	struct sequence *s = sequence_of(packet);
	if (find(packet, 59, &f)) {
		struct field event;
		s->clock = number_at(f.bytes, 58);
		if (find(f.bytes, 11, &event))
			s->track = number_at(event.bytes, 11);
	}
	if (find(packet, 12, &f))
		read_interned(s, f.bytes);
	if (find(packet, 6, &f))
		read_clocks(s, f.bytes);
	if (find(packet, 60, &f))
		read_track(f.bytes);
	if (!find(packet, 11, &f))
		return;
	if (!find(packet, 8, &time) || number_at(packet, 58) || s->clock < 64)
		fatal("an event has no time on the clock of its sequence");
	s->now += time.value;
	read_event(s, s->now - origin, f.bytes);
}

static void end_file(void)
{
	for (size_t i = 0; i < TRACKS; i++)
		if (tracks[i].depth)
			wrong("slices are left open, on track", i);
	for (size_t i = 0; i < FLOWS; i++) {
		const struct flow *f = &flows[i];
		if (f->from && f->to && f->from_ns <= f->to_ns)
			printf("F\t%zu\t%" PRIu64 "\t%" PRIu64 "\t%s\t%s\n", i, f->from, f->to,
			       f->from_name, f->to_name);
	}
}

int main(void)
{
	size_t room = 1 << 20, length = 0, n;
	unsigned char *all = malloc(room);
	while ((n = fread(all + length, 1, room - length, stdin)) > 0)
		if ((length += n) == room)
			all = realloc(all, room *= 2);
	struct bytes file = { all, all + length };
	struct field f;
	while (next(&file, &f)) {
		if (f.number != 1 || f.type != 2)
			fatal("a field of the file is no packet");
		read_packet(f.bytes);
	}
	end_file();
	return 0;
}
