/* SPDX-License-Identifier: BSD-3-Clause */
/* cuda.c - a program that uses the driver of CUDA.
 *
 *   cuda linked|dlsym|asked    how it finds the driver's functions. `asked`: as CUDA's static
 *                              runtime does it, by cuGetProcAddress
 *
 *              the thread                                  the stream
 *   launch     begins a kernel of 600 ms                   =======
 *   compute    works for 100 ms                            =======
 *   wait       waits for the stream: 500 ms                =======
 *   upload     begins a kernel of 200 ms and a copy        =======
 *   download   copies: waits for the 200 ms                =======
 *   again      begins and waits: 150 ms, twice             =======
 */
#define _GNU_SOURCE
#include "work.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct stream *CUstream;
static struct {
	void (*kernel)(CUstream stream, int ms);
	int (*init)(unsigned flags);
	int (*stream_create)(CUstream *stream, unsigned flags);
	int (*wait)(CUstream stream), (*wait_of_thread)(CUstream stream);
	int (*wait_for_all)(void);
	int (*to)(uint64_t to, const void *from, size_t bytes, CUstream stream);
	int (*from)(void *to, uint64_t from, size_t bytes);
} cuda;

#ifdef LINKED
void kernel(CUstream stream, int ms);
int cuInit(unsigned flags), cuStreamCreate(CUstream *stream, unsigned flags);
int cuStreamSynchronize(CUstream stream), cuStreamSynchronize_ptsz(CUstream stream);
int cuCtxSynchronize(void);
int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, CUstream stream);
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes);
static void find(const char *how)
{
	(void)how;
	cuda.kernel = kernel;
	cuda.init = cuInit;
	cuda.stream_create = cuStreamCreate;
	cuda.wait = cuStreamSynchronize;
	cuda.wait_of_thread = cuStreamSynchronize_ptsz;
	cuda.wait_for_all = cuCtxSynchronize;
	cuda.to = cuMemcpyHtoDAsync_v2;
	cuda.from = cuMemcpyDtoH_v2;
}
#else
static void find(const char *how)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOW);
	int (*ask)(const char *, void **, int, uint64_t, int *) = NULL, (*again)() = NULL;
	*(void **)&cuda.kernel = dlsym(driver, "kernel");
	*(void **)&ask = dlsym(driver, "cuGetProcAddress_v2");
#define FIND(member, function, ending, flags) \
	if (strcmp(how, "asked") == 0) \
		ask(function, (void **)&cuda.member, 12000, flags, NULL); \
	else \
		*(void **)&cuda.member = dlsym(driver, function ending)
	if (strcmp(how, "asked") == 0) /* the address that the driver itself gives for it */
		ask("cuGetProcAddress", (void **)&again, 12000, 0, NULL), *(void **)&ask = again;
	FIND(init, "cuInit", "", 0);
	FIND(stream_create, "cuStreamCreate", "", 0);
	FIND(wait, "cuStreamSynchronize", "", 0);
	FIND(wait_of_thread, "cuStreamSynchronize", "_ptsz", 2);
	FIND(wait_for_all, "cuCtxSynchronize", "", 0);
	FIND(to, "cuMemcpyHtoDAsync", "_v2", 0);
	FIND(from, "cuMemcpyDtoH", "_v2", 0);
}
#endif

static CUstream stream;
static char here[1000], there[1000], back[1000];
static void launch(void) { cuda.kernel(stream, 600); }
static void compute(void) { rest(100); }
static int wait(void) { return cuda.wait(stream); }
static void upload(void)
{
	cuda.kernel(NULL, 200);
	cuda.to((uintptr_t)there, here, sizeof here, NULL);
}
static void download(void) { cuda.from(back, (uintptr_t)there, sizeof back); }
static int again(void)
{
	cuda.kernel(stream, 150);
	int result = cuda.wait_of_thread(stream);
	cuda.kernel(NULL, 150);
	return result + cuda.wait_for_all();
}

int main(int argc, char **argv)
{
	find(argc > 1 ? argv[1] : "linked");
	memset(here, 'x', sizeof here);
	cuda.init(0);
	cuda.stream_create(&stream, 0);
	launch();
	compute();
	int waited = wait();
	upload();
	download();
	int last = again();
	printf("%d %d %d\n", waited, last, memcmp(here, back, sizeof here));
	return 0;
}
