/* SPDX-License-Identifier: BSD-3-Clause */
/* build.c - makes one model of all profiles. It orders the processes, converts their times to one
 * clock, and unifies regions by key, nodes by path, and summaries by node and processing unit.
 * Called by one thread. */
#include "experiment/model/build.h"

#include <inttypes.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "base/signal_name.h"
#include "base/sort.h"
#include "experiment/model/lost_metrics.h"
#include "experiment/model/node_leaves.h"
#include "experiment/model/process_model.h"
#include "experiment/model/regions.h"
#include "experiment/model/turned_off.h"
#include "experiment/sampled/interpreters.h"

static int by_rank_then_start(const void *a, const void *b)
{
	const struct sis_profile_header *x = &((const struct process *)a)->profile.head;
	const struct sis_profile_header *y = &((const struct process *)b)->profile.head;
	if ((x->mpi_rank < 0) != (y->mpi_rank < 0))
		return x->mpi_rank < 0 ? 1 : -1;
	return ORDER(x->mpi_rank, y->mpi_rank) ?:
		ORDER(x->start.realtime_ns, y->start.realtime_ns) ?: ORDER(x->pid, y->pid);
}

/* Whether the process was measured by `sis-analyze run` and has no probes. */
static bool is_preloaded(const struct process *process)
{
	return process->profile.tu.n == 0 && profile_setting(&process->profile, "SIS_RUN");
}

/* Says what a compilation with sisc would add. It would add nothing to an interpreter. */
static void warn_preloaded(const struct experiment_model *m, warning_list *warnings)
{
	struct strmap said = { 0 };
	struct buf names = { 0 };
	bool uses_openmp = false;
	for (size_t i = 0; i < m->process.n; i++) {
		const char *program = m->process.at[i].profile.head.program;
		bool is_new = false;
		if (is_preloaded(&m->process.at[i]) && !interpreters_have(program))
			strmap_put(&said, path_base(program), 0, &is_new);
		if (is_new)
			buf_print(&names, "%s%s", names.length ? ", " : "", path_base(program));
	}
	for (size_t i = 0; i < m->region.n; i++)
		uses_openmp |= region_forks_team(m->region.at[i].type);
	if (names.length)
		warnings_add(warnings, "%s %s not compiled with sisc: calls of functions are not "
			     "counted%s", names.at, said.n > 1 ? "were" : "was",
			     !uses_openmp ? "" :
			     ", and constructs of OpenMP that a compiler puts into the code "
			     "(atomic, flush, reductions, loops with a static schedule) are not "
			     "measured");
	buf_release(&names);
	strmap_free(&said);
}

/* Warns of a process that did not reach its end, and says how it stopped. */
static void warn_incomplete(struct experiment_model *m, const struct process *process,
			    warning_list *warnings)
{
	const struct sis_profile_header *h = &process->profile.head;
	char name[SIGNAL_NAME];
	/* Forked children normally end with exec or, to run no destructors of their parent, with
	 * _exit. So do programs that were not written to be measured. Their measurement is
	 * complete, so there is no warning. */
	if ((h->parent_pid != 0 || is_preloaded(process)) && h->mpi_rank < 0 &&
	    (h->state == SIS_STATE_ABORTED || h->state == SIS_STATE_EXEC))
		return;
	switch ((enum sis_state)h->state) {
	case SIS_STATE_ENDED:
	case SIS_STATE_SANDBOX: /* warn_sandbox */
		return;
	case SIS_STATE_RUNNING:
		if (process->goes_on)
			break;
		warnings_add(warnings,
			     "process %u (pid %u on %s) did not end: it was killed, or still "
			     "runs",
			     process->index, h->pid, h->host);
		break;
	case SIS_STATE_SIGNAL:
		warnings_add(warnings, "process %u (pid %u on %s) was ended by %s", process->index,
			     h->pid, h->host, signal_name(h->status, name));
		break;
	case SIS_STATE_ABORTED:
		warnings_add(warnings,
			     "process %u (pid %u on %s) ended abruptly with status %d: "
			     "abort, MPI_Abort or _exit",
			     process->index, h->pid, h->host, h->status);
		break;
	case SIS_STATE_EXEC:
		warnings_add(warnings,
			     "process %u (pid %u on %s) replaced itself with another program "
			     "(exec)",
			     process->index, h->pid, h->host);
		break;
	}
	m->complete = false;
}

