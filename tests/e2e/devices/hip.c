/* SPDX-License-Identifier: BSD-3-Clause */
/* hip.c - code that uses HIP, as a program or, with -DLIBRARY, as a library that is opened.
 *
 *              the thread                                  the stream
 *   launch     begins a kernel of 600 ms and two copies    =======
 *   compute    works for 100 ms                            =======
 *   wait       waits for the stream: 500 ms                =======
 *   download   begins a kernel of 200 ms and copies        =======
 *   again      begins and waits for all: 150 ms            =======
 */
#include "work.h"

#include <stdio.h>
#include <string.h>

typedef struct stream *stream_t;
void kernel(stream_t stream, int ms);
int hipStreamCreate(stream_t *stream), hipStreamSynchronize(stream_t stream);
int hipDeviceSynchronize(void);
int hipMemcpyAsync(void *to, const void *from, size_t bytes, int kind, stream_t stream);
int hipMemcpy(void *to, const void *from, size_t bytes, int kind);
int hipMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
		     size_t height, int kind, stream_t stream);

static stream_t stream;
static char here[1000], there[1000], rows[1000], back[1000];
static int launch(void)
{
	kernel(stream, 600);
	int result = hipMemcpyAsync(there, here, sizeof here, 1, stream);
	return result + hipMemcpy2DAsync(rows, 100, here, 100, 100, 10, 1, stream);
}
static void compute(void) { rest(100); }
static int wait(void) { return hipStreamSynchronize(stream); }
static int download(void)
{
	kernel(NULL, 200);
	return hipMemcpy(back, there, sizeof back, 2);
}
static int again(void)
{
	kernel(NULL, 150);
	return hipDeviceSynchronize();
}

int use(void)
{
	memset(here, 'x', sizeof here);
	hipStreamCreate(&stream);
	int result = launch();
	compute();
	result += wait() + download() + again();
	printf("%d %d %d\n", result, memcmp(here, back, sizeof here),
	       memcmp(here, rows, sizeof here));
	return result;
}

#ifndef LIBRARY
int main(void) { return use(); }
#endif
