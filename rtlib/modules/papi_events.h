/* SPDX-License-Identifier: BSD-3-Clause */
/* papi_events.h - what the files of libsis-papi.so share.
 *
 *   papi_events.c   the events that can be counted together
 *   papi_module.c   the interface: names, what there is, which events fit together
 *   papi_running.c  the events that a thread counts, and reading them
 */
#ifndef SIS_PAPI_EVENTS_H
#define SIS_PAPI_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

enum {
	PAPI_EVENTS = 256,
	PAPI_COMPONENTS = 32,
	PAPI_MOST = 32 /* events of a component that are counted at once */
};

struct papi_event {
	int code;          /* PAPI's; a forked child's are its own */
	int component;     /* PAPI's number of who counts it */
	char metric[128];  /* as the user wrote it */
	char name[128];    /* as PAPI calls it */
};

/* Those that were asked for and can be counted together; a metric's number is its place here.
 * Grows, under a lock; what is in it stays. */
extern struct papi_event papi_event[PAPI_EVENTS];
extern int papi_events;         /* how many there are */
extern bool papi_may_multiplex; /* SIS_MULTIPLEX */
/* Its events take turns: what they count is an estimate. Set while a set is made, read by whoever
 * counts. */
extern _Atomic bool papi_multiplexed[PAPI_COMPONENTS];

const char *papi_reason(int failed);           /* in PAPI's words, or better ones */
int papi_initialize(void);                     /* PAPI_OK or its error */
/* likewise, in a child: PAPI and the codes of the events anew */
int papi_after_fork(void);

/* A set with these events, started; PAPI_OK or its error, and then nothing is left of it. */
int papi_start_set(int *set, const int *code, int count, int component, bool multiplex);
void papi_drop_set(int *set);

void papi_running_init(void);                  /* once */
/* PAPI is this process's own; false: it cannot be, after a fork */
bool papi_running_ready(void);
void papi_running_forget(void);                /* what the calling thread counts */
/* As sis_source.read. */
const char *papi_running_read(const int *number, int count, uint64_t *value, uint32_t *lost);
/* Between the two the calling thread's own events of the component do not count, so that others
 * can be tried. */
void papi_running_pause(int component);
void papi_running_resume(int component);

#endif
