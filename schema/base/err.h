/* SPDX-License-Identifier: BSD-3-Clause */
/* err.h - how functions of the tools fail. The function that finds a problem fills struct err and
 * returns a negative number; main prints the text and returns the exit status. */
#ifndef SIS_BASE_ERR_H
#define SIS_BASE_ERR_H

enum {
	ERR_FAILED = -1, /* exit status 1 */
	ERR_USAGE = -2,  /* exit status 2: the command line is wrong */
};

struct err {
	char text[1200]; /* "problem: reason; what to do"; empty: no error */
};

/* Fills `err` unless it is filled already, because the first text is from the function nearest to
 * the problem. Returns `code`. */
int err_set(struct err *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
#define err_fail(err, ...) err_set(err, ERR_FAILED, __VA_ARGS__)
#define err_usage(err, ...) err_set(err, ERR_USAGE, __VA_ARGS__)
/* Fills `err` with "cannot WHAT 'NAME': reason"; errno gives the reason. Returns ERR_FAILED. */
int err_errno(struct err *err, const char *what, const char *name);

#endif
