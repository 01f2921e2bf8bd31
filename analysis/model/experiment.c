/* experiment.c - reads a directory of profiles and makes one model of them: regions unified by key,
 * nodes by path, summaries by node and processing unit. Owns struct experiment. One thread. */
#include "model/experiment.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/terminal.h"
#include "model/lost_metrics.h"
#include "model/process_model.h"
#include "model/regions.h"
#include "model/unmeasured_waits.h"
#include "read/unified_read.h"

void experiment_warn(struct experiment *x, const char *format, ...)
{
	char *text = NULL;
	va_list args;
	va_start(args, format);
	int length = vasprintf(&text, format, args);
	va_end(args);
	if (length < 0)
		return;
	for (size_t i = 0; i < x->warning.n; i++)
		if (strcmp(x->warning.at[i], text) == 0) {
			free(text);
			return;
		}
	*vec_push(&x->warning) = text;
}

static struct index_key summary_key(const void *list, uint32_t item)
{
	const struct summary *s = &((const struct experiment *)list)->summary.at[item];
	return (struct index_key){ s->node, s->pu };
}

uint32_t experiment_summary(const struct experiment *x, uint32_t node, uint32_t pu)
{
	return index_get(&x->summary_by_place, summary_key, x, node, pu);
}

uint32_t experiment_add_summary(struct experiment *x, uint32_t node, uint32_t pu)
{
	uint32_t i = index_put(&x->summary_by_place, summary_key, x, node, pu, x->summary.n);
	if (i == x->summary.n)
		*vec_push(&x->summary) = (struct summary){ .node = node, .pu = pu, .min_ns = INT64_MAX, .max_ns = -1 };
	return i;
}

static uint64_t booking_place(uint32_t pu, enum sis_overhead leaf)
{
	return (uint64_t)pu * SIS_OVERHEADS + leaf;
}

static struct index_key booking_key(const void *list, uint32_t item)
{
	const struct booking *b = &((const struct experiment *)list)->booking.at[item];
	return (struct index_key){ b->node, booking_place(b->pu, b->leaf) };
}

void experiment_book(struct experiment *x, uint32_t node, uint32_t pu, enum sis_overhead leaf, int64_t ns)
{
	if (ns == 0 || leaf == O_NONE)
		return;
	uint32_t i = index_put(&x->booking_by_place, booking_key, x, node, booking_place(pu, leaf), x->booking.n);
	if (i == x->booking.n)
		*vec_push(&x->booking) = (struct booking){ .node = node, .pu = pu, .leaf = leaf };
	x->booking.at[i].ns += ns;
	x->pu.at[pu].leaves_ns += ns;
}

void process_wait(struct process *process, uint32_t node, enum sis_overhead leaf, int64_t ns)
{
	if (ns <= 0 || node == NONE)
		return;
	if (!process->waits)
		process->waits = mem_alloc(process->profile.node.n, sizeof *process->waits);
	struct waits *w = &process->waits[node];
	int i = 0;
	while (i < WAIT_LEAVES - 1 && w->leaf[i] != O_NONE && w->leaf[i] != leaf)
		i++;
	if (w->leaf[i] == O_NONE)
		w->leaf[i] = leaf;
	w->ns[i] += ns;
}

/* -- the directory ------------------------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A file that was there when the directory was listed is a part of the file of all ranks once it is gone. */
static bool is_gone(const char *path, const char *unified)
{
	return access(path, F_OK) != 0 && errno == ENOENT && access(unified, F_OK) == 0;
}

/* Nothing was measured in that process yet; the others count. */
static void note_unwritten(struct experiment *x, const char *name)
{
	x->unwritten++;
	experiment_warn(x, "%s is empty and left out: its process was killed while it started, "
			"or starts just now", name);
}

static int read_profiles(struct experiment *x, const char *directory, char **name, size_t names, const char *unified,
			 struct err *err)
{
	struct progress progress;
	int rc = 0;
	if (names)
		qsort(name, names, sizeof *name, compare_names);
	progress_begin(&progress, "reading", names);
	for (size_t i = 0; rc == 0 && i < names; i++) {
		progress_at(&progress, i);
		char *path = mem_print("%s/%s", directory, name[i]);
		struct profile profile;
		bool gone = is_gone(path, unified);
		rc = gone ? 0 : profile_read(&profile, path, err);
		free(path);
		if (rc == 0 && !gone)
			vec_push(&x->process)->profile = profile;
		if (rc == PROFILE_UNWRITTEN) {
			note_unwritten(x, name[i]);
			rc = 0;
		}
	}
	progress_end(&progress);
	return rc;
}

