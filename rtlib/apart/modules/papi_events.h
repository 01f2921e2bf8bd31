/* SPDX-License-Identifier: BSD-3-Clause */
/* papi_events.h - the data and functions that the files of libsis-papi.so share.
 *
 *   papi_events.c   the events that can be counted together
 *   papi_module.c   the interface: names of events, and which events fit together
 *   papi_encode.c   perf_event's numbers for an event
 *   papi_running.c  the events that a thread counts, and reading them
 */
#ifndef SIS_PAPI_EVENTS_H
#define SIS_PAPI_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

enum {
	PAPI_EVENTS = 256,
	PAPI_COMPONENTS = 32,
	PAPI_MOST = 32 /* most events of a component that are counted at once */
};

struct papi_event {
	int code;          /* PAPI's number of the event; may differ in a forked child */
	int component;     /* PAPI's number of the component that counts it */
	char metric[128];  /* the name that the user wrote */
	char name[128];    /* PAPI's name */
};

/* The events that were asked for and can be counted together. A metric's number is its index in
 * this table. The table grows, under a lock; its elements do not change. */
extern struct papi_event papi_event[PAPI_EVENTS];
extern int papi_events;         /* number of elements in use */
extern bool papi_may_multiplex; /* SIS_MULTIPLEX */
/* Whether the component's events take turns in the counters (SIS_MULTIPLEX), so that their values
 * are estimates. Set while a metric set is made, read by threads that count. */
extern _Atomic bool papi_multiplexed[PAPI_COMPONENTS];

const char *papi_reason(int failed);           /* PAPI's text for the error, or a clearer one */
/* Whether a native event occurs only in the kernel. PAPI does not count there by default, so the
 * count would be zero. */
bool papi_is_of_kernel(const char *name);
struct sis_papi_code;
int papi_encode(const char *name, struct sis_papi_code *code, const char **why);
int papi_initialize(void);                     /* returns PAPI_OK or PAPI's error */
/* In a forked child: initializes PAPI and the codes of the events again. */
int papi_after_fork(void);

/* Makes a set with these events and starts it. Returns PAPI_OK, or PAPI's error if there is no set.
 */
int papi_start_set(int *set, const int *code, int count, int component, bool multiplex);
void papi_drop_set(int *set);

void papi_running_init(void);                  /* called once */
/* Initializes PAPI if this is a forked child that has not done so. Returns false if this fails. */
bool papi_running_ready(void);
void papi_running_forget(void);                /* ends the sets of the calling thread */
/* See sis_source.read. */
const char *papi_running_read(const int *number, int count, uint64_t *value, uint32_t *lost);
/* Between pause and resume the calling thread's events of the component are not counted, so that
 * other events can be tried. */
void papi_running_pause(int component);
void papi_running_resume(int component);

#endif
