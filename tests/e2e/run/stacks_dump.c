/* SPDX-License-Identifier: BSD-3-Clause */
/* stacks_dump.c - prints a file of samples (schema/stacks.h) as text, for tests of the runtime:
 *
 *     state running|ended, method, rate, metric, kinds
 *     recorded N lost N                  allocations of at least so many bytes; that were lost
 *     module PATH BUILD-ID
 *     thread TID samples lost unknown
 *     stack KIND SLOT count weight FLAGS origin: MODULE+ADDRESS ...    innermost first
 *     memory KIND N freed N bytes N alive N most N largest N stack|-
 *     access KIND PLACE OFFSET samples N exact|page
 *
 * and fails if something in the file contradicts the format. */
#include "stacks.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *file;
static uint64_t size;

static void fail(const char *what)
{
	printf("bad: %s\n", what);
	exit(1);
}

static const struct sis_chunk *chunk_after(uint64_t *at)
{
	if (size - *at < sizeof(struct sis_chunk))
		return NULL;
	const struct sis_chunk *chunk = (const void *)(file + *at);
	if (chunk->magic != SIS_CHUNK_MAGIC)
		return NULL;
	if (chunk->size % SIS_PAGE || chunk->size > size - *at ||
	    chunk->used > chunk->size - sizeof *chunk)
		fail("chunk");
	*at += chunk->size;
	return chunk;
}

static void print_pc(uint64_t pc)
{
	uint64_t address = (pc & ~SIS_PC_EXACT) - !(pc & SIS_PC_EXACT), at = SIS_PAGE;
	const struct sis_chunk *chunk;
	while ((chunk = chunk_after(&at))) {
		const char *payload = (const char *)(chunk + 1);
		for (uint64_t i = 0; chunk->kind == SIS_CHUNK_MODULES && i < chunk->used;) {
			const struct sis_stacks_module *module = (const void *)(payload + i);
			if (address >= module->start && address < module->end) {
				const char *path = (const char *)(module + 1);
				int length = module->path_length;
				for (int k = 0; k < length; k++)
					if (path[k] == '/') {
						path += k + 1;
						length -= k + 1;
						k = -1;
					}
				printf(" %.*s+0x%llx", length, path,
				       (unsigned long long)(address - module->bias));
				return;
			}
			i += module->size;
		}
	}
	printf(" ?+0x%llx", (unsigned long long)address);
}

static void print_stacks(const struct sis_chunk *chunk)
{
	static const char *const kinds[] = { "?", "running", "blocked", "origin", "allocation" };
	const char *payload = (const char *)(chunk + 1);
	for (uint64_t i = 0; i < chunk->used;) {
		const struct sis_stack *stack = (const void *)(payload + i);
		if (chunk->used - i < sizeof *stack || stack->kind > 4 || stack->kind == 0 ||
		    stack->size != sizeof *stack + 8 * stack->frames ||
		    stack->size > chunk->used - i || stack->frames > SIS_STACK_FRAMES ||
		    stack->origin >= size)
			fail("stack");
		printf("stack %s %d %llu %llu %s%s%s%s %s:", kinds[stack->kind], (int)stack->slot,
		       (unsigned long long)stack->count, (unsigned long long)stack->weight,
		       stack->node ? "n" : "-", stack->flags & SIS_STACK_TRUNCATED ? "t" : "-",
		       stack->flags & SIS_STACK_INSIDE ? "i" : "-",
		       stack->flags & SIS_STACK_GUESSED ? "g" : "-",
		       stack->origin ? "origin" : "-");
		for (unsigned k = 0; k < stack->frames; k++)
			print_pc(stack->pc[k]);
		printf("\n");
		i += stack->size;
	}
}

static void print_modules(const struct sis_chunk *chunk)
{
	const char *payload = (const char *)(chunk + 1);
	for (uint64_t i = 0; i < chunk->used;) {
		const struct sis_stacks_module *module = (const void *)(payload + i);
		if (chunk->used - i < sizeof *module || module->size > chunk->used - i ||
		    module->size < sizeof *module + module->path_length ||
		    module->start >= module->end || module->id_length > sizeof module->id)
			fail("module");
		printf("module %.*s ", module->path_length, (const char *)(module + 1));
		for (unsigned k = 0; k < module->id_length; k++)
			printf("%02x", module->id[k]);
		printf("%s\n", module->to ? " gone" : "");
		i += module->size;
	}
}

static void print_threads(const struct sis_chunk *chunk)
{
	const struct sis_sampled *thread = (const void *)(chunk + 1);
	for (uint64_t i = 0; i < chunk->used / sizeof *thread; i++)
		printf("thread %s samples %llu lost %llu unknown %llu handler %llu most %llu\n",
		       thread[i].tid ? "self" : "sampler", (unsigned long long)thread[i].samples,
		       (unsigned long long)thread[i].lost, (unsigned long long)thread[i].unknown,
		       (unsigned long long)thread[i].handler_ns,
		       (unsigned long long)thread[i].handler_most_ns);
}

