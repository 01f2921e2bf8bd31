/* SPDX-License-Identifier: BSD-3-Clause */
// link: rtlib/blame/memory/operand*.c rtlib/blame/memory/instruction.c
/* The operand of an instruction in memory: of many encodings; and of each instruction of libc and
 * of this program, and of generated ones with prefix EVEX, as objdump prints them. */
#include "unit.h"

#include "blame/memory/operand.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __x86_64__

static const char *const names[17] = { "rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp",
				       "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
				       "rip" };
enum { RAX, RDX, RCX, RBX, RSI, RDI, RBP, RSP, R12 = 12, RIP = 16 };
static uint64_t registers[17];
static const uint64_t thread = 0x7fff00000000;

static void set_registers(void)
{
	for (unsigned i = 0; i < 17; i++)
		registers[i] = 0x1111000000 + 0x100010000 * i;
}

static struct sis_operand operand(const uint8_t *code)
{
	return sis__operand(code, registers, thread);
}

/* -- encodings --------------------------------------------------------------------------------- */

struct row {
	const char *bytes;
	enum sis_operand_kind kind;
	uint64_t address;     /* beyond the register ... */
	int base;             /* ... of this number; -1: none */
};

/* As objdump prints them. */
static const struct row rows[] = {
	{ "48 8b 44 24 08", SIS_OPERAND_MEMORY, 8, RSP },       /* mov 0x8(%rsp),%rax */
	{ "8b 00", SIS_OPERAND_MEMORY, 0, RAX },                /* mov (%rax),%eax */
	{ "8b 40 f0", SIS_OPERAND_MEMORY, -0x10, RAX },         /* mov -0x10(%rax),%eax */
	{ "41 8b 84 24 00 01 00 00", SIS_OPERAND_MEMORY, 0x100, R12 }, /* mov 0x100(%r12),%eax */
	{ "41 8b 45 00", SIS_OPERAND_MEMORY, 0, 13 },           /* mov 0x0(%r13),%eax */
	{ "8b 05 10 00 00 00", SIS_OPERAND_MEMORY, 0x16, RIP }, /* mov 0x10(%rip),%eax */
	{ "c7 05 10 00 00 00 01 00 00 00", SIS_OPERAND_MEMORY, 0x1a, RIP },
							/* movl $0x1,0x10(%rip) */
	{ "66 c7 05 10 00 00 00 01 00", SIS_OPERAND_MEMORY, 0x19, RIP },
							/* movw $0x1,0x10(%rip) */
	{ "80 3d 10 00 00 00 07", SIS_OPERAND_MEMORY, 0x17, RIP }, /* cmpb $0x7,0x10(%rip) */
	{ "f6 05 10 00 00 00 07", SIS_OPERAND_MEMORY, 0x17, RIP }, /* testb $0x7,0x10(%rip) */
	{ "f6 15 10 00 00 00", SIS_OPERAND_MEMORY, 0x16, RIP }, /* notb 0x10(%rip) */
	{ "f7 05 10 00 00 00 01 00 00 00", SIS_OPERAND_MEMORY, 0x1a, RIP },
							/* testl $0x1,0x10(%rip) */
	{ "66 0f 3a 0f 05 10 00 00 00 08", SIS_OPERAND_MEMORY, 0x1a, RIP },
							/* palignr $0x8,0x10(%rip),%xmm0 */
	{ "66 0f 70 05 10 00 00 00 1b", SIS_OPERAND_MEMORY, 0x19, RIP },
							/* pshufd $0x1b,0x10(%rip),%xmm0 */
	{ "f2 0f 10 45 f8", SIS_OPERAND_MEMORY, -8, RBP },      /* movsd -0x8(%rbp),%xmm0 */
	{ "8b 04 25 78 56 34 12", SIS_OPERAND_MEMORY, 0x12345678, -1 }, /* mov 0x12345678,%eax */
	{ "48 a1 88 77 66 55 44 33 22 11", SIS_OPERAND_MEMORY, 0x1122334455667788, -1 },
							/* movabs 0x1122334455667788,%rax */
	{ "67 8b 40 04", SIS_OPERAND_MEMORY, 0x11000004, -1 },  /* mov 0x4(%eax),%eax */
	{ "64 48 8b 04 25 28 00 00 00", SIS_OPERAND_MEMORY, thread + 0x28, -1 },
							/* mov %fs:0x28,%rax */
	{ "64 48 8b 04 25 f8 ff ff ff", SIS_OPERAND_MEMORY, thread - 8, -1 },
							/* mov %fs:0xfffffffffffffff8,%rax */
	{ "65 8b 00", SIS_OPERAND_UNKNOWN, 0, -1 },             /* mov %gs:(%rax),%eax */
	{ "50", SIS_OPERAND_MEMORY, -8, RSP },                  /* push %rax */
	{ "6a 01", SIS_OPERAND_MEMORY, -8, RSP },               /* push $0x1 */
	{ "ff 30", SIS_OPERAND_MEMORY, 0, RAX },                /* push (%rax) */
	{ "58", SIS_OPERAND_MEMORY, 0, RSP },                   /* pop %rax */
	{ "8f 00", SIS_OPERAND_MEMORY, 0, RAX },                /* pop (%rax) */
	{ "8f 44 24 08", SIS_OPERAND_MEMORY, 0x10, RSP },       /* pop 0x8(%rsp) */
	{ "41 8f 44 24 08", SIS_OPERAND_MEMORY, 8, R12 },       /* pop 0x8(%r12) */
	{ "e8 00 00 00 00", SIS_OPERAND_MEMORY, -8, RSP },      /* call */
	{ "ff d0", SIS_OPERAND_MEMORY, -8, RSP },               /* call *%rax */
	{ "ff 50 10", SIS_OPERAND_MEMORY, 0x10, RAX },          /* call *0x10(%rax) */
	{ "ff e0", SIS_OPERAND_NONE, 0, -1 },                   /* jmp *%rax */
	{ "ff 60 10", SIS_OPERAND_MEMORY, 0x10, RAX },          /* jmp *0x10(%rax) */
	{ "c3", SIS_OPERAND_MEMORY, 0, RSP },                   /* ret */
	{ "c9", SIS_OPERAND_MEMORY, 0, RBP },                   /* leave */
	{ "f3 48 a5", SIS_OPERAND_MEMORY, 0, RDI },             /* rep movsq */
	{ "aa", SIS_OPERAND_MEMORY, 0, RDI },                   /* stos %al,%es:(%rdi) */
	{ "ac", SIS_OPERAND_MEMORY, 0, RSI },                   /* lods %ds:(%rsi),%al */
	{ "f3 a6", SIS_OPERAND_MEMORY, 0, RSI },                /* repz cmpsb */
	{ "d7", SIS_OPERAND_MEMORY, 0, RBX },                   /* xlat: al is 0 */
	{ "48 8d 44 24 08", SIS_OPERAND_NONE, 0, -1 },          /* lea 0x8(%rsp),%rax */
	{ "66 0f 1f 44 00 00", SIS_OPERAND_NONE, 0, -1 },       /* nopw 0x0(%rax,%rax,1) */
	{ "0f 18 08", SIS_OPERAND_NONE, 0, -1 },                /* prefetcht0 (%rax) */
	{ "0f 0d 08", SIS_OPERAND_NONE, 0, -1 },                /* prefetchw (%rax) */
	{ "f3 0f 1e fa", SIS_OPERAND_NONE, 0, -1 },             /* endbr64 */
	{ "90", SIS_OPERAND_NONE, 0, -1 },                      /* nop */
	{ "48 01 d8", SIS_OPERAND_NONE, 0, -1 },                /* add %rbx,%rax */
	{ "0f ae 38", SIS_OPERAND_NONE, 0, -1 },                /* clflush (%rax) */
	{ "0f ae 18", SIS_OPERAND_MEMORY, 0, RAX },             /* stmxcsr (%rax) */
	{ "f0 48 0f b1 0f", SIS_OPERAND_MEMORY, 0, RDI },       /* lock cmpxchg %rcx,(%rdi) */
	{ "0f ba 28 05", SIS_OPERAND_MEMORY, 0, RAX },          /* btsl $0x5,(%rax) */
	{ "48 0f a3 08", SIS_OPERAND_MEMORY, 0x131102000 / 8, RAX }, /* bt %rcx,(%rax) */
	{ "66 0f f7 c1", SIS_OPERAND_MEMORY, 0, RDI },          /* maskmovdqu %xmm1,%xmm0 */
	{ "c5 f8 10 40 10", SIS_OPERAND_MEMORY, 0x10, RAX },    /* vmovups 0x10(%rax),%xmm0 */
	{ "c4 41 7d 6f 44 24 20", SIS_OPERAND_MEMORY, 0x20, R12 },
							/* vmovdqa 0x20(%r12),%ymm8 */
	{ "c4 e3 7d 18 05 10 00 00 00 01", SIS_OPERAND_MEMORY, 0x1a, RIP },
							/* vinsertf128 $0x1,0x10(%rip),... */
	{ "c4 e2 69 92 04 88", SIS_OPERAND_UNKNOWN, 0, -1 },    /* vgatherdps %xmm2,(%rax,%xmm1,4) */
	{ "c5 f8 77", SIS_OPERAND_NONE, 0, -1 },                /* vzeroupper */
	{ "62 f1 7c 48 10 40 01", SIS_OPERAND_MEMORY, 0x40, RAX }, /* vmovups 0x40(%rax),%zmm0 */
	{ "62 f1 6c 58 58 40 01", SIS_OPERAND_MEMORY, 4, RAX },
							/* vaddps 0x4(%rax){1to16},%zmm2,%zmm0 */
	{ "62 f1 ed 58 58 40 ff", SIS_OPERAND_MEMORY, -8, RAX },
							/* vaddpd -0x8(%rax){1to8},%zmm2,%zmm0 */
	{ "62 f1 ef 08 58 40 02", SIS_OPERAND_MEMORY, 0x10, RAX }, /* vaddsd 0x10(%rax),... */
	{ "62 f2 fd 49 92 44 c8 01", SIS_OPERAND_UNKNOWN, 0, -1 }, /* vgatherdpd ... */
	{ "d9 45 fc", SIS_OPERAND_MEMORY, -4, RBP },            /* flds -0x4(%rbp) */
};

