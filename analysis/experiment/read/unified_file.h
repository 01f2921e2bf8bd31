/* SPDX-License-Identifier: BSD-3-Clause */
/* unified_file.h - reads the file of all ranks (schema/unified.h), which has a profile for each
 * rank. */
#ifndef SIS_ANALYSIS_UNIFIED_FILE_H
#define SIS_ANALYSIS_UNIFIED_FILE_H

#include "experiment/read/profile_read.h"
#include "unified.h"

struct unified {
	char *file;
	char *path;    /* for messages: the file, or the rank that is read */
	int fd;
	uint64_t size; /* of the file */
	uint64_t end;  /* the next profile begins at this offset or later */
	unsigned char *common; /* descriptions that were left out of the profiles */
	struct sis_unified_header head;
};

/* Opens the file and reads its head. If this fails, the caller need not close anything. */
int unified_open(struct unified *u, const char *path, struct err *err);
/* Reads the profile of a rank. Returns 1 on success, 0 if the file has no profile of the rank, or
 * an error. Ranks must be read in their order. After an error, the other ranks can still be
 * read. */
int unified_profile(struct unified *u, uint32_t rank, struct profile *p, struct err *err);
void unified_close(struct unified *u);

#endif