/* The ranks whose own file is here: it may know more than the part in the file of all ranks, and never less. */
static bool *own_files(const struct experiment *x, uint32_t ranks)
{
	bool *own = mem_alloc(ranks + (size_t)1, sizeof *own);
	for (size_t i = 0; i < x->process.n; i++) {
		int32_t rank = x->process.at[i].profile.head.mpi_rank;
		if (rank >= 0 && (uint32_t)rank < ranks)
			own[rank] = true;
	}
	return own;
}

static int read_unified(struct experiment *x, const char *path, struct err *err)
{
	struct profile profile;
	int rc = 0;
	x->unified = mem_alloc(1, sizeof *x->unified);
	if (unified_open(x->unified, path, err)) {
		mem_free((void **)&x->unified);
		return ERR_FAILED;
	}
	bool *own = own_files(x, x->unified->head.ranks);
	for (uint32_t rank = 0; rank < x->unified->head.ranks && rc >= 0; rank++) {
		rc = own[rank] ? 0 : unified_profile(x->unified, rank, &profile, err);
		if (rc > 0)
			vec_push(&x->process)->profile = profile;
	}
	free(own);
	return rc < 0 ? rc : 0;
}

static int read_directory(struct experiment *x, const char *directory, struct err *err)
{
	VEC(char *) name = { 0 };
	DIR *dir = opendir(directory);
	if (!dir)
		return err_fail(err, "cannot open experiment '%s': %s; check the name and its permissions",
				directory, strerror(errno));
	for (struct dirent *entry; (entry = readdir(dir));) {
		size_t length = strlen(entry->d_name);
		if (length > 4 && strcmp(entry->d_name + length - 4, ".sis") == 0 &&
		    strncmp(entry->d_name, "trace-", 6) != 0 && strcmp(entry->d_name, SIS_UNIFIED_NAME) != 0)
			*vec_push(&name) = mem_string(entry->d_name);
	}
	closedir(dir);
	char *unified = mem_print("%s/%s", directory, SIS_UNIFIED_NAME);
	int rc = read_profiles(x, directory, name.at, name.n, unified, err);
	if (rc == 0 && access(unified, F_OK) == 0)
		rc = read_unified(x, unified, err);
	if (rc == 0 && x->process.n == 0 && x->unwritten)
		rc = err_fail(err, "'%s' has only empty profiles, such as %s: their processes "
			      "were killed while they started; run the program again",
			      directory, name.at[0]);
	if (rc == 0 && x->process.n == 0)
		rc = err_fail(err, "'%s' is no experiment: it has no profile (*.sis) in it; "
			 "name a directory that a program built with sisc has written", directory);
	free(unified);
	for (size_t i = 0; i < name.n; i++)
		free(name.at[i]);
	vec_free(&name);
	return rc;
}

/* -- processes ----------------------------------------------------------------------------------------- */

static int by_rank_then_start(const void *a, const void *b)
{
	const struct sis_profile_header *x = &((const struct process *)a)->profile.head;
	const struct sis_profile_header *y = &((const struct process *)b)->profile.head;
	if ((x->mpi_rank < 0) != (y->mpi_rank < 0))
		return x->mpi_rank < 0 ? 1 : -1;
	if (x->mpi_rank != y->mpi_rank)
		return x->mpi_rank < y->mpi_rank ? -1 : 1;
	if (x->start.realtime_ns != y->start.realtime_ns)
		return x->start.realtime_ns < y->start.realtime_ns ? -1 : 1;
	return x->pid < y->pid ? -1 : x->pid > y->pid;
}

static uint64_t last_stamp(const struct profile *p)
{
	uint64_t last = p->head.start.ticks;
	for (size_t i = 0; i < p->thread.n; i++)
		if (p->thread.at[i].stamp > last)
			last = p->thread.at[i].stamp;
	return last;
}

