/* records.c - what the wrappers of MPI left in the profiles of a directory, as lines for awk.
 * Trusts the files.
 *
 *     state RANK STATE STATUS              how the process ended, by number
 *     call RANK ROUTINE CALLS MSGS_S MSGS_R BYTES_S BYTES_R     ROUTINE: `-` of a call site of the
 *     program
 *     comm RANK NAME SIZE MYRANK           NAME: leader.number in hexadecimal, `-` none
 *     side RANK NUMBER SIZE                the other side of an intercommunicator
 *     KIND RANK COMM ME PEER TAG BYTES SERIAL FLAGS      a record; ranks in the communicator
 *     ran RANK SECONDS NODE=SECONDS...     a phase: its length, the nodes that ran in it (u0: first
 *                                          unit's region 0)
 */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record.h"
#include "tables.h"

static const char *const routine[] = {
#define SIS_MPI(name, region, leaf, wait, match) #name,
#include "mpi.def"
#undef SIS_MPI
};
static const char *const type[] = {
	"?",
#define SIS_REGION_TYPE(name, group, leaf, label, description) #name,
#include "regions.def"
#undef SIS_REGION_TYPE
};
enum { ROUTINES = sizeof routine / sizeof *routine };
static const char *const kind[] = { "?",	"SEND",	   "RECV",	 "ISEND",     "IRECV",
				    "DONE",	"BARRIER", "NXN",	 "FROM_ROOT", "TO_ROOT",
				    "SCAN",	"FENCE",   "INIT",	 "FINALIZE",  "PHASE",
				    "PUT",	"GET",	   "ACCUMULATE", "POST",      "START",
				    "COMPLETE", "WAIT",	   "LOCK",	 "UNLOCK",    "FLUSH",
				    "LIFE",	"BLOCKED", "PROBE",	 "POLLS",     "NEIGH",
				    "FILE",	"NEIGHBOUR" };

static const char *file;
static const struct sis_profile_header *header;
static const struct sis_profile_comm *comms[1000];

static const void *at(const void *address)
{
	uint64_t offset = (uintptr_t)address - header->base;
	return offset < header->size ? file + offset : NULL;
}

static const char *name_of(uint32_t id)
{
	static char name[64];
	if (id >= 1000 || !comms[id] || comms[id]->leader == UINT32_MAX)
		return "-";
	snprintf(name, sizeof name, "%u.%" PRIx64, comms[id]->leader, comms[id]->number);
	return name;
}

static void nodes(const struct sis_chunk *chunk)
{
	const struct sis_node *node = (const void *)(chunk + 1);
	for (uint64_t i = 0; i < chunk->used / sizeof *node; i++) {
		uint32_t k = node[i].region - SIS_REGION_TYPES;
		const struct sis_values *v = at(node[i].values);
		if (node[i].region < SIS_REGION_TYPES || (k >= ROUTINES && (!v || v->count != 4)))
			continue;
		printf("call %d %s %" PRIu64, header->mpi_rank, k < ROUTINES ? routine[k] : "-",
		       node[i].calls);
		for (int m = 0; m < 4; m++)
			printf(" %" PRIu64, v && v->count == 4 ? v->value[m].sum : 0);
		putchar('\n');
	}
}

static void phase(const struct sis_record *r, const struct sis_phase_entry *e)
{
	double second = (double)header->ticks_per_second;
	printf("ran %d %.3f", header->mpi_rank, (double)(r->exit - r->enter) / second);
	for (uint64_t i = 0; i < r->serial; i++) {
		uint32_t id = ((const struct sis_node *)at(e[i].node))->region;
		if (id < SIS_REGION_TYPES)
			printf(" %s=%.3f", type[id], (double)e[i].ticks / second);
		else if (id >= SIS_REGION_TYPES + ROUTINES)
			printf(" u%u=%.3f", (unsigned)(id - SIS_REGION_TYPES - ROUTINES),
			       (double)e[i].ticks / second);
	}
	putchar('\n');
}

static void records(const struct sis_chunk *chunk)
{
	const char *p = (const char *)(chunk + 1), *end = p + chunk->used;
	static struct sis_record_place place[SIS_RECORD_SHAPES];
	struct sis_record_pack pack;
	struct sis_record record;
	sis_record_pack_begin(&pack, place);
	for (unsigned bytes;
	     p < end && (bytes = sis_record_unpack(&pack, p, (uint64_t)(end - p), &record));) {
		const struct sis_record *r = &record;
		p += bytes;
		if (r->kind == SIS_RECORD_PHASE) {
			phase(r, (const void *)p);
			p += r->bytes;
			continue;
		}
		if (r->kind == SIS_RECORD_NOCPU) /* of the machine, not of MPI */
			continue;
		const struct sis_profile_comm *c = r->comm < 1000 ? comms[r->comm] : NULL;
		printf("%s %d %s %d %d %d %" PRIu64 " %" PRIu64 " %d\n", kind[r->kind],
		       header->mpi_rank, name_of(r->comm), c ? (int)c->rank : -1, r->peer, r->tag,
		       r->bytes, r->serial, r->flags);
	}
}

static void comm(const struct sis_chunk *chunk)
{
	const struct sis_profile_comm *c = (const void *)(chunk + 1);
	if (c->id < 1000)
		comms[c->id] = c;
	if (c->is_inter && c->leader == UINT32_MAX && c->number)
		printf("side %d %" PRIx64 " %u\n", header->mpi_rank, c->number, c->size);
	else
		printf("comm %d %s %u %u\n", header->mpi_rank, name_of(c->id), c->size, c->rank);
}

static void each_chunk(enum sis_chunk_kind wanted, void (*print)(const struct sis_chunk *))
{
	for (uint64_t offset = SIS_PAGE; offset < header->size;) {
		const struct sis_chunk *chunk = (const void *)(file + offset);
		if (chunk->magic != SIS_CHUNK_MAGIC)
			break;
		if (chunk->kind == wanted)
			print(chunk);
		offset += chunk->size;
	}
}

static void profile(const char *path)
{
	FILE *f = fopen(path, "rb");
	fseek(f, 0, SEEK_END);
	size_t size = (size_t)ftell(f);
	rewind(f);
	char *data = malloc(size);
	if (!data || fread(data, 1, size, f) != size)
		exit(1);
	fclose(f);
	file = data;
	header = (const void *)data;
	memset(comms, 0, sizeof comms);
	printf("state %d %u %d\n", header->mpi_rank, header->state, header->status);
	each_chunk(SIS_CHUNK_COMM, comm);
	each_chunk(SIS_CHUNK_NODES, nodes);
	each_chunk(SIS_CHUNK_RECORDS, records);
	free(data);
}

int main(int argc, char **argv)
{
	DIR *d = opendir(argc > 1 ? argv[1] : ".");
	char path[4096];
	for (struct dirent *e; d && (e = readdir(d));)
		if (strncmp(e->d_name, "proc-", 5) == 0) {
			snprintf(path, sizeof path, "%s/%s", argv[1], e->d_name);
			profile(path);
		}
	return d ? 0 : 1;
}