static unsigned parse_bytes(const char *text, uint8_t *bytes)
{
	unsigned count = 0;
	char *end;
	for (; isxdigit((unsigned char)text[0]) && isxdigit((unsigned char)text[1]) && count < 16;
	     text = end + (*end == ' '))
		bytes[count++] = (uint8_t)strtoul(text, &end, 16);
	return count;
}

START_TEST(encodings)
{
	set_registers();
	registers[RCX] = 0x131102000;
	registers[RAX] = 0x1111000000;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint8_t bytes[16] = { 0 };
		unsigned length = parse_bytes(rows[i].bytes, bytes);
		struct sis_operand got = operand(bytes);
		uint64_t base = rows[i].base < 0 ? 0 : registers[rows[i].base];
		ck_assert_msg(got.kind == rows[i].kind && got.length == length,
			      "%s: kind %d, %u bytes", rows[i].bytes, (int)got.kind, got.length);
		ck_assert_msg(got.kind != SIS_OPERAND_MEMORY ||
			      got.address == rows[i].address + base,
			      "%s: at %llx", rows[i].bytes, (unsigned long long)got.address);
	}
}
END_TEST

/* With the registers after the instruction. */
static const struct row after[] = {
	{ "8b 40 10", SIS_OPERAND_UNKNOWN, 0, -1 },             /* mov 0x10(%rax),%eax */
	{ "8b 50 10", SIS_OPERAND_MEMORY, 0x10, RAX },          /* mov 0x10(%rax),%edx */
	{ "89 40 10", SIS_OPERAND_MEMORY, 0x10, RAX },          /* mov %eax,0x10(%rax) */
	{ "48 03 00", SIS_OPERAND_UNKNOWN, 0, -1 },             /* add (%rax),%rax */
	{ "48 01 00", SIS_OPERAND_MEMORY, 0, RAX },             /* add %rax,(%rax) */
	{ "48 3b 00", SIS_OPERAND_MEMORY, 0, RAX },             /* cmp (%rax),%rax */
	{ "83 00 01", SIS_OPERAND_MEMORY, 0, RAX },             /* addl $0x1,(%rax) */
	{ "48 63 00", SIS_OPERAND_UNKNOWN, 0, -1 },             /* movslq (%rax),%rax */
	{ "0f b6 00", SIS_OPERAND_UNKNOWN, 0, -1 },             /* movzbl (%rax),%eax */
	{ "48 0f af 00", SIS_OPERAND_UNKNOWN, 0, -1 },          /* imul (%rax),%rax */
	{ "48 87 00", SIS_OPERAND_UNKNOWN, 0, -1 },             /* xchg %rax,(%rax) */
	{ "f7 20", SIS_OPERAND_UNKNOWN, 0, -1 },                /* mull (%rax) */
	{ "f7 23", SIS_OPERAND_MEMORY, 0, RBX },                /* mull (%rbx) */
	{ "f7 18", SIS_OPERAND_MEMORY, 0, RAX },                /* negl (%rax) */
	{ "f0 0f b1 10", SIS_OPERAND_UNKNOWN, 0, -1 },          /* lock cmpxchg %edx,(%rax) */
	{ "f2 0f 58 00", SIS_OPERAND_MEMORY, 0, RAX },          /* addsd (%rax),%xmm0 */
	{ "f2 48 0f 2d 00", SIS_OPERAND_UNKNOWN, 0, -1 },       /* cvtsd2si (%rax),%rax */
	{ "c5 fb 58 00", SIS_OPERAND_MEMORY, 0, RAX },          /* vaddsd (%rax),%xmm0,%xmm0 */
	{ "c4 e2 f9 f7 00", SIS_OPERAND_UNKNOWN, 0, -1 },       /* shlx %rax,(%rax),%rax */
	{ "50", SIS_OPERAND_MEMORY, 0, RSP },                   /* push %rax */
	{ "58", SIS_OPERAND_MEMORY, -8, RSP },                  /* pop %rax */
	{ "ff 74 24 08", SIS_OPERAND_UNKNOWN, 0, -1 },          /* push 0x8(%rsp) */
	{ "ff 44 24 08", SIS_OPERAND_MEMORY, 8, RSP },          /* incl 0x8(%rsp) */
	{ "f3 48 ab", SIS_OPERAND_MEMORY, -1, RDI },            /* rep stos %rax,%es:(%rdi) */
	{ "8b 05 10 00 00 00", SIS_OPERAND_MEMORY, 0x16, RIP }, /* mov 0x10(%rip),%eax */
};

