/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis */
/* Files in a host's file: what was appended comes back, whatever else is in the file; what is
 * damaged is never taken for a file. */
#include "unit.h"

#include "experiment/read/run_paths.h"
#include "host_file.h"
#include "profile.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { FILES = 5, ROUNDS = 400 };

static const struct { const char *name; size_t size; } made[FILES] = {
	{ "proc-h-1.sis", 0 }, { "trace-h-1.ring", 1 }, { "trace-h-1.sis", 4096 },
	{ "proc-h-2.sis", 100000 }, { "proc-h-3.sis", 4097 }
};

static char directory[UNIT_PATH], host_path[UNIT_PATH + 32];
static int host;

/* Byte `at` of file k. Most of a large file are zeros, as in a profile. */
static unsigned char byte(size_t k, size_t at)
{
	return at > 20000 && at < 90000 ? 0 : (unsigned char)(at * 7 + k + 1);
}

static void start(void)
{
	ck_assert_ptr_nonnull(mkdtemp(unit_template(directory)));
	snprintf(host_path, sizeof host_path, "%s/host-h.sis", directory);
	host = open(host_path, O_RDWR | O_CREAT | O_TRUNC, 0666);
	ck_assert_int_ge(host, 0);
}

static void finish(void)
{
	close(host);
	unlink(host_path);
	rmdir(directory);
}

static int make(size_t k)
{
	int fd = memfd_create("file", 0);
	for (size_t at = 0; at < made[k].size; at++) {
		unsigned char c = byte(k, at);
		ck_assert_int_eq(pwrite(fd, &c, 1, (off_t)at), 1);
	}
	return fd;
}

static int append_made(const char *name, int fd)
{
	return sis_host_append(host, &(struct sis_host_new){ name, fd }, 1);
}

static int append(size_t k, const char *name)
{
	int fd = make(k), failed = append_made(name, fd);
	close(fd);
	return failed;
}

static bool any(const char *name)
{
	(void)name;
	return true;
}

static bool of_process(const char *name)
{
	return strncmp(name, "host-", 5) != 0 && name[0] != '.';
}

/* The number of the file that has exactly this content; FILES: none. */
static size_t file_of(const char *path)
{
	struct stat st;
	struct err err = { 0 };
	int fd = run_path_open(path, &st, &err);
	size_t found = FILES;
	if (fd < 0)
		return FILES;
	unsigned char *bytes = malloc((size_t)st.st_size + 1);
	ck_assert_int_eq(pread(fd, bytes, (size_t)st.st_size, 0), st.st_size);
	close(fd);
	for (size_t k = 0; k < FILES; k++) {
		size_t at = 0;
		while (at < made[k].size && at < (size_t)st.st_size && bytes[at] == byte(k, at))
			at++;
		if (at == made[k].size && made[k].size == (size_t)st.st_size)
			found = k;
	}
	free(bytes);
	return found;
}

START_TEST(what_is_appended_comes_back)
{
	run_paths paths;
	start();
	struct sis_host_new together[SIS_HOST_MOST];
	for (int k = 0; k < SIS_HOST_MOST; k++)
		together[k] = (struct sis_host_new){ made[k].name, make((size_t)k) };
	ck_assert_int_eq(sis_host_append(host, together, SIS_HOST_MOST), 0);
	for (int k = 0; k < SIS_HOST_MOST; k++)
		close(together[k].fd);
	ck_assert_int_eq(append(4, made[4].name), 0);
	ck_assert_uint_eq(lseek(host, 0, SEEK_END) % SIS_PAGE, 0);
	run_paths_find(&paths, directory, of_process);
	ck_assert_uint_eq(paths.n, FILES);
	for (size_t i = 0; i < paths.n; i++) {
		size_t k = file_of(paths.at[i]);
		ck_assert(run_path_is_in_host_file(paths.at[i]));
		ck_assert_uint_lt(k, FILES);
		ck_assert_str_eq(strrchr(paths.at[i], '/') + 1, made[k].name);
		if (k == 2) {
			char *ring = run_path_beside(paths.at[i], "trace-h-1.ring");
			ck_assert_uint_eq(file_of(ring), 1);
			free(ring);
		}
	}
	run_paths_release(&paths);
	finish();
}
END_TEST

/* A writer was killed before it had written the entry; a file was appended twice; the number of a
 * process was used again. */
START_TEST(what_writers_leave)
{
	char torn[10000];
	run_paths paths;
	start();
	memset(torn, 'x', sizeof torn);
	ck_assert_int_eq(append(3, "proc-h-2.sis"), 0);
	ck_assert_int_eq(pwrite(host, torn, sizeof torn, lseek(host, 0, SEEK_END) + 4096),
			 sizeof torn);
	ck_assert_int_eq(append(3, "proc-h-2.sis"), 0);
	ck_assert_int_eq(append(4, "proc-h-2.sis"), 0);
	run_paths_find(&paths, directory, of_process);
	ck_assert_uint_eq(paths.n, 2);
	ck_assert_uint_eq(file_of(paths.at[0]) + file_of(paths.at[1]), 7);
	run_paths_release(&paths);
	finish();
}
END_TEST

