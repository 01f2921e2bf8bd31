/* json.c - owns the state of one JSON value being written; one thread a writer. */
#include "base/json.h"

#include <inttypes.h>
#include <math.h>

#include "base/utf8.h"

void json_init(struct json *json, FILE *out)
{
	*json = (struct json){ .out = out };
}

/* What must stand before the next value or key. */
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
	json->filled = true; /* with what was closed just now, whatever the depth */
	if (json->depth == 0)
		putc('\n', json->out);
}

/* Bytes that are no UTF-8 would make the whole output unreadable for strict readers: each becomes U+FFFD. */
static void quoted(FILE *out, const char *text)
{
	putc('"', out);
	for (const unsigned char *p = (const unsigned char *)text; *p;) {
		int n = utf8_length(p);
		if (n == 0) {
			fputs("\\ufffd", out);
			n = 1;
		} else if (*p == '"' || *p == '\\') {
			fprintf(out, "\\%c", *p);
		} else if (*p < 0x20 || *p == 0x7f) {
			fprintf(out, "\\u%04x", *p);
		} else {
			fwrite(p, 1, n, out);
		}
		p += n;
	}
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
	snprintf(text, 32, "%s%" PRIu64 ".%09" PRIu64, ns < 0 ? "-" : "", size / 1000000000u, size % 1000000000u);
	return text;
}

void json_seconds(struct json *json, int64_t ns)
{
	char text[32];
	separate(json);
	fputs(seconds_text(text, ns), json->out);
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
	fputs(text, json->out);
}