static void set_clock(struct process *process)
{
	const struct sis_profile_header *h = &process->profile.head;
	struct clock *clock = &process->clock;
	clock->ticks = h->start.ticks;
	clock->ns = (int64_t)h->start.monotonic_ns + h->clock_offset_ns;
	if (h->end.ticks > h->start.ticks && h->end.monotonic_ns > h->start.monotonic_ns) {
		clock->ticks_span = h->end.ticks - h->start.ticks;
		clock->ns_span = h->end.monotonic_ns - h->start.monotonic_ns;
	} else {
		clock->ticks_span = h->ticks_per_second;
		clock->ns_span = 1000000000;
	}
}

static bool left_mpi(const struct profile *profile)
{
	for (size_t i = profile->record.n; i-- > 0;)
		if (profile->record.at[i].kind == SIS_RECORD_FINALIZE)
			return true;
	return false;
}

/* Whether the launcher treats the process as dead. It does so if a rank did not reach its end, or
 * ended without MPI_Finalize. */
static bool died(const struct process *process)
{
	const struct sis_profile_header *h = &process->profile.head;
	return h->mpi_rank >= 0 && (h->state != SIS_STATE_ENDED || !left_mpi(&process->profile));
}

static int64_t last_sign_of(const struct process *process)
{
	const struct profile *p = &process->profile;
	const struct sis_profile_header *h = &p->head;
	uint64_t last = h->looked > h->start.ticks ? h->looked : h->start.ticks;
	for (size_t i = 0; i < p->thread.n; i++)
		if (p->thread.at[i].stamp > last)
			last = p->thread.at[i].stamp;
	return clock_ns(&process->clock, h->end.ticks ? h->end.ticks : last);
}

static void add_process(struct experiment_model *m, struct process *process, uint32_t index,
			int64_t last_sign, warning_list *warnings)
{
	const struct profile *p = &process->profile;
	const struct sis_profile_header *h = &p->head;
	const struct clock *clock = &process->clock;
	process->index = index;
	process->start_ns = clock->ns;
	process->end_ns = last_sign_of(process);
	if (h->state == SIS_STATE_RUNNING && died(process) && last_sign > process->end_ns)
		process->end_ns = last_sign;
	process->slots = p->thread.n ? p->thread.at[p->thread.n - 1].slot + 1 : 1;
	process->first_pu = m->pu.n;
	for (uint32_t slot = 0; slot < process->slots; slot++)
		*vec_push(&m->pu.fill) = (struct pu){
			.process = index, .slot = slot,
		};
	if (index == 0 || process->start_ns < m->start_ns)
		m->start_ns = process->start_ns;
	if (index == 0 || process->end_ns > m->end_ns)
		m->end_ns = process->end_ns;
	if (profile_first_text(p, "unkept"))
		m->complete = false;
	warn_incomplete(m, process, warnings);
}

static void warn_missing_ranks(struct experiment_model *m, warning_list *warnings)
{
	int32_t size = 0, ranks = 0;
	for (size_t i = 0; i < m->process.n; i++) {
		const struct sis_profile_header *h = &m->process.at[i].profile.head;
		size = h->mpi_rank >= 0 && h->mpi_size > size ? h->mpi_size : size;
		ranks += h->mpi_rank >= 0;
	}
	if (ranks >= size)
		return;
	warnings_add(warnings,
		     "only %d of %d MPI processes left a profile here; waits for the others "
		     "are not known",
		     ranks, size);
	m->complete = false;
}

/* The number of processing units of `first` and of all ranks on its host; 0 if an earlier process
 * is on this host. */
static uint32_t pus_on_host(const struct experiment_model *m, size_t first)
{
	uint32_t pus = 0;
	for (size_t i = 0; i < m->process.n; i++) {
		const struct process *p = &m->process.at[i];
		if (strcmp(p->profile.head.host, m->process.at[first].profile.head.host) != 0)
			continue;
		if (i < first)
			return 0;
		if (i == first || p->profile.head.mpi_rank >= 0)
			pus += p->slots;
	}
	return pus;
}

