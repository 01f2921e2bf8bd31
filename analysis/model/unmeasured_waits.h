/* unmeasured_waits.h - waits of the program for which the source has no regions, so that they look like work. */
#ifndef SIS_ANALYSIS_UNMEASURED_WAITS_H
#define SIS_ANALYSIS_UNMEASURED_WAITS_H

#include "model/experiment.h"

/* Tells the user of them: once all units are known. */
void unmeasured_waits_warn(struct experiment *x);
/* How such a warning begins: the report has it among what to do next. */
#define UNMEASURED_WARNING "waits of threads for each other count as useful work"

#endif
