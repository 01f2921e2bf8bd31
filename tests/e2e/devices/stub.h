/* SPDX-License-Identifier: BSD-3-Clause */
/* stub.h - the core of a driver without a device. Each stream is a thread that executes what is
 * queued, in order: kernels, which only take time, and copies. */
#include "work.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define STUB __attribute__((visibility("default")))

struct item {
	int ms;
	void *to;
	const void *from;
	size_t bytes;
};
struct stream {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct item item[100];
	unsigned queued, done;
};

static void *execute(void *p)
{
	struct stream *stream = p;
	pthread_mutex_lock(&stream->lock);
	for (;;) {
		while (stream->done == stream->queued)
			pthread_cond_wait(&stream->changed, &stream->lock);
		struct item item = stream->item[stream->done % 100];
		pthread_mutex_unlock(&stream->lock);
		rest(item.ms);
		memcpy(item.to, item.from, item.bytes);
		pthread_mutex_lock(&stream->lock);
		stream->done++;
		pthread_cond_broadcast(&stream->changed);
	}
	return NULL;
}

static struct stream *stream_new(void)
{
	pthread_t thread;
	struct stream *stream = calloc(1, sizeof *stream);
	pthread_mutex_init(&stream->lock, NULL);
	pthread_cond_init(&stream->changed, NULL);
	pthread_create(&thread, NULL, execute, stream);
	pthread_detach(thread);
	return stream;
}

/* The default stream, unless another one is named. */
static struct stream *stream_of(struct stream *named)
{
	static struct stream *usual;
	if (!named && !usual)
		usual = stream_new();
	return named ? named : usual;
}

static void enqueue(struct stream *named, struct item item)
{
	static char nothing;
	struct stream *stream = stream_of(named);
	if (!item.to)
		item.to = &nothing, item.from = &nothing;
	pthread_mutex_lock(&stream->lock);
	stream->item[stream->queued++ % 100] = item;
	pthread_cond_broadcast(&stream->changed);
	pthread_mutex_unlock(&stream->lock);
}

static void drain(struct stream *named)
{
	struct stream *stream = stream_of(named);
	pthread_mutex_lock(&stream->lock);
	while (stream->done != stream->queued)
		pthread_cond_wait(&stream->changed, &stream->lock);
	pthread_mutex_unlock(&stream->lock);
}