static void print_memory(const struct sis_chunk *chunk)
{
	const struct sis_memory *m = (const void *)(chunk + 1);
	for (uint64_t i = 0; i < chunk->used / sizeof *m; i++)
		if (m[i].kind)
			printf("memory %s %llu freed %llu bytes %llu alive %llu most %llu largest "
			       "%llu %s\n",
			       m[i].kind == SIS_MEMORY_HEAP ? "heap" : "mapping",
			       (unsigned long long)m[i].allocations,
			       (unsigned long long)m[i].freed, (unsigned long long)m[i].bytes,
			       (unsigned long long)m[i].alive, (unsigned long long)m[i].most,
			       (unsigned long long)m[i].largest, m[i].stack ? "stack" : "-");
}

static void print_accesses(const struct sis_chunk *chunk)
{
	static const char *const kinds[] = { "-", "none", "unknown", "allocated", "static",
					     "stack", "thread-local", "other" };
	const struct sis_access *a = (const void *)(chunk + 1);
	for (uint64_t i = 0; i < chunk->used / sizeof *a; i++)
		if (a[i].kind && a[i].kind <= SIS_ACCESS_OTHER)
			printf("access %s %llx %lld samples %llu %s\n", kinds[a[i].kind],
			       (unsigned long long)a[i].place, (long long)a[i].offset,
			       (unsigned long long)a[i].count,
			       a[i].flags & SIS_ACCESS_COARSE ? "page" : "exact");
}

static void print_lines(const struct sis_chunk *chunk)
{
	const char *line = (const char *)(chunk + 1), *end = line + chunk->used;
	for (; line < end; line += strlen(line) + 1)
		printf("text %s\n", line);
}

static void print_moments(const struct sis_chunk *chunk)
{
	const struct sis_moments *m = (const void *)(chunk + 1), *end = m + chunk->used / sizeof *m;
	for (; m < end; m++) {
		const struct sis_stack *stack = (const void *)(file + m->stack);
		if (m->stack % 8 || m->stack >= size || m->first > m->last || !m->count ||
		    m->count > stack->count)
			fail("moments");
		printf("moments %u kind %u slot %u ms %.0f\n", m->count, stack->kind, stack->slot,
		       (double)(m->last - m->first) * 1e3 /
			       (double)((const struct sis_stacks_header *)file)->ticks_per_second);
	}
}

static void print_header(const struct sis_stacks_header *header)
{
	static const char *const methods[] = { "?", "papi", "clock", "look", "timer" };
	if (memcmp(header->magic, SIS_STACKS_MAGIC, sizeof header->magic) != 0 ||
	    header->version != SIS_STACKS_VERSION || header->size > size || header->method > 4)
		fail("header");
	printf("state %s method %s rate %llu metric %s\n",
	       header->state == SIS_STATE_ENDED ? "ended" : "running", methods[header->method],
	       (unsigned long long)header->rate, header->metric);
	printf("recorded %llu lost %llu\n", (unsigned long long)header->least_bytes,
	       (unsigned long long)header->memory_lost);
}

int main(int count, char **arguments)
{
	struct stat status;
	int fd = count == 2 ? open(arguments[1], O_RDONLY) : -1;
	if (fd < 0 || fstat(fd, &status) != 0 || (size = (uint64_t)status.st_size) < SIS_PAGE)
		fail("file");
	file = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (file == MAP_FAILED)
		fail("mmap");
	const struct sis_stacks_header *header = (const void *)file;
	print_header(header);
	uint64_t at = SIS_PAGE;
	const struct sis_chunk *chunk;
	while ((chunk = chunk_after(&at))) {
		if (header->state == SIS_STATE_ENDED &&
		    chunk->checksum != sis_checksum(chunk + 1, chunk->used))
			fail("checksum");
		if (chunk->kind == SIS_CHUNK_STACKS)
			print_stacks(chunk);
		else if (chunk->kind == SIS_CHUNK_MODULES)
			print_modules(chunk);
		else if (chunk->kind == SIS_CHUNK_SAMPLED)
			print_threads(chunk);
		else if (chunk->kind == SIS_CHUNK_MEMORY)
			print_memory(chunk);
		else if (chunk->kind == SIS_CHUNK_ACCESSES)
			print_accesses(chunk);
		else if (chunk->kind == SIS_CHUNK_MOMENTS)
			print_moments(chunk);
		else if (chunk->kind == SIS_CHUNK_STACKS_TEXT)
			print_lines(chunk);
		else
			fail("kind");
	}
	return 0;
}