START_TEST(executed)
{
	set_registers();
	for (size_t i = 0; i < sizeof after / sizeof *after; i++) {
		uint8_t bytes[16] = { 0 };
		unsigned length = parse_bytes(after[i].bytes, bytes);
		struct sis_operand got = sis__operand_after(bytes, registers, thread);
		uint64_t base = after[i].base < 0 ? 0 : registers[after[i].base];
		ck_assert_msg(got.kind == after[i].kind && got.length == length && !got.leaves,
			      "%s: kind %d, %u bytes", after[i].bytes, (int)got.kind, got.length);
		ck_assert_msg(got.kind != SIS_OPERAND_MEMORY ||
			      got.address == after[i].address + base,
			      "%s: at %llx", after[i].bytes, (unsigned long long)got.address);
	}
}
END_TEST

START_TEST(leaving)
{
	static const char *const all[] = { "e8 00 00 00 00", "e9 00 00 00 00", "eb 00", "c3",
					   "ff d0", "ff 20", "0f 0b", "f4", "0f 05" };
	set_registers();
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		uint8_t bytes[16] = { 0 };
		parse_bytes(all[i], bytes);
		ck_assert_msg(operand(bytes).leaves, "%s", all[i]);
	}
	ck_assert(!operand((const uint8_t[16]){ 0x75, 0 }).leaves); /* jne: may be executed next */
}
END_TEST

