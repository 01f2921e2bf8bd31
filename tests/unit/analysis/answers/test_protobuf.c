/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis -lz */
/* The wire format of Protocol Buffers, byte for byte, and what gzip makes of bytes. */
#include "unit.h"

#include <unistd.h>
#include <zlib.h>

#include "base/compress.h"
#include "answers/export/protobuf.h"

/* The bytes as hexadecimal digits. */
static const char *bytes_of(const struct proto *p)
{
	static char text[200];
	text[0] = 0;
	for (size_t i = 0; i < p->byte.n; i++)
		sprintf(text + strlen(text), "%02x", p->byte.at[i]);
	return text;
}

START_TEST(a_number_has_seven_bits_in_a_byte)
{
	static const struct { uint32_t field; uint64_t value; const char *bytes; } is[] = {
		{ 1, 0, "0800" },
		{ 1, 127, "087f" },
		{ 1, 128, "088001" },
		{ 1, 150, "089601" },
		{ 2, 300, "10ac02" },
		{ 15, 1, "7801" },
		{ 16, 1, "800101" },
		{ 1000, 1, "c03e01" },
		{ 1, UINT32_MAX, "08ffffffff0f" },
		{ 1, UINT64_MAX, "08ffffffffffffffffff01" },
	};
	for (size_t i = 0; i < sizeof is / sizeof *is; i++) {
		struct proto p = { 0 };
		proto_uint(&p, is[i].field, is[i].value);
		ck_assert_str_eq(bytes_of(&p), is[i].bytes);
		vec_free(&p.byte);
	}
}
END_TEST

START_TEST(other_fields)
{
	struct proto p = { 0 };
	proto_int(&p, 1, -2);
	ck_assert_str_eq(bytes_of(&p), "08feffffffffffffffff01");
	p.byte.n = 0;
	proto_fixed64(&p, 47, 0x0102);
	ck_assert_str_eq(bytes_of(&p), "f9020201000000000000");
	p.byte.n = 0;
	proto_double(&p, 5, -1.5);
	ck_assert_str_eq(bytes_of(&p), "29000000000000f8bf");
	p.byte.n = 0;
	proto_string(&p, 2, "testing");
	proto_string(&p, 3, "");
	ck_assert_str_eq(bytes_of(&p), "120774657374696e671a00");
	vec_free(&p.byte);
}
END_TEST

START_TEST(messages_are_as_long_as_they_say)
{
	struct proto p = { 0 };
	size_t outer = proto_open(&p, 1), inner = proto_open(&p, 3);
	proto_uint(&p, 1, 150);
	proto_close(&p, inner);
	proto_close(&p, proto_open(&p, 4));
	proto_close(&p, outer);
	proto_uint(&p, 2, 1);
	ck_assert_str_eq(bytes_of(&p), "0a07" "1a03089601" "2200" "1001");
	vec_free(&p.byte);
}
END_TEST

/* Reads the begin of a field with a length, which must be all that is left; returns what is. */
static size_t read_field(const unsigned char **at, size_t left, unsigned tag)
{
	const unsigned char *begin = *at;
	size_t length = 0;
	ck_assert_uint_eq(*(*at)++, tag);
	for (int shift = 0;; shift += 7) {
		length |= (size_t)(**at & 0x7f) << shift;
		if (!(*(*at)++ & 0x80))
			break;
	}
	ck_assert_uint_eq((size_t)(*at - begin) + length, left);
	return length;
}

START_TEST(long_messages_are_moved)
{
	static const size_t lengths[] = { 0, 1, 123, 124, 125, 126, 127, 128, 200, 16377, 16384,
					  3000000 };
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		struct proto p = { 0 };
		char *text = mem_alloc(lengths[i] + 1, 1);
		memset(text, 'x', lengths[i]);
		size_t outer = proto_open(&p, 1), inner = proto_open(&p, 2);
		proto_string(&p, 3, text);
		proto_close(&p, inner);
		proto_close(&p, outer);
		const unsigned char *at = p.byte.at;
		size_t left = read_field(&at, p.byte.n, 0x0a);
		left = read_field(&at, left, 0x12);
		left = read_field(&at, left, 0x1a);
		ck_assert_uint_eq(left, lengths[i]);
		ck_assert(memcmp(at, text, left) == 0);
		vec_free(&p.byte);
		free(text);
	}
}
END_TEST

/* -- gzip -------------------------------------------------------------------------------------- */

/* Writes `length` bytes in parts of `part`, and reads them again. */
static void check_gzip(const unsigned char *bytes, size_t length, size_t part)
{
	FILE *file = tmpfile();
	struct compressor *gzip = compress_new(file, COMPRESS_GZIP);
	unsigned char *again = mem_alloc(length + 1, 1);
	for (size_t at = 0; at < length; at += part)
		compress_write(gzip, bytes + at, length - at < part ? length - at : part);
	compress_finish(gzip);
	ck_assert_int_eq(fflush(file), 0);
	ck_assert_int_eq(lseek(fileno(file), 0, SEEK_SET), 0);
	gzFile reader = gzdopen(dup(fileno(file)), "r");
	ck_assert_int_eq(gzread(reader, again, (unsigned)length + 1), (int)length);
	ck_assert_int_eq(gzdirect(reader), 0);
	ck_assert_int_eq(gzclose(reader), Z_OK);
	ck_assert(memcmp(again, bytes, length) == 0);
	free(again);
	fclose(file);
}

START_TEST(gzip_gives_back_what_was_written)
{
	enum { MANY = 1000000 };
	unsigned char *noise = mem_alloc(MANY, 1), *same = mem_alloc(MANY, 1);
	uint64_t x = 1;
	for (size_t i = 0; i < MANY; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		noise[i] = (unsigned char)(x >> 56);
	}
	check_gzip(noise, 0, 1);
	check_gzip(noise, 1, 1);
	check_gzip(noise, 3000, 7);
	check_gzip(noise, MANY, 1 << 16);
	check_gzip(noise, MANY, MANY);
	check_gzip(same, MANY, 65537);
	free(noise);
	free(same);
}
END_TEST

UNIT_MAIN("protobuf", a_number_has_seven_bits_in_a_byte, other_fields,
	  messages_are_as_long_as_they_say, long_messages_are_moved,
	  gzip_gives_back_what_was_written)
