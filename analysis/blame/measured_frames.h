/* SPDX-License-Identifier: BSD-3-Clause */
/* measured_frames.h - the stack of a node of the call graph, as frames of a placed stack.
 *
 *      main > pthread_create        main > loop@12 > solve > MPI_Recv
 *      work > solve > MPI_Recv
 *
 * The outermost function of a thread is called where the thread was created, so both stacks begin
 * in main. */
#ifndef SIS_ANALYSIS_MEASURED_FRAMES_H
#define SIS_ANALYSIS_MEASURED_FRAMES_H

#include "flow/program.h"
#include "model/experiment.h"
#include "place/place.h"

/* What the variables of a time follow from. */
enum subject {
	OF_CALL,        /* what the call moves or waits for */
	OF_REDUCTION,   /* the variables of the construct's reductions */
	OF_CONSTRUCT,   /* nothing: a call or construct without variables, which is named */
	OF_RUN,         /* nothing: any other time. It is kept at the outermost function only */
};

/* The frames in `placed`. unknown: the function of the call is not analysed; a caller has it. */
struct known_frames { size_t first; uint32_t frames; bool truncated, unknown; };

/* Who creates the threads that begin in a function. */
struct creator {
	uint32_t function;     /* FLOW_NONE: nobody, or it is not known */
	size_t first;          /* its statements in `placed` */
	uint32_t count;
	uint32_t node;         /* of that function; NONE: it has none, or several */
};

struct measured_frames {
	const struct experiment *x;
	const struct flow_program *program;
	struct placed *placed;     /* gets the frames and statements */
	struct map functions;      /* region -> function of the program; FLOW_NONE */
	VEC(const char *) unknown; /* functions that are not analysed, each once */
	struct map creators;       /* function -> index of `creator` */
	VEC(struct creator) creator;
};

void measured_frames_init(struct measured_frames *m, struct placed *placed,
			  const struct experiment *x, const struct flow_program *program);
/* name: of what took the time, for OF_CONSTRUCT. */
struct known_frames measured_frames_add(struct measured_frames *m, uint32_t node,
					enum subject subject, const char *name);
void measured_frames_release(struct measured_frames *m);

#endif