START_TEST(index_and_scale)
{
	const uint8_t code[] = { 0x43, 0x8b, 0x84, 0xc8, 0x10, 0, 0, 0 }; /* 0x10(%r8,%r9,8) */
	set_registers();
	ck_assert_uint_eq(operand(code).address, registers[8] + 8 * registers[9] + 0x10);
}
END_TEST

/* No byte after the instruction is read: it is the last one of a page, and the next one cannot be
 * read. */
START_TEST(end_of_page)
{
	long page = sysconf(_SC_PAGESIZE);
	uint8_t *memory = mmap(NULL, 2 * (size_t)page, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(memory + page, (size_t)page, PROT_NONE);
	set_registers();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint8_t bytes[16] = { 0 };
		unsigned length = parse_bytes(rows[i].bytes, bytes);
		memcpy(memory + page - length, bytes, length);
		ck_assert_uint_eq(operand(memory + page - length).length, length);
	}
}
END_TEST

START_TEST(any_bytes)
{
	uint8_t bytes[32] = { 0 };
	set_registers();
	srand(1);
	for (int round = 0; round < 300000; round++) {
		for (int i = 0; i < 15; i++)
			bytes[i] = (uint8_t)rand();
		ck_assert_uint_le(operand(bytes).length, 30);
	}
}
END_TEST

