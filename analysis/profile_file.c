/* profile_file.c - a profile file's bytes into memory, no more of them than are in use. One thread a profile. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile_read.h"

/* Bytes in use, as the header says; what lies behind them is reserve of the runtime and may be large. */
static size_t used_size(int fd, size_t size)
{
	struct sis_profile_header head;
	if (pread(fd, &head, sizeof head, 0) != (ssize_t)sizeof head || head.endian != SIS_PROFILE_ENDIAN)
		return size < SIS_PAGE ? size : SIS_PAGE;
	return head.size < size ? head.size > SIS_PAGE ? head.size : SIS_PAGE : size;
}

int profile_read(struct profile *profile, const char *path, struct err *err)
{
	struct stat st;
	unsigned char *bytes = NULL;
	size_t size = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) != 0)
		goto failed;
	size = used_size(fd, st.st_size);
	size = size < (size_t)st.st_size ? size : (size_t)st.st_size;
	bytes = mem_alloc(size, 1);
	for (size_t at = 0; at < size;) {
		ssize_t n = pread(fd, bytes + at, size - at, at);
		if (n < 0 && errno != EINTR)
			goto failed;
		if (n == 0)
			size = at;
		at += n > 0 ? n : 0;
	}
	close(fd);
	return profile_parse(profile, path, bytes, size, err);
failed:
	err_fail(err, "cannot read '%s': %s; check the file and its permissions", path, strerror(errno));
	free(bytes);
	if (fd >= 0)
		close(fd);
	return ERR_FAILED;
}