static void warn_crowded(const struct experiment_model *m, warning_list *warnings)
{
	for (size_t i = 0; i < m->process.n; i++) {
		const struct sis_profile_header *h = &m->process.at[i].profile.head;
		uint32_t pus = pus_on_host(m, i);
		if (h->cores && pus > h->cores &&
		    !profile_counts_no_processor(&m->process.at[i].profile))
			warnings_add(warnings,
				     "%u processing units shared the %u processors of %s: "
				     "some waits may have been for a processor",
				     pus, h->cores, h->host);
	}
}

static void warn_thread(uint32_t process, const struct profile_thread *t, warning_list *warnings)
{
	if (t->mismatched)
		warnings_add(warnings,
			     "process %u thread %u: %" PRIu64 " leaves of regions matched no "
			     "open activation",
			     process, t->slot, t->mismatched);
	if (t->unwound)
		warnings_add(warnings,
			     "process %u thread %u: %" PRIu64 " activations of regions ended "
			     "only when a region around them was left: longjmp, or a jump "
			     "without a probe",
			     process, t->slot, t->unwound);
	if (t->dropped_nodes)
		warnings_add(warnings,
			     "process %u thread %u: %" PRIu64 " activations were not "
			     "measured: no memory, SIS_NODES reached, or of a signal handler "
			     "that interrupted the runtime",
			     process, t->slot, t->dropped_nodes);
	if (t->dropped_records)
		warnings_add(warnings,
			     "process %u thread %u: %" PRIu64 " records of messages were "
			     "dropped: the log was full; set SIS_RECORDS to more",
			     process, t->slot, t->dropped_records);
}

/* Adds the warnings that a profile contains, and the warnings that follow from its values. */
static void warn_process(const struct process *process, warning_list *warnings)
{
	const struct profile *p = &process->profile;
	for (size_t i = 0; i < p->text.n; i++)
		if (strcmp(p->text.at[i].kind, "warning") == 0)
			warnings_add(warnings, "%s", p->text.at[i].text);
	lost_metrics_warn(process, warnings);
	if (p->head.timing > 1)
		warnings_add_of(warnings, WARNING_SAMPLED,
				"times of short regions are estimates: one "
				"of %u activations was timed and stands for all "
				"(SIS_TIMING=1/%u); calls, MPI and OpenMP are exact",
				p->head.timing, p->head.timing);
	else if (profile_first_text(p, "rung"))
		warnings_add_of(warnings, WARNING_SAMPLED,
				"some regions were measured less, to keep the overhead low "
				"(SIS_OVERHEAD=%s): their times are estimates, each with an error; "
				"of those that were off, calls are missing, and their time is in "
				"the regions around them; show lists them",
				profile_setting(p, "SIS_OVERHEAD") ?: "5%");
	else if (p->estimate.n && profile_setting(p, "SIS_TIMING"))
		warnings_add_of(warnings, WARNING_SAMPLED,
				"times of short regions are estimates from samples "
				"(SIS_TIMING=%s); each has an error; calls, MPI and OpenMP are "
				"exact",
				profile_setting(p, "SIS_TIMING"));
	for (size_t i = 0; i < p->thread.n; i++)
		warn_thread(process->index, &p->thread.at[i], warnings);
}

/* Warns of threads whose sandbox lets the runtime make no system call (text `sandbox`). */
static void warn_sandbox(const struct process *process, warning_list *warnings)
{
	const struct profile *p = &process->profile;
	const struct sis_profile_header *h = &p->head;
	size_t times = 0;
	const char *first = NULL;
	bool all = false, measured = true;
	for (size_t i = 0; i < p->text.n; i++) {
		const char *text = p->text.at[i].text;
		if (strcmp(p->text.at[i].kind, "sandbox") != 0 ||
		    strtoull(text, NULL, 10) < h->start.ticks) /* copied from the parent process */
			continue;
		first = times++ ? first : text;
		all |= strstr(text, "\tall") != NULL;
		measured &= strstr(text, "\tnot measured") == NULL;
	}
	if (!times)
		return;
	int64_t since = clock_ns(&process->clock, strtoull(first, NULL, 10)) - process->start_ns;
	char some[32];
	snprintf(some, sizeof some, times == 1 ? "a thread" : "%zu threads", times);
	warnings_add(warnings,
		     "process %u (pid %u on %s): %s went into a sandbox (seccomp)%s after %.3f s, "
		     "%s%s", process->index, h->pid, h->host, all ? "all threads" : some,
		     times > 1 ? ", the first" : "", (double)since / 1e9,
		     measured ? "in which there are no samples and no counters" :
				"in which nothing is measured",
		     h->state == SIS_STATE_SANDBOX ? ", and the process ended in it" : "");
}