/* -- as objdump prints them -------------------------------------------------------------------- */

static bool is_number(const char *text) { return isdigit((unsigned char)*text) || *text == '-'; }

static uint64_t number_at(const char *text)
{
	return *text == '-' ? -strtoull(text + 1, NULL, 16) : strtoull(text, NULL, 16);
}

/* A register of 64 or 32 bits; eiz and riz are no index. False: of vectors. */
static bool register_named(const char *name, size_t length, uint64_t *value, bool *half)
{
	*value = 0;
	*half = name[0] == 'e';
	if (length == 3 && strncmp(name + 1, "iz", 2) == 0)
		return true;
	for (int i = 0; i < 17; i++) {
		size_t full = strlen(names[i]);
		bool is_half = i < 8 && length == 3 && name[0] == 'e' &&
			       strncmp(name + 1, names[i] + 1, 2) == 0;
		is_half |= i >= 8 && i < 16 && length == full + 1 && name[full] == 'd' &&
			   strncmp(name, names[i], full) == 0;
		if (!is_half && (length != full || strncmp(name, names[i], full) != 0))
			continue;
		*value = registers[i];
		*half = is_half;
		return true;
	}
	return false;
}

/* `(%rax,%rcx,8)` with the displacement before it. False: not by one address. */
static bool address_of(const char *open, const char *begin, uint64_t *address)
{
	const char *from = open, *at = open + 1;
	uint64_t base = 0, index = 0, scale = 1;
	bool half = false;
	while (from > begin && strchr("0123456789abcdefx-", from[-1]))
		from--;
	if (*at == '%') {
		size_t length = strcspn(at, ",)");
		if (!register_named(at + 1, length - 1, &base, &half))
			return false;
		at += length;
	}
	if (*at == ',' && at[1] == '%') {
		size_t length = strcspn(++at, ",)");
		if (!register_named(at + 1, length - 1, &index, &half))
			return false;
		at += length;
		scale = *at == ',' ? strtoull(at + 1, NULL, 10) : 1;
	}
	*address = (is_number(from) ? number_at(from) : 0) + base + scale * index;
	if (half)
		*address = (uint32_t)*address;
	if (from - begin >= 4 && strncmp(from - 4, "%fs:", 4) == 0)
		*address += thread;
	return !(from - begin >= 4 && strncmp(from - 4, "%gs:", 4) == 0);
}

static bool begins(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (strncmp(text, *words, strlen(*words)) == 0)
			return true;
	return false;
}

