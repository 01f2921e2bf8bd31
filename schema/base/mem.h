/* SPDX-License-Identifier: BSD-3-Clause */
/* mem.h - allocation for the tools, and growing arrays. If memory is out, the program ends.
 *
 * Allocations are bounded by the sizes of the files that are read: profile_read.c checks every
 * count against these sizes. So if memory is out, the machine is the reason and not a damaged
 * input, and one message with exit status 1 is enough. */
#ifndef SIS_BASE_MEM_H
#define SIS_BASE_MEM_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

void *mem_alloc(size_t count, size_t size); /* zeroed */
void *mem_resize(void *at, size_t count, size_t size);
char *mem_string(const char *text);
char *mem_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *mem_print_list(const char *format, va_list arguments);

/* VEC(T) is a growing array of T. A VEC of all zeros is empty. */
#define VEC(T) struct { T *at; size_t n, room; }
#define vec_push(v) \
	(vec_grow((void **)&(v)->at, &(v)->room, (v)->n, sizeof *(v)->at), &(v)->at[(v)->n++])
/* Gives an empty VEC `count` items, which are zeroed. */
#define vec_alloc(v, count) \
	((v)->at = mem_alloc(count, sizeof *(v)->at), (v)->n = (v)->room = (count))
#define vec_free(v) (mem_free((void **)&(v)->at), (v)->n = (v)->room = 0)
void vec_grow(void **at, size_t *room, size_t n, size_t size); /* makes room for one more item,
                                                                * which is zeroed */
void mem_free(void **at);

#endif