/* Warns if, of the entries that did not wait, only one in N was timed (text `untimed`). */
static void warn_untimed(const struct experiment_model *m, const struct process *process,
			 warning_list *warnings)
{
	const struct profile *p = &process->profile;
	const char *text = profile_first_text(p, "untimed");
	unsigned long untimed = text ? strtoul(text, NULL, 10) : 0;
	for (size_t i = 0; untimed > 1 && untimed <= 1u << 20 && i < process->ordered; i++) {
		uint32_t n = process->order[i];
		uint32_t region = m->node.fill.at[process->global[n]].region;
		enum sis_region_type type = m->region.fill.at[region].type;
		if (p->node.at[n].calls < 2 ||
		    (type != RT_LOCK && type != RT_CRITICAL && type != RT_ATOMIC))
			continue;
		warnings_add_of(warnings, WARNING_SAMPLED,
				"times of locks, critical constructs and atomics that no other "
				"thread had are estimates: one in %lu was timed, on the average, "
				"and stands for the others; calls and waits are exact", untimed);
		return;
	}
}

int experiment_build(const struct experiment *x, struct experiment_model *m, warning_list *warnings,
		     struct err *err)
{
	m->complete = x->run.unwritten == 0 && x->run.damaged == 0;
	vec_sort(&m->process.fill, by_rank_then_start);
	for (size_t i = 0; i < m->process.n; i++)
		set_clock(&m->process.fill.at[i]);
	clock_sync(m, warnings);
	/* When one rank dies, the launcher stops the other ranks. So the other ranks lived at least
	 * until the last sign of life of the dead rank, even if their own last sign of life is
	 * older. Ranks that still run are treated in the same way. */
	int64_t last_sign = INT64_MIN;
	for (size_t i = 0; i < m->process.n; i++) {
		int64_t ns = died(&m->process.at[i]) ? last_sign_of(&m->process.at[i]) : INT64_MIN;
		last_sign = ns > last_sign ? ns : last_sign;
	}
	for (size_t i = 0; i < m->process.n; i++)
		add_process(m, &m->process.fill.at[i], i, last_sign, warnings);
	if (m->end_ns - m->start_ns > INT64_C(100000000000000000))
		return err_fail(err, "'%s': its run lasted for years, which is impossible: damaged "
				"times, or profiles of several runs; copy it again, or analyze the "
				"processes' files one by one", x->run.directory);
	warn_missing_ranks(m, warnings);
	warn_crowded(m, warnings);
	regions_add_sampled(m, &x->run.sampled);
	regions_add_called(m, &x->run.sampled);
	if (x->run.sampled.function.n)
		warnings_add_of(warnings, WARNING_SAMPLED,
				"times of sampled functions (CR_SAMPLED) are estimates from %"
				PRIu64 " samples, each with an error; their calls are not known",
				x->run.sampled.samples);
	for (size_t i = 0; i < m->process.n; i++) {
		warn_process(&m->process.at[i], warnings);
		if (model_add_process(m, &m->process.fill.at[i], warnings, err))
			return ERR_FAILED;
		warn_untimed(m, &m->process.at[i], warnings);
		warn_sandbox(&m->process.at[i], warnings);
	}
	turned_off_warn(m, warnings);
	warn_preloaded(m, warnings);
	regions_name_files(m, &x->run.sampled);
	model_find_root(m, warnings);
	model_find_sources(m);
	model_find_leaves(m);
	return 0;
}