/* A process that did not reach its end: how, for its user. */
static void warn_incomplete(struct experiment *x, const struct process *process)
{
	const struct sis_profile_header *h = &process->profile.head;
	switch ((enum sis_state)h->state) {
	case SIS_STATE_ENDED:
		return;
	case SIS_STATE_RUNNING:
		experiment_warn(x, "process %u (pid %u on %s) did not end: it was killed, or still runs",
				process->index, h->pid, h->host);
		break;
	case SIS_STATE_SIGNAL:
		experiment_warn(x, "process %u (pid %u on %s) was ended by signal %d (%s)", process->index, h->pid,
				h->host, h->status, sigabbrev_np(h->status) ? sigabbrev_np(h->status) : "unknown");
		break;
	case SIS_STATE_ABORTED:
		experiment_warn(x, "process %u (pid %u on %s) ended at once, with status %d: abort, MPI_Abort or _exit",
				process->index, h->pid, h->host, h->status);
		break;
	case SIS_STATE_EXEC:
		experiment_warn(x, "process %u (pid %u on %s) replaced itself by another program (exec)",
				process->index, h->pid, h->host);
		break;
	}
	x->complete = false;
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

/* The launcher takes a rank for dead that is gone without MPI_Finalize, even if it came to its own end. */
static bool died(const struct process *process)
{
	const struct sis_profile_header *h = &process->profile.head;
	return h->mpi_rank >= 0 && (h->state != SIS_STATE_ENDED || !left_mpi(&process->profile));
}

static int64_t last_sign_of(const struct process *process)
{
	const struct profile *p = &process->profile;
	return clock_ns(&process->clock, p->head.end.ticks ? p->head.end.ticks : last_stamp(p));
}

/* When one rank dies, the launcher stops the others: they have lived until its last sign of life, at least, wherever
 * their own was. The same holds for ranks that still run. */
static int64_t last_sign_of_ranks(const struct experiment *x)
{
	int64_t last = INT64_MIN;
	for (size_t i = 0; i < x->process.n; i++) {
		int64_t ns = died(&x->process.at[i]) ? last_sign_of(&x->process.at[i]) : INT64_MIN;
		last = ns > last ? ns : last;
	}
	return last;
}

static void place_process(struct experiment *x, struct process *process, uint32_t index, int64_t last_sign)
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
	process->first_pu = x->pu.n;
	for (uint32_t slot = 0; slot < process->slots; slot++)
		*vec_push(&x->pu) = (struct pu){ .process = process - x->process.at, .slot = slot };
	if (index == 0 || process->start_ns < x->start_ns)
		x->start_ns = process->start_ns;
	if (index == 0 || process->end_ns > x->end_ns)
		x->end_ns = process->end_ns;
	warn_incomplete(x, process);
}

static void warn_missing_ranks(struct experiment *x)
{
	int32_t size = 0, ranks = 0;
	for (size_t i = 0; i < x->process.n; i++) {
		const struct sis_profile_header *h = &x->process.at[i].profile.head;
		size = h->mpi_rank >= 0 && h->mpi_size > size ? h->mpi_size : size;
		ranks += h->mpi_rank >= 0;
	}
	if (ranks >= size)
		return;
	experiment_warn(x, "only %d of %d MPI processes left a profile here; waits for the others cannot be told",
			ranks, size);
	x->complete = false;
}

/* The units of the ranks on the node of process `first`; 0: another process there came before. */
static uint32_t units_on_node(const struct experiment *x, size_t first)
{
	uint32_t units = 0;
	for (size_t i = 0; i < x->process.n; i++) {
		const struct process *p = &x->process.at[i];
		if (strcmp(p->profile.head.host, x->process.at[first].profile.head.host) != 0)
			continue;
		if (i < first)
			return 0;
		if (i == first || p->profile.head.mpi_rank >= 0)
			units += p->slots;
	}
	return units;
}

static void warn_crowded(struct experiment *x)
{
	for (size_t i = 0; i < x->process.n; i++) {
		const struct sis_profile_header *h = &x->process.at[i].profile.head;
		uint32_t units = units_on_node(x, i);
		if (h->cores && units > h->cores)
			experiment_warn(x, "%u processing units shared the %u processors of %s: whoever waits may have waited "
					"for a processor", units, h->cores, h->host);
	}
}

static void take_texts(struct experiment *x, const struct process *process)
{
	const struct profile *p = &process->profile;
	for (size_t i = 0; i < p->text.n; i++)
		if (strcmp(p->text.at[i].kind, "warning") == 0)
			experiment_warn(x, "%s", p->text.at[i].text);
	losses_warn(x, process);
	if (p->head.timing > 1)
		experiment_warn(x, "times of short regions are estimates: one of %u activations was timed and stands for all "
				"(SIS_TIMING=1/%u); calls, MPI and OpenMP are exact", p->head.timing, p->head.timing);
	for (size_t i = 0; i < p->thread.n; i++) {
		const struct profile_thread *t = &p->thread.at[i];
		if (t->mismatched)
			experiment_warn(x, "process %u thread %u: %" PRIu64 " leaves of regions matched no open activation",
					process->index, t->slot, t->mismatched);
		if (t->unwound)
			experiment_warn(x, "process %u thread %u: %" PRIu64 " activations of regions ended only because one around "
					"them was left: longjmp, or a jump that has no probe", process->index, t->slot, t->unwound);
		if (t->dropped_nodes)
			experiment_warn(x, "process %u thread %u: %" PRIu64 " activations were not measured: no memory, SIS_NODES "
					"reached, or of a signal handler that interrupted the runtime", process->index, t->slot, t->dropped_nodes);
		if (t->dropped_records)
			experiment_warn(x, "process %u thread %u: %" PRIu64 " records of messages were dropped: the log was "
					"full; set SIS_RECORDS to more", process->index, t->slot, t->dropped_records);
	}
}

