/* SPDX-License-Identifier: BSD-3-Clause */
/* json.h - a JSON writer, which sets commas and line ends. */
#ifndef SIS_ANALYSIS_JSON_H
#define SIS_ANALYSIS_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
	FILE *out;
	int depth;
	bool filled; /* whether the innermost open level has a member already */
	bool keyed;  /* a key was written, its value follows */
};

void json_init(struct json *json, FILE *out);
void json_open(struct json *json, char bracket);  /* '{' or '[' */
void json_close(struct json *json, char bracket); /* '}' or ']' */
void json_key(struct json *json, const char *key);
void json_string(struct json *json, const char *text); /* NULL becomes null */
void json_integer(struct json *json, int64_t value);
void json_real(struct json *json, double value); /* null when not finite */
void json_seconds(struct json *json, int64_t ns); /* exact to the nanosecond */
void json_time(struct json *json, int64_t ns);    /* the same; null if less than 0: not known */
void json_bool(struct json *json, bool value);
void json_null(struct json *json);
void json_raw(struct json *json, const char *text); /* a value that is JSON already */
void json_verbatim(struct json *json, const char *text); /* the same, which a json wrote */

/* A key and its value; json_field_open begins an object or array. */
void json_field_open(struct json *json, const char *key, char bracket);
void json_field_string(struct json *json, const char *key, const char *text);
void json_field_integer(struct json *json, const char *key, int64_t value);
void json_field_real(struct json *json, const char *key, double value);
void json_field_seconds(struct json *json, const char *key, int64_t ns);
void json_field_bool(struct json *json, const char *key, bool value);

/* "-1.000000001" for nanoseconds; `text` holds 32 bytes. */
const char *seconds_text(char *text, int64_t ns);

#endif
