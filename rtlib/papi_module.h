/* papi_module.h - the door between libsis and libsis-papi.so: one table, symbol `sis_papi`. */
#ifndef SIS_PAPI_MODULE_H
#define SIS_PAPI_MODULE_H

#include <stdint.h>

/* `why` it cannot be counted here and now; NULL: it can. */
typedef void sis_papi_seen(const char *name, const char *description, const char *why);

struct sis_papi {
	int (*init)(const char **why);                           /* 0, or -1 and why it cannot count */
	int (*find)(const char *metric, const char **why);       /* as sis_source.find */
	void (*each)(sis_papi_seen *seen);                       /* every native event */
	void (*read)(uint32_t set, const int *number, int count, uint64_t *value); /* as sis_source.read */
};

#endif
