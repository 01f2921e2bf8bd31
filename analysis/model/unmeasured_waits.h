/* unasked.h - waits that the program has and that were not measured, since nobody asked for them. */
#ifndef SIS_ANALYSIS_UNASKED_H
#define SIS_ANALYSIS_UNASKED_H

#include "model/experiment.h"

/* Tells the user of them: once all units are known. */
void unasked_warn(struct experiment *x);
/* How such a warning begins: the report has it among what to do next. */
#define UNASKED_WARNING "waits of threads for each other count as useful work"

#endif
