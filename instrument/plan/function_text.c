/* SPDX-License-Identifier: BSD-3-Clause */
/* function_text.c - see function_text.h. In libsis-instrument, called by idf.c.
 * The idea: macros are expanded in the tokens, so the tokens show the effect of flags of the
 * preprocessor. Of the other flags, only those that influence the code are compared: -O, -f, -m,
 * -std, --param, -ansi, -pg. */
#include "plan/function_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fnv.h"

/* -- texts ------------------------------------------------------------------------------------- */

void sis_function_texts_init(struct function_texts *texts, const struct sis_plan *plan)
{
	size_t n = sis_ast_function_count(plan->ast);
	*texts = (struct function_texts){
		.plan = plan,
		.measured = mem_alloc(n + 1, sizeof *texts->measured),
		.seen = mem_alloc(n + 1, sizeof *texts->seen),
		.waiting = mem_alloc(n + 1, sizeof *texts->waiting),
	};
	for (size_t i = 0; i < plan->regions; i++) {
		enum sis_region_type type = sis_ast_region(plan->ast, i)->type;
		if (plan->choice[i].measured && (type == CR_F || type == CR_P))
			texts->measured[sis_ast_function_of(plan->ast, i)] = true;
	}
}

void sis_function_texts_release(struct function_texts *texts)
{
	free(texts->measured);
	free(texts->seen);
	free(texts->waiting);
}

/* Adds the callees of a function that this walk has not seen yet. Measured callees are added only
 * if `all` is true. */
static size_t add_callees(struct function_texts *texts, size_t function, bool all, size_t waiting)
{
	const struct sis_ast_function *f = sis_ast_function(texts->plan->ast, function);
	for (size_t i = 0; i < f->callee_count; i++) {
		size_t callee = f->callees[i];
		if ((texts->measured[callee] && !all) || texts->seen[callee] == texts->walk)
			continue;
		texts->seen[callee] = texts->walk;
		texts->waiting[waiting++] = callee;
	}
	return waiting;
}

/* The sum of the checksums of all functions that a function uses, directly or indirectly. If `all`
 * is false, only functions that are not measured count. The sum does not depend on the order of the
 * functions. It is 0 if no function counts. */
static uint64_t sum_callees(struct function_texts *texts, size_t function, bool all)
{
	uint64_t sum = 0;
	texts->seen[function] = ++texts->walk;
	for (size_t n = add_callees(texts, function, all, 0); n;) {
		size_t callee = texts->waiting[--n];
		uint64_t own = sis_ast_function(texts->plan->ast, callee)->checksum;
		sum += sis_fnv(SIS_FNV_START, &own, sizeof own);
		n = add_callees(texts, callee, all, n);
	}
	return sum;
}

char *sis_function_text(struct function_texts *texts, size_t function)
{
	uint64_t own = sis_ast_function(texts->plan->ast, function)->checksum;
	if (!own)
		return mem_print("%s", "");
	uint64_t all = sum_callees(texts, function, true);
	uint64_t unmeasured = sum_callees(texts, function, false);
	return all ? mem_print("%016" PRIx64 ".%016" PRIx64 ".%016" PRIx64, own, unmeasured, all) :
		     mem_print("%016" PRIx64, own);
}

/* -- flags ------------------------------------------------------------------------------------- */

/* Options that do not change the code, but begin like options that do. */
static const char *const without_effect[] = {
	"-fdiagnostics-", "-fno-diagnostics-", "-fmessage-length=", "-fmax-errors=", "-fdebug-",
	"-fno-debug-", "-ffile-prefix-map=", "-fmacro-prefix-map=", "-fcanon-prefix-map",
	"-fcolor-diagnostics", "-fno-color-diagnostics", "-fansi-escape-codes", "-fsyntax-only",
	"-fverbose-asm", "-fno-verbose-asm", "-frandom-seed", "-fdump-", "-fopt-info",
	"-fsave-optimization-record", "-fshow-", "-fno-show-", "-fcaret-diagnostics",
	"-fno-caret-diagnostics", "-fpch", "-fpreprocessed", "-fdirectives-only", "-fworking-",
	"-fno-working-", "-fuse-ld=", "-fplugin", "-fvar-tracking", "-fno-var-tracking",
	"-ftime-report", "-fmem-report", "-fstack-usage", "-fcallgraph-info", "-fident",
	"-fno-ident", "-ferror-limit=", "-fmodules",
};

static bool has_effect(const char *word)
{
	for (size_t i = 0; i < sizeof without_effect / sizeof *without_effect; i++)
		if (sis_starts(word, without_effect[i]))
			return false;
	return sis_starts(word, "-O") || sis_starts(word, "-f") || sis_starts(word, "-m") ||
	       sis_starts(word, "-std=") || sis_starts(word, "--param=") ||
	       strcmp(word, "-ansi") == 0 || strcmp(word, "-pg") == 0;
}

/* The kind of a flag. Of two flags of one kind, the later one replaces the other: -fopenmp and
 * -fno-openmp, -mtune=a and -mtune=b. */
static char *kind_of(const char *word)
{
	bool is_long = sis_starts(word, "-f") || sis_starts(word, "-m");
	if (sis_starts(word, "-O"))
		return mem_print("-O");
	if (sis_starts(word, "--param="))
		return mem_print("%.*s", (int)(8 + strcspn(word + 8, "=")), word);
	if (!is_long)
		return mem_print("%s", sis_starts(word, "-std=") ? "-std" : word);
	const char *name = sis_starts(word + 2, "no-") ? word + 5 : word + 2;
	return mem_print("%.2s%.*s", word, (int)strcspn(name, "="), name);
}

struct flag { char *kind, *word; };

static int by_kind(const void *va, const void *vb)
{
	const struct flag *a = va, *b = vb;
	return strcmp(a->kind, b->kind);
}

/* The word without abbreviation: -O means -O1. */
static const char *plain_word(const char *word)
{
	return strcmp(word, "-O") == 0 ? "-O1" : word;
}

static size_t set_flag(struct flag *flag, size_t n, const char *word)
{
	char *kind = kind_of(word);
	size_t i = 0;
	while (i < n && strcmp(flag[i].kind, kind) != 0)
		i++;
	if (i < n) {
		free(kind), free(flag[i].word);
		flag[i].word = mem_print("%s", plain_word(word));
		return n;
	}
	flag[n] = (struct flag){ kind, mem_print("%s", plain_word(word)) };
	return n + 1;
}

char *sis_code_build(const char *compiler, const char *flags)
{
	char *copy = mem_print("%s", flags);
	struct flag *flag = mem_alloc(strlen(flags) / 2 + 2, sizeof *flag);
	struct buf build = { 0 };
	size_t n = set_flag(flag, 0, "-O0");
	for (char *save, *word = strtok_r(copy, " ", &save); word;
	     word = strtok_r(NULL, " ", &save))
		if (has_effect(word))
			n = set_flag(flag, n, word);
	qsort(flag, n, sizeof *flag, by_kind);
	buf_add(&build, compiler);
	for (size_t i = 0; i < n; i++) {
		buf_print(&build, " %s", flag[i].word);
		free(flag[i].kind), free(flag[i].word);
	}
	free(flag);
	free(copy);
	return build.at;
}
