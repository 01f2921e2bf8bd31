/* SPDX-License-Identifier: BSD-3-Clause */
/* obstacle.c - finds out why nothing of a command was measured. Called by one thread.
 *
 * Only the dynamic linker of glibc reads LD_PRELOAD, and only for programs of this processor that
 * have no more rights than their user. So the file of each program says whether it can be
 * measured. All words of the command are looked at, because a launcher may be the first one. */
#include "live/launch/obstacle.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/mem.h"

#define BUILD "build it with sisc, which links the runtime into it"

#if defined __x86_64__
#define OWN_MACHINE EM_X86_64
#elif defined __aarch64__
#define OWN_MACHINE EM_AARCH64
#endif

/* Whether the dynamic section in this segment is that of a program. A static program that is
 * position independent has such a section, too. */
static bool is_of_program(int fd, const Elf64_Phdr *segment)
{
	Elf64_Dyn entry;
	for (uint64_t at = 0; at < segment->p_filesz; at += sizeof entry) {
		off_t offset = (off_t)(segment->p_offset + at);
		if (pread(fd, &entry, sizeof entry, offset) != (ssize_t)sizeof entry)
			return true;
		if (entry.d_tag == DT_FLAGS_1)
			return entry.d_un.d_val & DF_1_PIE;
	}
	return false;
}

/* Reads the path of the dynamic linker from an ELF file of this machine; "": it has none. False:
 * the file is no program, or damaged. */
static bool read_interpreter(int fd, const Elf64_Ehdr *head, char *path, size_t size)
{
	bool is_program = true;
	path[0] = '\0';
	for (unsigned i = 0; i < head->e_phnum; i++) {
		Elf64_Phdr segment;
		off_t at = (off_t)(head->e_phoff + (uint64_t)i * sizeof segment);
		if (pread(fd, &segment, sizeof segment, at) != (ssize_t)sizeof segment)
			return false;
		if (segment.p_type == PT_DYNAMIC)
			is_program = is_of_program(fd, &segment);
		if (segment.p_type != PT_INTERP)
			continue;
		size_t length = segment.p_filesz < size ? segment.p_filesz : size - 1;
		if (pread(fd, path, length, (off_t)segment.p_offset) != (ssize_t)length)
			return false;
		path[length] = '\0';
		return true;
	}
	return is_program;
}

static char *obstacle_of_elf(const char *path, int fd, const Elf64_Ehdr *head)
{
	char interpreter[PATH_MAX];
	if (head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_machine != OWN_MACHINE)
		return mem_print("'%s' is for another kind of processor than SIS; build it for "
				 "this one", path);
	if (!read_interpreter(fd, head, interpreter, sizeof interpreter))
		return NULL;
	if (!interpreter[0])
		return mem_print("'%s' is statically linked, so nothing can be preloaded; link it "
				 "dynamically, or " BUILD, path);
	if (strstr(interpreter, "ld-musl"))
		return mem_print("'%s' uses the C library musl, and SIS needs glibc; build it for "
				 "glibc", path);
	return NULL;
}

static bool has_further_rights(const char *path, const struct stat *status)
{
	return ((status->st_mode & S_ISUID) && status->st_uid != getuid()) ||
		((status->st_mode & S_ISGID) && status->st_gid != getgid()) ||
		getxattr(path, "security.capability", NULL, 0) > 0;
}

static char *obstacle_of_file(const char *path, bool is_interpreter)
{
	union { Elf64_Ehdr elf; char text[PATH_MAX]; } head = { .text = "" };
	struct stat status;
	char *found = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return NULL;
	ssize_t length = -1;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0)
		length = pread(fd, &head, sizeof head - 1, 0);
	if (length > 0 && has_further_rights(path, &status))
		found = mem_print("'%s' runs with rights that its user does not have "
				  "(set-user-ID, set-group-ID or capabilities), so nothing is "
				  "preloaded; run a copy without them", path);
	else if (length >= (ssize_t)sizeof head.elf &&
		 memcmp(head.elf.e_ident, ELFMAG, SELFMAG) == 0)
		found = obstacle_of_elf(path, fd, &head.elf);
	else if (length > 2 && memcmp(head.text, "#!", 2) == 0 && !is_interpreter) {
		char *interpreter = head.text + 2 + strspn(head.text + 2, " \t");
		interpreter[strcspn(interpreter, " \t\n")] = '\0';
		found = obstacle_of_file(interpreter, true);
	}
	close(fd);
	return found;
}

/* Looks for the word in the directories of PATH, as exec does. */
static char *obstacle_in_path(const char *word)
{
	const char *list = getenv("PATH") ?: "/usr/bin:/bin";
	for (size_t length; *list; list += length + (list[length] == ':')) {
		length = strcspn(list, ":");
		char *path = mem_print("%.*s/%s", (int)length, list, word);
		bool exists = access(path, X_OK) == 0;
		char *found = exists ? obstacle_of_file(path, false) : NULL;
		free(path);
		if (exists)
			return found;
	}
	return NULL;
}

char *obstacle_find(const char *const *command)
{
	char *found = NULL;
	for (size_t i = 0; !found && command[i]; i++)
		found = strchr(command[i], '/') ? obstacle_of_file(command[i], false) :
						  obstacle_in_path(command[i]);
	return found;
}
