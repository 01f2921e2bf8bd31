// SPDX-License-Identifier: BSD-3-Clause
/* shares.c - counts the samples by how they were placed (enum placed_how), and has the words for
 * these ways. */
#include <stdlib.h>

#include "blame/place/place.h"

struct words { const char *text, *key; };

static const struct words how_words[PLACED_HOWS] = {
	[PLACED_STATEMENT] = { "statement", "statement" },
	[PLACED_BOUNDARY] = { "function entry or exit", "entry_exit" },
	[PLACED_GROUP] = { "macro group", "macro" },
	[PLACED_LINE] = { "line only", "line" },
	[PLACED_AMBIGUOUS] = { "ambiguous", "ambiguous" },
	[PLACED_FUNCTION] = { "function only", "function" },
	[PLACED_IDLE] = { "idle thread", "idle" },
	[PLACED_NOTHING] = { "not at all", "nothing" },
};

static const struct words reason_words[PLACED_REASONS] = {
	[PLACED_OK] = { "placed", "ok" },
	[PLACED_NO_STACK] = { "no address was sampled", "no_stack" },
	[PLACED_ANONYMOUS] = { "code in memory without a file", "anonymous" },
	[PLACED_KERNEL] = { "code of the kernel", "kernel" },
	[PLACED_REUSED] = { "code at an address that several libraries had", "reused" },
	[PLACED_NO_FILE] = { "the file of the code cannot be read; import where it is", "no_file" },
	[PLACED_CHANGED] = { "the file of the code has changed since the run; import it before you "
			     "build again", "changed" },
	[PLACED_STRIPPED] = { "stripped; run a program that is not", "stripped" },
	[PLACED_NO_DEBUG] = { "no debug information; build with sisc --sis-blame, without -g0",
			      "no_debug" },
	[PLACED_BAD_DEBUG] = { "damaged debug information", "bad_debug" },
	[PLACED_NO_BLAME] = { "not built with sisc --sis-blame", "no_blame" },
	[PLACED_NO_FUNCTION] = { "function without analysis", "no_function" },
};

const char *placed_how_text(enum placed_how how) { return how_words[how].text; }
const char *placed_how_key(enum placed_how how) { return how_words[how].key; }
const char *placed_reason_text(enum placed_reason reason) { return reason_words[reason].text; }
const char *placed_reason_key(enum placed_reason reason) { return reason_words[reason].key; }

static void add_stack(struct placed_share *share, const struct placed_stack *stack)
{
	share->count += stack->count;
	share->weight += stack->weight;
}

void placed_count(const struct placed *placed, struct placed_shares *shares)
{
	*shares = (struct placed_shares){ 0 };
	for (size_t i = 0; i < placed->stack.n; i++) {
		const struct placed_stack *stack = &placed->stack.at[i];
		add_stack(&shares->all, stack);
		add_stack(&shares->how[stack->how], stack);
		if (stack->how == PLACED_NOTHING)
			add_stack(&shares->reason[stack->reason], stack);
	}
}

void placed_release(struct placed *placed)
{
	for (size_t i = 0; i < placed->name.n; i++)
		free(placed->name.at[i]);
	vec_free(&placed->stack);
	vec_free(&placed->frame);
	vec_free(&placed->statement);
	vec_free(&placed->name);
	free(placed->method);
	free(placed->metric);
}
