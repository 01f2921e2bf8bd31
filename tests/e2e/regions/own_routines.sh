# SPDX-License-Identifier: BSD-3-Clause
# Programs that have routines of the C library of their own: the runtime calls them, and they have probes.
. "$(dirname "$0")/../lib.sh"

source_file own.c <<'END_C'
#include <stddef.h>
#include <stdio.h>
static int copies;
void *memcpy(void *to, const void *from, size_t n)
{
	char *t = to;
	copies++;
	for (const char *f = from; n > 0; n--)
		*t++ = *f++;
	return to;
}
void *memset(void *to, int c, size_t n)
{
	for (char *t = to; n > 0; n--)
		*t++ = (char)c;
	return to;
}
size_t strlen(const char *s)
{
	size_t n = 0;
	while (s[n])
		n++;
	return n;
}
int main(void)
{
	void *(*volatile copy)(void *, const void *, size_t) = memcpy;
	char a[4] = "abc", b[4];
	int before = copies;
	for (int i = 0; i < 10; i++)
		copy(b, a, sizeof a);
	printf("%s %d\n", b, copies - before);
	return 0;
}
END_C
build own own.c -O1 -w -fno-builtin -fno-tree-loop-distribute-patterns --sis-cr=CR_F,CR_L,CR_STMT,CR_S
run_alone 1 timeout -s KILL 20 ./own
equal "the program ends" "$run_status" 0
equal "it prints what it does without sisc" "$(cat run.out)" "abc 10"
calls=$(query '[.[] | select(.region == "memcpy" and .type == "CR_F") | .calls] | add // 0' regions "$EXP")
check "its own routine is measured, $calls times" [ "$calls" -ge 10 ]
identity "own routines"
