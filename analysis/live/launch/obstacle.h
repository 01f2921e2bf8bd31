/* SPDX-License-Identifier: BSD-3-Clause */
/* obstacle.h - why a program cannot be measured by preloading. */
#ifndef SIS_ANALYSIS_OBSTACLE_H
#define SIS_ANALYSIS_OBSTACLE_H

/* Looks for an obstacle in the files that the words of the command (NULL at the end) name. Returns
 * a sentence that says what it is and what to do, which the caller frees; NULL: none was found. */
char *obstacle_find(const char *const *command);

#endif