START_TEST(no_room)
{
	struct rlimit limit = { 60000, 60000 };
	run_paths paths;
	start();
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(append(4, "proc-h-3.sis"), 0);
	off_t size = lseek(host, 0, SEEK_END);
	int fd = make(3);
	setrlimit(RLIMIT_FSIZE, &limit);
	ck_assert_int_ne(append_made("proc-h-2.sis", fd), 0);
	close(fd);
	ck_assert_int_eq(lseek(host, 0, SEEK_END), size);
	run_paths_find(&paths, directory, of_process);
	ck_assert_uint_eq(paths.n, 1);
	run_paths_release(&paths);
	finish();
}
END_TEST

static uint64_t state = 42;
static uint64_t some(uint64_t below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % below;
}

START_TEST(damage)
{
	start();
	for (size_t k = 0; k < FILES; k++)
		ck_assert_int_eq(append(k, made[k].name), 0);
	off_t size = lseek(host, 0, SEEK_END);
	unsigned char *intact = malloc((size_t)size);
	ck_assert_int_eq(pread(host, intact, (size_t)size, 0), size);
	for (int round = 0; round < ROUNDS; round++) {
		run_paths paths;
		ck_assert_int_eq(pwrite(host, intact, (size_t)size, 0), size);
		for (uint64_t i = some(3); i < 3; i++) {
			uint64_t page = some((uint64_t)size / SIS_PAGE),
				 at = page * SIS_PAGE + some(round % 2 ? 320 : SIS_PAGE);
			unsigned char c = (unsigned char)(intact[at] ^ (1 << some(8)));
			ck_assert_int_eq(pwrite(host, &c, 1, (off_t)at), 1);
		}
		if (round % 5 == 0)
			ck_assert_int_eq(ftruncate(host, (off_t)some((uint64_t)size)), 0);
		run_paths_find(&paths, directory, of_process);
		for (size_t i = 0; i < paths.n; i++) {
			struct err err = { 0 };
			int fd = run_path_open(paths.at[i], NULL, &err);
			ck_assert(fd >= 0 || err.text[0]);
			if (fd >= 0) { /* a checksum does not cover zeros behind a file */
				close(fd);
				ck_assert_uint_lt(file_of(paths.at[i]), FILES);
			}
		}
		run_paths_release(&paths);
	}
	free(intact);
	finish();
}
END_TEST

/* Entries with right checksums that no writer has made. */
START_TEST(hostile)
{
	static const struct { const char *name; uint64_t size; } bad[] = {
		{ "../proc-h-1.sis", 0 }, { "/proc-h-1.sis", 0 }, { "", 0 },
		{ "proc-h-1.sis", 1 }, { "proc-h-1.sis", UINT64_MAX }, { "proc-h-1.sis", 1ull << 63 },
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct sis_host_entry entry = { .magic = SIS_HOST_MAGIC,
						.version = SIS_HOST_VERSION,
						.endian = SIS_PROFILE_ENDIAN,
						.size = bad[i].size };
		run_paths paths;
		start();
		strcpy(entry.name, bad[i].name);
		entry.checksum = sis_checksum(&entry, offsetof(struct sis_host_entry, checksum));
		ck_assert_int_eq(pwrite(host, &entry, sizeof entry, 0), sizeof entry);
		ck_assert_int_eq(ftruncate(host, SIS_PAGE), 0);
		run_paths_find(&paths, directory, any);
		for (size_t k = 0; k < paths.n; k++)
			ck_assert(!run_path_is_in_host_file(paths.at[k]));
		run_paths_release(&paths);
		finish();
	}
}
END_TEST

/* Names that look like paths in a host's file, and are none. */
START_TEST(ordinary_paths)
{
	static const char *const ordinary[] = { "proc-h-1.sis", "a/proc-h-1.sis",
						"host-h.sis@x/p.sis", "other.sis@0/p.sis",
						"host-h.sis/p.sis", "host-h.sis@/p.sis", "@1/p", "/p" };
	for (size_t i = 0; i < sizeof ordinary / sizeof *ordinary; i++)
		ck_assert_msg(!run_path_is_in_host_file(ordinary[i]), "%s", ordinary[i]);
	ck_assert(run_path_is_in_host_file("a.sis@1/host-h.sis@4096/p.sis"));
}
END_TEST

UNIT_MAIN("run_paths", what_is_appended_comes_back, what_writers_leave, no_room, damage, hostile,
	  ordinary_paths)
