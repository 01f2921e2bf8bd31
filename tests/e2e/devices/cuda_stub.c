/* SPDX-License-Identifier: BSD-3-Clause */
/* cuda_stub.c - a libcuda.so.1 without a device (stub.h). It has a few functions of the driver,
 * with their types, and kernel(), which begins a kernel that takes so many milliseconds. */
#include "stub.h"

STUB void kernel(struct stream *stream, int ms) { enqueue(stream, (struct item){ .ms = ms }); }
STUB int cuInit(unsigned flags) { return flags ? 1 : 0; }
STUB int cuStreamCreate(struct stream **stream, unsigned flags)
{
	(void)flags;
	*stream = stream_new();
	return 0;
}
STUB int cuStreamSynchronize(struct stream *stream)
{
	drain(stream);
	return 0;
}
/* The form for the default stream of each thread: it says so by its result. */
STUB int cuStreamSynchronize_ptsz(struct stream *stream)
{
	drain(stream);
	return 600;
}
STUB int cuCtxSynchronize(void)
{
	drain(NULL);
	return 0;
}
STUB int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, struct stream *stream)
{
	enqueue(stream, (struct item){ 0, (void *)(uintptr_t)to, from, bytes });
	return 0;
}
STUB int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes)
{
	enqueue(NULL, (struct item){ 0, to, (const void *)(uintptr_t)from, bytes });
	drain(NULL);
	return 0;
}
STUB int cuGetProcAddress_v2(const char *name, void **found, int version, uint64_t flags,
			     int *status)
{
	enum { EACH_THREAD = 2 };
	static const struct {
		const char *name;
		void *function, *each;
	} known[] = {
		{ "cuInit", (void *)cuInit, NULL },
		{ "cuStreamCreate", (void *)cuStreamCreate, NULL },
		{ "cuStreamSynchronize", (void *)cuStreamSynchronize,
		  (void *)cuStreamSynchronize_ptsz },
		{ "cuCtxSynchronize", (void *)cuCtxSynchronize, NULL },
		{ "cuMemcpyHtoDAsync", (void *)cuMemcpyHtoDAsync_v2, NULL },
		{ "cuMemcpyDtoH", (void *)cuMemcpyDtoH_v2, NULL },
		{ "cuGetProcAddress", (void *)cuGetProcAddress_v2, NULL },
	};
	(void)version;
	*found = NULL;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strcmp(known[i].name, name) == 0)
			*found = flags & EACH_THREAD && known[i].each ? known[i].each :
									known[i].function;
	if (status)
		*status = *found ? 0 : 1;
	return *found ? 0 : 500;
}
