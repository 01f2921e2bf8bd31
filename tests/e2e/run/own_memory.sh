# SPDX-License-Identifier: BSD-3-Clause
# A program may define memcpy, strlen and their like. The runtime does not call them: they count
# what the program does, and they are measured.
. "$(dirname "$0")/../lib.sh"

source_file prog.c <<'END'
#include <stddef.h>
#include <stdio.h>
static int calls; /* of all functions below */
static char to[4096], from[4096];
void *memcpy(void *restrict a, const void *restrict b, size_t n)
{
	char *x = a;
	const char *y = b;
	calls++;
	for (size_t i = 0; i < n; i++)
		x[i] = y[i];
	return a;
}
void *memmove(void *a, const void *b, size_t n)
{
	char *x = a;
	const char *y = b;
	calls++;
	for (size_t i = 0; i < n; i++)
		x[x < y ? i : n - 1 - i] = y[x < y ? i : n - 1 - i];
	return a;
}
void *memset(void *a, int byte, size_t n)
{
	calls++;
	for (size_t i = 0; i < n; i++)
		((char *)a)[i] = (char)byte;
	return a;
}
int memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *x = a, *y = b;
	calls++;
	for (; n && *x == *y; n--)
		x++, y++;
	return n ? *x - *y : 0;
}
size_t strlen(const char *text)
{
	size_t n = 0;
	calls++;
	while (text[n])
		n++;
	return n;
}
int strcmp(const char *a, const char *b)
{
	calls++;
	while (*a && *a == *b)
		a++, b++;
	return *(const unsigned char *)a - *(const unsigned char *)b;
}
char *strchr(const char *text, int byte)
{
	calls++;
	while (*text && *text != (char)byte)
		text++;
	return *text == (char)byte ? (char *)text : NULL;
}
int main(int argc, char **argv)
{
	int before = calls;
	for (int i = 0; i < 20000; i++) {
		from[i % 4096] = (char)argc;
		memcpy(to, from, 64);
		memset(to, 1, 8);
		memmove(from, to, 8);
	}
	printf("%d %d %d\n", calls - before, memcmp(to, from, 8), strcmp(argv[0], argv[0]));
	return strlen(argv[0]) == 0 || strchr(argv[0], 'p') == NULL;
}
END
gcc -O1 -fno-builtin -w -o plain prog.c || give_up "the plain program"
wanted=$(./plain)
build prog -O1 -fno-builtin -w --sis-cr=CR_F,CR_L prog.c
for setting in SIS_ENABLE=1 SIS_TRACE=1 SIS_BLAME=1000hz SIS_OVERHEAD=off SIS_PATCH=0; do
	run_alone 1 env $setting ./prog
	equal "$setting: only the program's calls count" "$run_status $(cat run.out run.err)" \
		"0 $wanted"
	equal "$setting: the profile has the calls of the program alone" \
		"$(query '[.[] | select(.region == "memmove") | .calls] | add' regions "$EXP")" 20000
	lacks "$setting: all calls were measured" \
		"$(analyze show "$EXP" --json)" "not measured"
done
