/* SPDX-License-Identifier: BSD-3-Clause */
/* perfetto_messages.c - writes messages in Perfetto's format: as annotations and flows of the calls
 * that sent and received them. One thread. */
#include "answers/export/perfetto.h"

/* the numbers that names of annotations have in each sequence */
enum { SEND = 1, RECEIVE, ACCESS, BYTES, PEER, TAG, ANNOTATIONS };
static const char *const annotation_name[ANNOTATIONS] = {
	[SEND] = "send", [RECEIVE] = "receive", [ACCESS] = "access",
	[BYTES] = "bytes", [PEER] = "peer", [TAG] = "tag",
};

void perfetto_put_annotation_names(struct perfetto *p)
{
	size_t data = proto_open(&p->packets, PACKET_INTERNED_DATA);
	for (unsigned name = 1; name < ANNOTATIONS; name++)
		perfetto_put_interned(&p->packets, INTERNED_ANNOTATION_NAME, name,
				      annotation_name[name]);
	proto_close(&p->packets, data);
}

static struct message_range messages_of(const struct perfetto *p, bool receives)
{
	const trace_messages *list = p->part->message;
	uint32_t process = p->process->index;
	return (struct message_range){
		trace_messages_first(list, process, p->slot, receives, INT64_MIN),
		trace_messages_first(list, process, p->slot, receives, INT64_MAX),
	};
}

void perfetto_find_messages(struct perfetto *p)
{
	p->left[false] = messages_of(p, false);
	p->left[true] = messages_of(p, true);
}

/* Takes the messages of the call that begins or ends at `ns`. The messages are found by this time,
 * because their records have the same time. */
static struct message_range take_messages(struct perfetto *p, bool receives, int64_t ns)
{
	const struct trace_message *list = p->part->message->at;
	struct message_range *left = &p->left[receives];
	while (left->first < left->end && list[left->first].ns < ns)
		left->first++;
	struct message_range now = { left->first, left->first };
	while (now.end < left->end && list[now.end].ns == ns)
		now.end++;
	left->first = now.end;
	return now;
}

static void put_entry(struct proto *out, unsigned name, int64_t number)
{
	size_t entry = proto_open(out, ANNOTATION_DICTIONARY);
	proto_uint(out, ANNOTATION_NAME_ID, name);
	proto_int(out, ANNOTATION_INT, number);
	proto_close(out, entry);
}

static void put_message(struct proto *out, const struct trace_message *m)
{
	put_entry(out, BYTES, (int64_t)m->bytes);
	if (m->peer != NONE)
		put_entry(out, PEER, m->peer);
	if (m->tag >= 0)
		put_entry(out, TAG, m->tag);
}

/* A call with one message gets a dictionary, whose entries readers show as send.bytes, send.peer,
 * send.tag. A call with several messages gets an array of dictionaries: receive[0].bytes. */
static void put_annotation(struct proto *out, const struct trace_message *m, size_t n)
{
	size_t annotation = proto_open(out, EVENT_ANNOTATION);
	proto_uint(out, ANNOTATION_NAME_ID, m->receives ? RECEIVE : m->tag >= 0 ? SEND : ACCESS);
	if (n == 1)
		put_message(out, m);
	for (size_t i = 0; n > 1 && i < n; i++) {
		size_t item = proto_open(out, ANNOTATION_ARRAY);
		put_message(out, &m[i]);
		proto_close(out, item);
	}
	proto_close(out, annotation);
}

void perfetto_put_messages(struct perfetto *p, bool receives, int64_t ns)
{
	const trace_messages *list = p->part->message;
	struct message_range now = take_messages(p, receives, ns);
	if (now.end > now.first)
		put_annotation(&p->packets, &list->at[now.first], now.end - now.first);
	/* The number of a flow is that of its send in the list of messages. If the send is not in
	 * the exported part, the flow has no begin, and readers leave it out. */
	for (size_t i = now.first; i < now.end; i++) {
		const struct trace_message *m = &list->at[i];
		if (m->other == NONE)
			continue;
		if (m->receives)
			proto_fixed64(&p->packets, EVENT_LAST_FLOW, (uint64_t)m->other + 1);
		else
			proto_fixed64(&p->packets, EVENT_FLOW, (uint64_t)i + 1);
	}
}
