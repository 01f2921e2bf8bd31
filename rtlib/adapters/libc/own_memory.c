/* SPDX-License-Identifier: BSD-3-Clause */
/* own_memory.c - functions on bytes and strings for the runtime's own use. A program may define
 * memcpy and its like, and then the dynamic linker gives the program's function to all libraries.
 * The runtime must not execute the program's function, which may be instrumented, count its calls,
 * or refuse them. So the runtime's libraries are linked with --wrap for each function here (rt_own
 * in module.mk). Their calls of NAME, even those that the compiler adds, become calls of
 * __wrap_NAME. Called by any thread, in signal handlers, too.
 *
 * The functions are simple, because calls are rare: for a few bytes the compiler emits instructions
 * instead of a call.
 *
 * A static program has one function of each name, which libc calls, too. There this file is empty.
 * Modules and their libraries are bound to libc (base/modules.c). */
#ifndef SIS_STATIC
#include <stddef.h>
#include <stdint.h>

/* Declared here, because no other file of the project calls these names. */
void *__wrap_memcpy(void *restrict to, const void *restrict from, size_t n);
void *__wrap_memmove(void *to, const void *from, size_t n);
void *__wrap_memset(void *to, int byte, size_t n);
int __wrap_memcmp(const void *a, const void *b, size_t n);
void *__wrap_memchr(const void *in, int byte, size_t n);
size_t __wrap_strlen(const char *text);
size_t __wrap_strnlen(const char *text, size_t most);
int __wrap_strcmp(const char *a, const char *b);
int __wrap_strncmp(const char *a, const char *b, size_t most);
char *__wrap_strchr(const char *text, int byte);
char *__wrap_strrchr(const char *text, int byte);

struct word { uint64_t value; } __attribute__((packed, may_alias)); /* may be at any address */
enum { WORD = sizeof(struct word) };

/* -- bytes ------------------------------------------------------------------------------------- */

void *__wrap_memcpy(void *restrict to, const void *restrict from, size_t n)
{
	unsigned char *out = to;
	const unsigned char *in = from;
	for (; n >= WORD; n -= WORD, in += WORD, out += WORD)
		((struct word *)out)->value = ((const struct word *)in)->value;
	while (n--)
		*out++ = *in++;
	return to;
}

void *__wrap_memmove(void *to, const void *from, size_t n)
{
	unsigned char *out = to;
	const unsigned char *in = from;
	if ((uintptr_t)to - (uintptr_t)from >= n) { /* nothing is overwritten before it is read */
		while (n--)
			*out++ = *in++;
		return to;
	}
	while (n--)
		out[n] = in[n];
	return to;
}

void *__wrap_memset(void *to, int byte, size_t n)
{
	unsigned char *out = to;
	uint64_t word = (unsigned char)byte * UINT64_C(0x0101010101010101);
	for (; n >= WORD; n -= WORD, out += WORD)
		((struct word *)out)->value = word;
	while (n--)
		*out++ = (unsigned char)byte;
	return to;
}

int __wrap_memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *x = a, *y = b;
	for (; n >= WORD && ((const struct word *)x)->value == ((const struct word *)y)->value;
	     n -= WORD)
		x += WORD, y += WORD;
	for (; n && *x == *y; n--)
		x++, y++;
	return n ? *x - *y : 0;
}

void *__wrap_memchr(const void *in, int byte, size_t n)
{
	const unsigned char *at = in;
	for (; n; n--, at++)
		if (*at == (unsigned char)byte)
			return (void *)at;
	return NULL;
}

/* -- strings ----------------------------------------------------------------------------------- */

size_t __wrap_strlen(const char *text)
{
	const char *end = text;
	while (*end)
		end++;
	return (size_t)(end - text);
}

size_t __wrap_strnlen(const char *text, size_t most)
{
	size_t length = 0;
	while (length < most && text[length])
		length++;
	return length;
}

int __wrap_strcmp(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return (unsigned char)*a - (unsigned char)*b;
}

int __wrap_strncmp(const char *a, const char *b, size_t most)
{
	for (; most && *a && *a == *b; most--)
		a++, b++;
	return most ? (unsigned char)*a - (unsigned char)*b : 0;
}

char *__wrap_strchr(const char *text, int byte)
{
	while (*text && *text != (char)byte)
		text++;
	return *text == (char)byte ? (char *)text : NULL;
}

char *__wrap_strrchr(const char *text, int byte)
{
	const char *last = NULL;
	for (;; text++) {
		if (*text == (char)byte)
			last = text;
		if (!*text)
			return (char *)last;
	}
}
#endif
