/* replay.h - the run as it had been otherwise, and the path through it that its length is due to. */
#ifndef SIS_ANALYSIS_REPLAY_H
#define SIS_ANALYSIS_REPLAY_H

#include "model/experiment.h"

/* Fills x->ideal_ns when all messages were matched. After match_waits. */
void replay(struct experiment *x);
/* critical.c: fills x->critical, whose sum is T_p. After match_waits. */
void critical_path(struct experiment *x);

#endif
