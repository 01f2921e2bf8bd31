/* SPDX-License-Identifier: BSD-3-Clause */
/* live_make.c - see live_make.h. Tests only. */
#include "live_make.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "unit_path.h"

static uint64_t clock_now(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

char *live_make_directory(void)
{
	char *name = malloc(UNIT_PATH);
	ck_assert_ptr_nonnull(mkdtemp(unit_template(name)));
	return name;
}

static void set_header(struct sis_profile_header *h, const struct live_made *made)
{
	uint64_t ago = (uint64_t)made->begun_ms * MS, now = clock_now(CLOCK_MONOTONIC);
	h->start = (struct sis_time_mark){ now - ago, now - ago, clock_now(CLOCK_REALTIME) - ago };
	h->pid = made->pid ? made->pid : 1;
	memset(h->host, 0, sizeof h->host);
	if (made->host)
		strcpy(h->host, made->host);
	else
		gethostname(h->host, sizeof h->host - 1);
	snprintf(h->run_id, sizeof h->run_id, "%s", made->run_id ? made->run_id : "run");
}

static struct profile_writer *write_process(const struct live_made *made)
{
	const char *const names[] = { "main", made->name ? made->name : "work" };
	struct profile_writer *w = writer_new(made->rank, made->size);
	set_header(writer_header(w), made);
	uint64_t start = writer_header(w)->start.ticks,
		 stamp = start + (uint64_t)(made->begun_ms - made->stamp_ms) * MS;
	writer_functions(w, names, 2);
	uint64_t root = writer_thread(w, 0),
		 outer = writer_node(w, 0, root, WRITER_FUNCTION(0), 1, 0),
		 work = writer_node(w, 0, outer, WRITER_FUNCTION(1), made->calls,
				    (uint64_t)made->work_ms * MS),
		 receive = writer_node(w, 0, outer, writer_mpi("MPI_Recv"), 1, 0);
	(void)work;
	writer_node_at(w, root)->start = writer_node_at(w, outer)->start = start;
	writer_node_at(w, receive)->start = stamp;
	writer_thread_at(w, 0)->current = (void *)(uintptr_t)receive;
	writer_thread_at(w, 0)->stamp = stamp;
	return w;
}

static void write_file(const char *path, const unsigned char *bytes, size_t size)
{
	FILE *file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
	ck_assert_int_eq(fclose(file), 0);
}

void live_make(const char *directory, int number, const struct live_made *made)
{
	char path[UNIT_PATH + 64];
	size_t size;
	unsigned char *bytes = writer_take(write_process(made), made->state, &size);
	snprintf(path, sizeof path, "%s/proc-host-%d.sis", directory, number);
	write_file(path, bytes, size);
	free(bytes);
}

void live_make_remove(const char *directory)
{
	char path[2 * UNIT_PATH + 256];
	DIR *dir = opendir(directory);
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
		unlink(path);
	}
	if (dir)
		closedir(dir);
	rmdir(directory);
}

void live_make_look(struct live_run *run)
{
	struct err err = { 0 };
	ck_assert_msg(live_look(run, &err) == 0, "%s", err.text);
}
