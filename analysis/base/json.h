/* SPDX-License-Identifier: BSD-3-Clause */
/* json.h - a JSON writer, which writes commas and line ends by itself. */
#ifndef SIS_ANALYSIS_JSON_H
#define SIS_ANALYSIS_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
	FILE *out;
	int depth;
	bool filled; /* the innermost open object or array has a member already */
	bool keyed;  /* a key was written; its value follows */
};

void json_init(struct json *json, FILE *out);
void json_open(struct json *json, char bracket);  /* '{' or '[' */
void json_close(struct json *json, char bracket); /* '}' or ']' */
void json_key(struct json *json, const char *key);
void json_string(struct json *json, const char *text); /* NULL becomes null */
void json_integer(struct json *json, int64_t value);
void json_real(struct json *json, double value); /* a value that is not finite becomes null */
void json_seconds(struct json *json, int64_t ns); /* seconds, exact to the nanosecond */
void json_time(struct json *json, int64_t ns);    /* as json_seconds; null if `ns` is negative,
                                                   * which means that the time is not known */
void json_bool(struct json *json, bool value);
void json_null(struct json *json);
void json_raw(struct json *json, const char *text); /* writes a value that is JSON already */
void json_verbatim(struct json *json, const char *text); /* writes text that another struct json
                                                          * wrote, unchanged */

/* These write a key and its value. json_field_open writes a key and begins an object or array. */
void json_field_open(struct json *json, const char *key, char bracket);
void json_field_string(struct json *json, const char *key, const char *text);
void json_field_integer(struct json *json, const char *key, int64_t value);
void json_field_real(struct json *json, const char *key, double value);
void json_field_seconds(struct json *json, const char *key, int64_t ns);
void json_field_bool(struct json *json, const char *key, bool value);

/* Writes nanoseconds as seconds, such as "-1.000000001", to `text`, which has 32 bytes. Returns
 * `text`. */
const char *seconds_text(char *text, int64_t ns);

#endif