int experiment_build(struct experiment *x, struct err *err)
{
	x->complete = x->unwritten == 0;
	qsort(x->process.at, x->process.n, sizeof *x->process.at, by_rank_then_start);
	for (size_t i = 0; i < x->process.n; i++)
		set_clock(&x->process.at[i]);
	clock_sync(x);
	int64_t last_sign = last_sign_of_ranks(x);
	for (size_t i = 0; i < x->process.n; i++)
		place_process(x, &x->process.at[i], i, last_sign);
	if (x->end_ns - x->start_ns > INT64_C(100000000000000000))
		return err_fail(err, "'%s': its run lasted for years, which cannot be: damaged times, or profiles of "
				"several runs; copy it again, or analyze the processes' files one by one", x->directory);
	warn_missing_ranks(x);
	warn_crowded(x);
	for (size_t i = 0; i < x->process.n; i++) {
		take_texts(x, &x->process.at[i]);
		if (model_add_process(x, &x->process.at[i], err))
			return ERR_FAILED;
	}
	unasked_warn(x);
	regions_name_files(x);
	model_find_sources(x);
	return 0;
}

int experiment_read(struct experiment *x, const char *directory, struct err *err)
{
	*x = (struct experiment){ .directory = mem_string(directory) };
	int rc = read_directory(x, directory, err);
	for (size_t i = 1; rc == 0 && i < x->process.n; i++)
		if (strcmp(x->process.at[i].profile.head.run_id, x->process.at[0].profile.head.run_id) != 0)
			rc = err_fail(err, "'%s' holds profiles of several runs (%s and %s); "
				      "move each run's files to a directory of its own", directory,
				      x->process.at[0].profile.path, x->process.at[i].profile.path);
	if (rc == 0)
		rc = experiment_build(x, err);
	if (rc == 0) {
		const struct sis_profile_header *h = &x->process.at[0].profile.head;
		x->run_id = mem_string(h->run_id);
		x->program = mem_string(h->program);
	} else {
		experiment_release(x);
	}
	return rc;
}

static void release_process(struct process *p)
{
	profile_release(&p->profile);
	free(p->global);
	free(p->order);
	free(p->incl_ns);
	free(p->excl_ns);
	free(p->waits);
	vec_free(&p->calls);
}

void experiment_release(struct experiment *x)
{
	for (size_t i = 0; i < x->process.n; i++)
		release_process(&x->process.at[i]);
	if (x->unified)
		unified_close(x->unified);
	free(x->unified);
	for (size_t i = 0; i < x->region.n; i++)
		region_release(&x->region.at[i]);
	for (size_t i = 0; i < x->metric.n; i++)
		free(x->metric.at[i]);
	for (size_t i = 0; i < x->warning.n; i++)
		free(x->warning.at[i]);
	for (size_t i = 0; i < x->unit.n; i++) {
		struct source_unit *u = &x->unit.at[i];
		free(u->source), free(u->directory), free(u->compiler);
		free(u->flags), free(u->sisc), free(u->checksum);
	}
	for (size_t i = 0; i < x->file.n; i++)
		free(x->file.at[i].path), free(x->file.at[i].checksum);
	vec_free(&x->file), strmap_free(&x->file_by_path);
	vec_free(&x->process), vec_free(&x->region), vec_free(&x->node), vec_free(&x->pu);
	vec_free(&x->summary), vec_free(&x->value), vec_free(&x->user_value), vec_free(&x->booking), vec_free(&x->unit);
	vec_free(&x->metric), vec_free(&x->warning), vec_free(&x->handover), vec_free(&x->delay), vec_free(&x->critical);
	for (size_t i = 0; i < x->communicator.n; i++)
		free(x->communicator.at[i].name);
	vec_free(&x->communicator), vec_free(&x->traffic), map_free(&x->traffic_by_place);
	vec_free(&x->meeting), vec_free(&x->lateness), vec_free(&x->idle_wait), vec_free(&x->judged);
	vec_free(&x->delay_cost), vec_free(&x->told), map_free(&x->delay_cost_by_place);
	strmap_free(&x->region_by_identity), strmap_free(&x->metric_by_name);
	map_free(&x->user_value_by_place);
	map_free(&x->node_by_region), index_free(&x->summary_by_place), index_free(&x->booking_by_place), map_free(&x->region_by_text);
	free(x->directory), free(x->run_id), free(x->program), free(x->base);
	*x = (struct experiment){ 0 };
}
