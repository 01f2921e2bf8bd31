/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - writes JSON. A struct json is the state of one value that is being written; one thread
 * uses it. */
#include "base/json.h"

#include <inttypes.h>
#include <math.h>

#include "base/escape.h"

void json_init(struct json *json, FILE *out)
{
	*json = (struct json){ .out = out };
}

/* Writes the comma and the line end that separate members. */
static void separate(struct json *json)
{
	if (json->keyed) {
		json->keyed = false;
		return;
	}
	if (json->filled)
		fputs(json->depth > 1 ? ", " : ",\n", json->out);
	json->filled = true;
}

void json_open(struct json *json, char bracket)
{
	separate(json);
	putc(bracket, json->out);
	json->depth++;
	json->filled = false;
}

void json_close(struct json *json, char bracket)
{
	putc(bracket, json->out);
	json->depth--;
	json->filled = true; /* the outer level has a member: the value that was closed */
	if (json->depth == 0)
		putc('\n', json->out);
}

/* Writes a JSON string. A byte that is not UTF-8 becomes U+FFFD, because strict readers would
 * refuse the whole output. */
static void quoted(FILE *out, const char *text)
{
	char next[SIS_ESCAPE_ROOM];
	putc('"', out);
	while (*text)
		fwrite(next, 1, sis_escape_json(next, &text), out);
	putc('"', out);
}

void json_key(struct json *json, const char *key)
{
	separate(json);
	quoted(json->out, key);
	fputs(": ", json->out);
	json->keyed = true;
}

void json_string(struct json *json, const char *text)
{
	separate(json);
	if (text)
		quoted(json->out, text);
	else
		fputs("null", json->out);
}

void json_integer(struct json *json, int64_t value)
{
	separate(json);
	fprintf(json->out, "%" PRId64, value);
}

void json_real(struct json *json, double value)
{
	separate(json);
	if (isfinite(value))
		fprintf(json->out, "%.9g", value);
	else
		fputs("null", json->out);
}

const char *seconds_text(char *text, int64_t ns)
{
	uint64_t size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
	snprintf(text, 32, "%s%" PRIu64 ".%09" PRIu64, ns < 0 ? "-" : "", size / 1000000000u,
		 size % 1000000000u);
	return text;
}

void json_seconds(struct json *json, int64_t ns)
{
	char text[32];
	separate(json);
	fputs(seconds_text(text, ns), json->out);
}

void json_time(struct json *json, int64_t ns)
{
	if (ns < 0)
		json_null(json);
	else
		json_seconds(json, ns);
}

void json_bool(struct json *json, bool value)
{
	separate(json);
	fputs(value ? "true" : "false", json->out);
}

void json_null(struct json *json)
{
	separate(json);
	fputs("null", json->out);
}

void json_raw(struct json *json, const char *text)
{
	separate(json);
	escape_put(text, SIS_ESCAPE_JSON, json->out);
}

void json_verbatim(struct json *json, const char *text)
{
	separate(json);
	fputs(text, json->out);
}

void json_field_open(struct json *json, const char *key, char bracket)
{
	json_key(json, key);
	json_open(json, bracket);
}

void json_field_string(struct json *json, const char *key, const char *text)
{
	json_key(json, key);
	json_string(json, text);
}

void json_field_integer(struct json *json, const char *key, int64_t value)
{
	json_key(json, key);
	json_integer(json, value);
}

void json_field_real(struct json *json, const char *key, double value)
{
	json_key(json, key);
	json_real(json, value);
}

void json_field_seconds(struct json *json, const char *key, int64_t ns)
{
	json_key(json, key);
	json_seconds(json, ns);
}

void json_field_bool(struct json *json, const char *key, bool value)
{
	json_key(json, key);
	json_bool(json, value);
}
