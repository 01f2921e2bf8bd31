/* SPDX-License-Identifier: BSD-3-Clause */
/* trace.c - writes the trace of an instrumented program into the file that ORACLE_TRACE names. The
 * program must have one thread. */
#include "trace.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RECORDS_MOST 20000000ul

static struct trace_record buffer[4096];
static unsigned long used, total;
static uint64_t activations;
static int file = -1;

static void flush(void)
{
	if (file >= 0 && used &&
	    write(file, buffer, used * sizeof *buffer) != (ssize_t)(used * sizeof *buffer))
		_exit(TRACE_LIMIT_STATUS);
	used = 0;
}

static void put(uint32_t kind, uint32_t id, uint64_t value)
{
	buffer[used++] = (struct trace_record){ kind, id, value };
	if (used == sizeof buffer / sizeof *buffer)
		flush();
	if (++total > RECORDS_MOST)
		_exit(TRACE_LIMIT_STATUS);
}

void oracle_symbol(uint32_t id, const void *address)
{
	const char *path = getenv("ORACLE_TRACE");
	if (file < 0 && path) {
		file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		atexit(flush);
	}
	put(TRACE_SYMBOL, id, (uintptr_t)address);
}

uint64_t oracle_enter(uint32_t function)
{
	put(TRACE_ENTER, function, ++activations);
	return activations;
}

void oracle_block(uint32_t block) { put(TRACE_BLOCK, block, 0); }
void oracle_value(uint64_t value) { put(TRACE_VALUE, 0, value); }
void oracle_string(const char *s) { put(TRACE_VALUE, 0, s ? strlen(s) + 1 : 0); }
void oracle_return(uint32_t call, uint64_t activation) { put(TRACE_RETURN, call, activation); }
/* Before calls that do not return. */
void oracle_flush(void) { flush(); }

/* The parts of a va_list of x86-64 that va_start has filled. */
void oracle_va_list(const char *list)
{
	uint64_t overflow, saved;
	memcpy(&overflow, list + 8, sizeof overflow);
	memcpy(&saved, list + 16, sizeof saved);
	put(TRACE_VALUE, 0, overflow);
	put(TRACE_VALUE, 0, saved);
}
