/* SPDX-License-Identifier: BSD-3-Clause */
/* stdin.c - a source from standard input. Called by main, compile.c and verify.c.
 * The idea: a source is read several times, by the parser and by each run of the compiler. So a
 * file without a name becomes standard input of this process and of the processes that it starts.
 * The file stays open across execve, so that it can be read after a crash, too. */
#include "driver/stdin.h"
#include "driver/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Writes all bytes. Returns 0, or -1 with the reason in errno. */
static int write_whole(int file, const char *bytes, size_t length)
{
	for (ssize_t put; length; bytes += put, length -= put)
		if ((put = write(file, bytes, length)) < 0) {
			if (errno != EINTR)
				return -1;
			put = 0;
		}
	return 0;
}

static int read_whole(struct buf *out)
{
	char chunk[65536];
	for (ssize_t got;;) {
		got = read(STDIN_FILENO, chunk, sizeof chunk);
		if (got == 0)
			return 0;
		if (got > 0)
			buf_put(out, chunk, got);
		else if (errno != EINTR)
			return -1;
	}
}

/* Writes the text to a file without a name, which becomes standard input. */
static int replace_stdin(const struct buf *text, struct err *err)
{
	const char *name = sis_temporary_name("stdin.c", err);
	if (!name)
		return -1;
	int file = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (file < 0)
		return err_errno(err, "write", name);
	unlink(name);
	struct stat status;
	bool dated = fstat(STDIN_FILENO, &status) == 0;
	int failed = write_whole(file, text->at, text->length) < 0 || dup2(file, STDIN_FILENO) < 0;
	if (failed)
		err_errno(err, "write", name);
	if (!failed && dated) /* for __TIMESTAMP__ */
		futimens(file, (struct timespec[]){ status.st_atim, status.st_mtim });
	close(file);
	return failed ? -1 : 0;
}

int sis_stdin_keep(struct compiler *compiler, struct err *err)
{
	struct buf text = { 0 };
	int failed = 0;
	if (read_whole(&text) == 0) {
		failed = replace_stdin(&text, err);
		compiler->rewinds = !failed;
	}
	buf_release(&text);
	return failed;
}

int sis_stdin_read(struct buf *out, struct err *err)
{
	if (lseek(STDIN_FILENO, 0, SEEK_SET) < 0 || read_whole(out) < 0)
		return err_errno(err, "read", "standard input");
	return 0;
}
