/* SPDX-License-Identifier: BSD-3-Clause */
/* fresh_memory.c - counts blocks of malloc that are not all zero, before the program has freed any.
 * Some programs read memory that they have not written, and work because it is zero. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	int dirty = 0;
	for (int turn = 0; turn < 8; turn++)
		for (size_t size = 8; size <= 3000; size += 16) {
			volatile unsigned char *block = malloc(size);
			size_t i = 0;
			while (block && i < size && block[i] == 0)
				i++;
			dirty += block && i < size;
		}
	printf("%d\n", dirty);
	return 0;
}