/* Skips what objdump prints before the name of the instruction. */
static const char *skip_prefixes(const char *text)
{
	static const char *const prefixes[] = { "lock ", "rep ", "repz ", "repnz ", "bnd ",
						"notrack ", "data16 ", "cs ", "ds ", "es ", "ss ",
						"fs ", "gs ", "addr32 ", "rex", "xacquire ",
						"xrelease ", "{", NULL };
	while (begins(text, prefixes)) {
		text += strcspn(text, " ");
		text += strspn(text, " ");
	}
	return text;
}

/* The last operand in memory: `(%rax)`, but not `%st(1)`. */
static const char *memory_in(const char *operands)
{
	const char *open = strrchr(operands, '(');
	return open && (open[1] == '%' || open[1] == ',') ? open : NULL;
}

/* An address without registers, such as `0x1000` and `%fs:0x28`. */
static bool is_absolute(const char *operands, struct sis_operand *result)
{
	for (const char *at = operands; *at; at++) {
		if (!strchr(" ,", at[0]) || !(strncmp(at + 1, "0x", 2) == 0 || at[1] == '%'))
			continue;
		bool is_segment = at[1] == '%' && at[3] == 's' && at[4] == ':';
		if (at[1] == '%' && !is_segment)
			continue;
		result->kind = is_segment && at[2] == 'g' ? SIS_OPERAND_UNKNOWN
							  : SIS_OPERAND_MEMORY;
		result->address = number_at(at + (is_segment ? 5 : 1));
		result->address += is_segment && at[2] == 'f' ? thread : 0;
		return true;
	}
	return false;
}

static struct sis_operand wanted(const char *text, uint32_t length)
{
	static const char *const nothing[] = { "lea ", "nop", "prefetch", "clflush", "clwb",
					       "cldemote", "ud", "invlpg ", NULL };
	static const char *const push[] = { "push", "call", "enter", NULL };
	static const char *const pop[] = { "pop ", "popf", "ret", "lret", "iret", NULL };
	static const char *const jumps[] = { "j", "loop", "xbegin", "call", "push", NULL };
	struct sis_operand result = { .kind = SIS_OPERAND_NONE, .length = length };
	const char *name = skip_prefixes(text), *operands = name + strcspn(name, " ");
	const char *open = memory_in(operands);
	if (begins(name, nothing))
		return result;
	registers[RIP] += length; /* what the text means by it */
	result.kind = SIS_OPERAND_MEMORY;
	if (open && !address_of(open, name, &result.address))
		result.kind = SIS_OPERAND_UNKNOWN;
	else if (!open && begins(name, push))
		result.address = registers[RSP] - 8;
	else if (!open && begins(name, pop))
		result.address = registers[RSP];
	else if (!open && strncmp(name, "leave", 5) == 0)
		result.address = registers[RBP];
	else if (!open && (begins(name, jumps) || !is_absolute(operands, &result)))
		result.kind = SIS_OPERAND_NONE;
	registers[RIP] -= length;
	return result;
}

static unsigned compared, differing;
static bool is_generated;

/* objdump prints the broadcast of an element also for instructions that have none. */
static bool is_impossible(const char *text, const uint8_t *code, const struct sis_operand *got)
{
	return is_generated && strstr(text, "{1to") &&
	       got->address == registers[RAX] + (16u << (code[3] >> 5 & 3));
}

/* `  address:<TAB>bytes<TAB>text` */
static void compare(char *line)
{
	char *bytes = strchr(line, '\t'), *text = bytes ? strchr(bytes + 1, '\t') : NULL;
	uint8_t code[32] = { 0 };
	if (!text || strstr(text, "bad") || strstr(text, "data16"))
		return;
	text[strcspn(text, "\n")] = '\0';
	if (strstr(text, " #"))
		*strstr(text, " #") = '\0';
	if (strchr(text, '<'))
		*strchr(text, '<') = '\0';
	uint32_t length = parse_bytes(bytes + 1, code);
	set_registers();
	registers[RAX] &= ~0xffull; /* xlat */
	registers[RIP] = strtoull(line, NULL, 16);
	if (is_generated && (registers[RIP] % 16 != 0 || code[0] != 0x62))
		return; /* of the rest of an instruction that objdump does not know */
	struct sis_operand want = wanted(text + 1, length), got = operand(code);
	if (is_impossible(text, code, &got))
		return;
	compared++;
	if (want.kind == got.kind && want.length == got.length &&
	    (want.kind != SIS_OPERAND_MEMORY || want.address == got.address))
		return;
	if (differing++ < 20)
		printf("# %s: kind %d at %llx, %u bytes; wanted kind %d at %llx, %u bytes\n", line,
		       (int)got.kind, (unsigned long long)got.address, got.length, (int)want.kind,
		       (unsigned long long)want.address, want.length);
}

