/* SPDX-License-Identifier: BSD-3-Clause */
/* link: rtlib/adapters/libc/own_memory.c */
/* The runtime's own functions on bytes and strings do what libc's do. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#define OWN(name) __typeof__(name) __wrap_##name
OWN(memcpy);
OWN(memmove);
OWN(memset);
OWN(memcmp);
OWN(memchr);
OWN(strlen);
OWN(strnlen);
OWN(strcmp);
OWN(strncmp);
OWN(strchr);
OWN(strrchr);

enum { ROUNDS = 20000, SIZE = 100 };
static char a[SIZE], b[SIZE];

/* Few letters, so that much is equal; both are equal up to some place, and both end. */
static void make_texts(void)
{
	for (int i = 0; i < SIZE; i++)
		a[i] = b[i] = (char)(rand() % 5 ? 'a' + rand() % 3 : -rand() % 3);
	for (int i = rand() % SIZE; i < SIZE; i++)
		b[i] = (char)(rand() % 8);
	a[SIZE - 1] = b[SIZE - 1] = '\0';
}

static int sign(int n) { return (n > 0) - (n < 0); }

START_TEST(bytes)
{
	char mine[SIZE], libcs[SIZE];
	for (int round = 0; round < ROUNDS; round++) {
		size_t from = (size_t)rand() % SIZE, to = (size_t)rand() % SIZE;
		size_t most = SIZE - (from > to ? from : to), n = (size_t)rand() % (most + 1);
		make_texts();
		memcpy(mine, b, SIZE), memcpy(libcs, b, SIZE);
		ck_assert_ptr_eq(__wrap_memcpy(mine + to, a + from, n), mine + to);
		memcpy(libcs + to, a + from, n);
		ck_assert_mem_eq(mine, libcs, SIZE);
		ck_assert_ptr_eq(__wrap_memmove(mine + to, mine + from, n), mine + to);
		memmove(libcs + to, libcs + from, n);
		ck_assert_mem_eq(mine, libcs, SIZE);
		ck_assert_ptr_eq(__wrap_memset(mine + to, 0x1f0 + round, n), mine + to);
		memset(libcs + to, 0x1f0 + round, n);
		ck_assert_mem_eq(mine, libcs, SIZE);
		ck_assert_int_eq(sign(__wrap_memcmp(a + to, b + to, n)),
				 sign(memcmp(a + to, b + to, n)));
		ck_assert_ptr_eq(__wrap_memchr(a + to, 'a', n), memchr(a + to, 'a', n));
	}
}
END_TEST

START_TEST(strings)
{
	for (int round = 0; round < ROUNDS; round++) {
		size_t at = (size_t)rand() % SIZE, n = (size_t)rand() % (SIZE + 10);
		int byte = rand() % 4 ? 'a' + rand() % 4 : 0;
		make_texts();
		ck_assert_uint_eq(__wrap_strlen(a + at), strlen(a + at));
		ck_assert_uint_eq(__wrap_strnlen(a + at, n), strnlen(a + at, n));
		ck_assert_int_eq(sign(__wrap_strcmp(a + at, b + at)), sign(strcmp(a + at, b + at)));
		ck_assert_int_eq(sign(__wrap_strncmp(a + at, b + at, n)),
				 sign(strncmp(a + at, b + at, n)));
		ck_assert_ptr_eq(__wrap_strchr(a + at, byte), strchr(a + at, byte));
		ck_assert_ptr_eq(__wrap_strrchr(a + at, byte), strrchr(a + at, byte));
	}
}
END_TEST

UNIT_MAIN("own_memory", bytes, strings)
