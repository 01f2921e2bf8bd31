/* every_leaf_written.c - writes a profile with what this machine may not have: of a program that
 * works for a second, and misses caches and the TLB meanwhile, and waits in flushes. The argument
 * names the file. */
#include <stdio.h>

#include "profile_write.h"

enum { COUNTERS = 5 };
struct counts {
	uint32_t set, count;
	uint64_t origin;
	struct { uint64_t enter, sum; } value[COUNTERS];
};

int main(int argc, char **argv)
{
	static const char *const names[] = { "main" };
	size_t size;
	struct profile_writer *w = writer_new(-1, 0);
	writer_functions(w, names, 1);
	uint64_t root = writer_thread(w, 0);
	uint64_t main_node = writer_node(w, 0, root, WRITER_FUNCTION(0), 1, 1000000000);
	/* flushes of 100 us, which are more than the instruction takes */
	writer_node(w, 0, main_node, CR_OMPFLUSH, 100, 10000000);
	writer_text(w, "set", "1\tL1_DCM,L2_TCM,L3_TCM,TLB_DM,MINFLT");
	writer_text(w, "env",
		    "SIS_LATENCY=L1_DCM=10,L2_TCM=20,L3_TCM=30,TLB_DM=40,MINFLT=50");
	struct counts counts = { .set = 1, .count = COUNTERS };
	for (int i = 0; i < COUNTERS; i++)
		counts.value[i].sum = 1000000;
	writer_node_at(w, main_node)->values = (void *)(uintptr_t)writer_chunk(
		w, SIS_CHUNK_VALUES, 0, &counts, sizeof counts);
	unsigned char *bytes = writer_take(w, SIS_STATE_ENDED, &size);
	FILE *file = argc > 1 ? fopen(argv[1], "wb") : NULL;
	return !file || fwrite(bytes, 1, size, file) != size || fclose(file);
}
