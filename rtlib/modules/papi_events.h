/* SPDX-License-Identifier: BSD-3-Clause */
/* papi_events.h - what the files of libsis-papi.so share.
 *
 *   papi_events.c   the events that can be counted together
 *   papi_module.c   the interface: names of events, and which events fit together
 *   papi_encode.c   what perf_event calls an event
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
	int code;          /* PAPI's; may be another one in a forked child */
	int component;     /* PAPI's number of the component that counts it */
	char metric[128];  /* as the user wrote it */
	char name[128];    /* as PAPI calls it */
};

/* The events that were asked for and can be counted together; a metric's number is its index here.
 * The table grows, under a lock; its elements do not change. */
extern struct papi_event papi_event[PAPI_EVENTS];
extern int papi_events;         /* how many there are */
extern bool papi_may_multiplex; /* SIS_MULTIPLEX */
/* Whether the component's events take turns in the counters (SIS_MULTIPLEX), so that their values
 * are estimates. Set while a metric set is made, read by threads that count. */
extern _Atomic bool papi_multiplexed[PAPI_COMPONENTS];

const char *papi_reason(int failed);           /* PAPI's text for the error, or a better one */
/* Whether a native event occurs only in the kernel, where PAPI does not count by default: the count
 * would be zero. */
bool papi_is_of_kernel(const char *name);
struct sis_papi_code;
int papi_encode(const char *name, struct sis_papi_code *code, const char **why);
int papi_initialize(void);                     /* PAPI_OK or its error */
/* the same in a forked child: initializes PAPI and the codes of the events again */
int papi_after_fork(void);

/* Makes a set with these events and starts it. PAPI_OK, or its error, and then there is no set. */
int papi_start_set(int *set, const int *code, int count, int component, bool multiplex);
void papi_drop_set(int *set);

void papi_running_init(void);                  /* once */
/* after a fork, initializes PAPI in the child; false: that failed */
bool papi_running_ready(void);
void papi_running_forget(void);                /* ends the sets of the calling thread */
/* As sis_source.read. */
const char *papi_running_read(const int *number, int count, uint64_t *value, uint32_t *lost);
/* Between pause and resume the calling thread's events of the component do not count, so that
 * others can be tried. */
void papi_running_pause(int component);
void papi_running_resume(int component);

#endif
