/* SPDX-License-Identifier: BSD-3-Clause */
/* mem.h - allocation that ends the program when memory is out, and growing arrays.
 *
 * The sizes that are allocated are bounded by the sizes of the files that are read (profile_read.c
 * checks every count against them). So memory that is out is a state of the machine and not the
 * fault of an input: one message, exit status 1. */
#ifndef SIS_ANALYSIS_MEM_H
#define SIS_ANALYSIS_MEM_H

#include <stddef.h>
#include <stdint.h>

void *mem_alloc(size_t count, size_t size); /* zeroed */
char *mem_string(const char *text);
char *mem_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* VEC(T) is a growing array; all zeros is an empty one. */
#define VEC(T) struct { T *at; size_t n, room; }
#define vec_push(v) \
	(vec_grow((void **)&(v)->at, &(v)->room, (v)->n, sizeof *(v)->at), &(v)->at[(v)->n++])
/* Makes an empty one have `count` items, which are zeroed. */
#define vec_alloc(v, count) \
	((v)->at = mem_alloc(count, sizeof *(v)->at), (v)->n = (v)->room = (count))
#define vec_free(v) (mem_free((void **)&(v)->at), (v)->n = (v)->room = 0)
void vec_grow(void **at, size_t *room, size_t n, size_t size); /* makes room for one more, zeroed */
void mem_free(void **at);

#endif
