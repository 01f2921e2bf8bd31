/* SPDX-License-Identifier: BSD-3-Clause */
/* switched.c - lists what was switched off in a part of the run. Called by one thread.
 *
 * The profile has the sum of the times in which a thing was off. If the process was killed while it
 * changed this entry, the sum may be wrong. So it is limited to the time from `first_ns` to
 * `on_ns`. */
#include "experiment/model/switched.h"

#include <string.h>

#include "base/clamp.h"
#include "experiment/model/regions.h"

static const char *const whats[] = {
	[SIS_SWITCHED_REGION] = "region", [SIS_SWITCHED_COUNTERS] = "counters",
	[SIS_SWITCHED_TRACE] = "trace",	  [SIS_SWITCHED_THREAD] = "thread",
};

/* Returns the part of a text up to a tab, or to its end. Advances *text to the part after the
 * tab. */
static char *take_word(const char **text)
{
	size_t length = strcspn(*text, "\t");
	char *word = mem_print("%.*s", (int)length, *text);
	*text += length + ((*text)[length] == '\t');
	return word;
}

/* Fills the cause, place and action, from a text `cause` of the profile (profile.h). */
static void name_cause(struct switched_off *to, const struct profile *p, uint32_t cause)
{
	static const char *const causes[] = {
		[SIS_CAUSE_DISABLE] = "measure disable", [SIS_CAUSE_PAUSE] = "SIS_PAUSE",
		[SIS_CAUSE_PCONTROL] = "MPI_Pcontrol",	 [SIS_CAUSE_OTHERS] = "other rules",
	};
	const char *text = profile_text(p, "cause", cause);
	if (text) {
		to->cause = take_word(&text);
		to->place = take_word(&text);
		to->action = mem_string(text);
	} else {
		bool known = cause >= SIS_CAUSE_DISABLE && cause <= SIS_CAUSE_OTHERS;
		to->cause = mem_string(causes[known ? cause : SIS_CAUSE_OTHERS]);
		to->place = mem_string("");
		to->action = mem_string("");
	}
}

void switched_add(struct experiment_model *m, const struct process *process, struct map *by_id,
		  warning_list *warnings)
{
	const struct profile *p = &process->profile;
	const struct clock *clock = &process->clock;
	for (size_t i = 0; i < p->switched.n; i++) {
		const struct sis_switched *s = &p->switched.at[i];
		bool of_region = s->what == SIS_SWITCHED_REGION ||
			s->what == SIS_SWITCHED_COUNTERS;
		struct switched_off *to = vec_push(&m->switched.fill);
		*to = (struct switched_off){
			.process = process->index,
			.what = whats[s->what],
			.region = of_region ? regions_find(m, process, by_id, s->id, warnings) :
				NONE,
			.slot = s->what == SIS_SWITCHED_THREAD ? s->id : NONE,
			.times = s->count,
		};
		name_cause(to, p, s->cause);
		to->stays = s->on < s->last;
		to->first_ns = clock_ns(clock, s->first);
		to->last_ns = clock_ns(clock, s->last);
		to->on_ns = to->stays ? process->end_ns : clock_ns(clock, s->on);
		if (to->on_ns < to->last_ns) /* it was switched off as the process ended */
			to->on_ns = to->last_ns;
		int64_t whole = clamp_subtract(to->on_ns, to->first_ns);
		to->off_ns = clamp_add(clock_span_ns(clock, s->ticks),
				       to->stays ? clamp_subtract(to->on_ns, to->last_ns) : 0);
		to->off_ns = to->off_ns < whole ? to->off_ns : whole;
	}
}