static void compare_all(const char *arguments)
{
	char command[PATH_MAX + 100], line[1000];
	snprintf(command, sizeof command, "LC_ALL=C objdump -w %s 2>/dev/null", arguments);
	FILE *listing = popen(command, "r");
	ck_assert_ptr_nonnull(listing);
	compared = differing = 0;
	while (fgets(line, sizeof line, listing))
		compare(line);
	pclose(listing);
}

static bool has_objdump(void)
{
	return system("objdump --version >/dev/null 2>&1") == 0;
}

START_TEST(programs)
{
	static const char *const files[] = { "/lib/x86_64-linux-gnu/libc.so.6",
					     "/usr/lib/x86_64-linux-gnu/libsqlite3.so.0",
					     "/proc/self/exe" };
	char arguments[PATH_MAX];
	if (!has_objdump())
		return;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		if (access(files[i], R_OK) != 0)
			continue;
		char *path = realpath(files[i], NULL);
		snprintf(arguments, sizeof arguments, "-d '%s'", path);
		free(path);
		compare_all(arguments);
		printf("# %s: %u instructions, %u differ\n", files[i], compared, differing);
		ck_assert_uint_gt(compared, 1000);
		ck_assert_uint_eq(differing, 0);
	}
}
END_TEST

/* Each opcode of each map with each prefix, W, size of vectors and broadcast, some extensions of
 * the opcode, and a displacement of one byte; 16 bytes each. */
static void write_evex(FILE *file)
{
	static const uint8_t maps[] = { 1, 2, 3, 5, 6 };
	for (unsigned i = 0; i < 5u << 16; i++) {
		unsigned map = maps[i >> 16], opcode = i & 0xff, prefix = i >> 8 & 3;
		unsigned wide = i >> 10 & 1, vector = i >> 11 & 3, broadcast = i >> 13 & 1;
		unsigned reg = 2 + (i >> 14 & 3) * 2 - (i >> 15 & 1); /* 2 4 5 7 */
		uint8_t code[16] = { 0x62, (uint8_t)(0xf0 | map),
				     (uint8_t)(wide << 7 | 0x7c | prefix),
				     (uint8_t)(vector << 5 | broadcast << 4 | 0x08),
				     (uint8_t)opcode, (uint8_t)(0x40 | reg << 3), 0x01 };
		memset(code + 7, 0x90, 9);
		if (vector < 3)
			fwrite(code, 1, sizeof code, file);
	}
}

START_TEST(vectors)
{
	char path[UNIT_PATH], arguments[UNIT_PATH + 100];
	if (!has_objdump())
		return;
	int fd = mkstemp(unit_template(path));
	FILE *file = fdopen(fd, "wb");
	write_evex(file);
	fclose(file);
	is_generated = true;
	snprintf(arguments, sizeof arguments, "-D -b binary -m i386:x86-64 %s", path);
	compare_all(arguments);
	unlink(path);
	printf("# EVEX: %u instructions, %u differ\n", compared, differing);
	ck_assert_uint_gt(compared, 10000);
	ck_assert_uint_eq(differing, 0);
}
END_TEST

UNIT_MAIN("operand", encodings, executed, leaving, index_and_scale, end_of_page, any_bytes,
	  programs, vectors)

#else

START_TEST(unknown) { ck_assert_int_eq(1, 1); } END_TEST
UNIT_MAIN("operand", unknown)

#endif
