/* SPDX-License-Identifier: BSD-3-Clause */
/* measured_frames.h - the stack of a node of the call graph, as frames of a placed stack.
 *
 *      main > pthread_create        main > loop@12 > solve > MPI_Recv
 *      work > solve > MPI_Recv
 *
 * The outermost function of a thread is treated as called where the thread was created. So both
 * stacks begin in main. */
#ifndef SIS_ANALYSIS_MEASURED_FRAMES_H
#define SIS_ANALYSIS_MEASURED_FRAMES_H

#include "blame/flow/program.h"
#include "experiment/model/experiment.h"
#include "blame/place/place.h"

/* Where the variables that a time belongs to are found. */
enum subject {
	OF_CALL,        /* the memory that the call moves or waits for */
	OF_REDUCTION,   /* the variables of the construct's reductions */
	OF_CONSTRUCT,   /* no variables: the time is shown with the name of its call or construct */
	OF_RUN,         /* no variables: any other time. It is shown at the outermost function
	                 * only */
};

/* The frames of a node: placed->frame[first ...]. unknown: the function that has the call is not
 * analysed, so a caller's frame stands for it. */
struct known_frames { size_t first; uint32_t frames; bool truncated, unknown; };

/* The function that creates the threads which begin in another function. */
struct creator {
	uint32_t function;     /* number of the function; FLOW_NONE: there is none, or it is not
	                        * known */
	size_t first;          /* the creating statements: placed->statement[first ...] */
	uint32_t count;
	uint32_t node;         /* the node of `function`; NONE: it has none, or several */
};

struct measured_frames {
	const struct experiment *x;
	const struct flow_program *program;
	struct placed *placed;     /* gets the frames and statements */
	struct map functions;      /* region -> function of the program; FLOW_NONE: none */
	VEC(const char *) unknown; /* functions that are not analysed, each once */
	struct map creators;       /* function -> index of `creator` */
	VEC(struct creator) creator;
};

void measured_frames_init(struct measured_frames *m, struct placed *placed,
			  const struct experiment *x, const struct flow_program *program);
/* Adds the frames of a node. `name`, for OF_CONSTRUCT: the call or construct that took the time. */
struct known_frames measured_frames_add(struct measured_frames *m, uint32_t node,
					enum subject subject, const char *name);
void measured_frames_release(struct measured_frames *m);

#endif
