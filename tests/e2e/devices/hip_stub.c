/* SPDX-License-Identifier: BSD-3-Clause */
/* hip_stub.c - a libamdhip64.so without a device (stub.h). It has a few functions of HIP, with
 * their types, and kernel(), which begins a kernel that takes so many milliseconds. */
#include "stub.h"

enum { HOST_TO_DEVICE = 1, DEVICE_TO_HOST = 2 };

STUB void kernel(struct stream *stream, int ms) { enqueue(stream, (struct item){ .ms = ms }); }
STUB int hipStreamCreate(struct stream **stream)
{
	*stream = stream_new();
	return 0;
}
STUB int hipStreamSynchronize(struct stream *stream)
{
	drain(stream);
	return 0;
}
STUB int hipDeviceSynchronize(void)
{
	drain(NULL);
	return 0;
}
STUB int hipMemcpyAsync(void *to, const void *from, size_t bytes, int kind, struct stream *stream)
{
	enqueue(stream, (struct item){ 0, to, from, bytes });
	return kind == HOST_TO_DEVICE ? 0 : 1;
}
STUB int hipMemcpy(void *to, const void *from, size_t bytes, int kind)
{
	enqueue(NULL, (struct item){ 0, to, from, bytes });
	drain(NULL);
	return kind == DEVICE_TO_HOST ? 0 : 1;
}
/* It has more arguments than there are registers for arguments. */
STUB int hipMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
			  size_t width, size_t height, int kind, struct stream *stream)
{
	for (size_t i = 0; i < height; i++)
		enqueue(stream,
			(struct item){ 0, (char *)to + i * to_pitch,
				       (const char *)from + i * from_pitch, width });
	return kind == HOST_TO_DEVICE ? 0 : 1;
}
