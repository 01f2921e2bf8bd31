/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that generates code, as an interpreter with a compiler does: `made_call`, which calls
 * back into C as Python's trampolines do, and `made_loop`, which computes and has a frame pointer.
 *
 *	generated MAP MS    computes for MS milliseconds of CPU time, as
 *
 *	main > enter > made_call > back > made_loop
 *
 * MAP is the perf map that it writes: none; map; old (as if an earlier process had written it);
 * link (a symbolic link to a map); other (it belongs to another user); fifo; wild (anything);
 * large (more than 64 MiB); killed (a map, and the process is killed at its end). */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* sub $8,%rsp; call *%rdi; add $8,%rsp; ret */
static const unsigned char made_call[] = { 0x48, 0x83, 0xec, 8, 0xff, 0xd7, 0x48, 0x83, 0xc4, 8,
					   0xc3 };
/* push %rbp; mov %rsp,%rbp; mov $1000000,%ecx; again: dec %ecx; jnz again; pop %rbp; ret */
static const unsigned char made_loop[] = { 0x55, 0x48, 0x89, 0xe5, 0xb9, 0x40, 0x42, 0x0f, 0,
					   0xff, 0xc9, 0x75, 0xfc, 0x5d, 0xc3 };
enum { CALL = 0, LOOP = 64, BYTES = 4096 };

static unsigned char *code;
static long limit_ms;

static void back(void)
{
	while (clock() / (CLOCKS_PER_SEC / 1000) < limit_ms)
		((void (*)(void))(code + LOOP))();
}

static void enter(void)
{
	((void (*)(void (*)(void)))(code + CALL))(back);
	__asm__ volatile("" ::: "memory"); /* no tail call */
}

static void write_map(const char *path)
{
	FILE *file = fopen(path, "w");
	fprintf(file, "%lx %zx made_call\n%lx %zx py::made_loop:/nowhere/script.py\n",
		(unsigned long)code + CALL, sizeof made_call, (unsigned long)code + LOOP,
		sizeof made_loop);
	fclose(file);
}

static void write_wild(const char *path)
{
	FILE *file = fopen(path, "w");
	for (unsigned i = 0; i < 200000; i++)
		fprintf(file, "%lx %x \033[31m<b>%c%c\"'\n\n", (unsigned long)code + i % 256,
			i % 97, (int)(128 + i % 128), (int)(1 + i % 250));
	fwrite(made_call, sizeof made_call, 1, file);
	fclose(file);
}

int main(int n, char **argument)
{
	const char *kind = n > 2 ? argument[1] : "none";
	struct timespec long_ago[2] = { { 1000000000, 0 }, { 1000000000, 0 } };
	char map[64], other[64];
	limit_ms = n > 2 ? atol(argument[2]) : 0;
	code = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(code + CALL, made_call, sizeof made_call);
	memcpy(code + LOOP, made_loop, sizeof made_loop);
	mprotect(code, BYTES, PROT_READ | PROT_EXEC);
	snprintf(map, sizeof map, "/tmp/perf-%d.map", (int)getpid());
	snprintf(other, sizeof other, "/tmp/sis-generated-%d", (int)getpid());
	if (strcmp(kind, "fifo") == 0)
		mkfifo(map, 0600);
	else if (strcmp(kind, "wild") == 0)
		write_wild(map);
	else if (strcmp(kind, "link") == 0)
		write_map(other), (void)!symlink(other, map);
	else if (strcmp(kind, "none") != 0)
		write_map(map);
	if (strcmp(kind, "large") == 0)
		(void)!truncate(map, 65 << 20);
	if (strcmp(kind, "old") == 0)
		utimensat(AT_FDCWD, map, long_ago, 0);
	if (strcmp(kind, "other") == 0)
		(void)!chown(map, 12345, 12345);
	enter();
	printf("%d\n", (int)getpid());
	fflush(stdout);
	if (strcmp(kind, "killed") == 0)
		kill(getpid(), SIGKILL);
	return 7;
}
