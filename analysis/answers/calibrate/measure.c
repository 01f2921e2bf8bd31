/* SPDX-License-Identifier: BSD-3-Clause */
/* measure.c - runs the programs of lib/sis/calibrated in all states and settings. Owns the scratch
 * directory; one thread.
 *
 * A round runs each task of the list once; `processes` is the number of rounds. So the states of
 * one round are measured shortly after each other. Whatever slows the machine for a while slows all
 * of them, and hardly changes portions, which are differences within a round. */
#include "answers/calibrate/measure.h"

#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/installed.h"
#include "base/terminal.h"
#include "answers/calibrate/program.h"
#include "experiment/read/trace_files.h"

/* -- tasks ------------------------------------------------------------------------------------- */

enum task_kind { TASK_REGION, TASK_CALLS, TASK_METRIC, TASK_WRITER };
struct task {
	enum task_kind kind;
	enum state state;
	size_t setting;      /* index in the calibration's settings */
	int64_t depth;
	const char *program; /* TASK_CALLS: `threads` ...; TASK_METRIC: the metric */
	bool failed;         /* it failed once, and is not run again */
};

struct measuring {
	struct calibration *c;
	const struct measure_options *options;
	char lib_sis[PATH_MAX], directory[PATH_MAX];
	cpu_set_t cpus[SETTINGS]; /* by index of the setting */
	VEC(struct task) task;
	struct buf notes;
};

static void add_states(struct measuring *m, size_t setting, int64_t depth)
{
	for (enum state state = 0; state < STATES; state++)
		if (state != STATE_INSIDE)
			*vec_push(&m->task) =
				(struct task){ TASK_REGION, state, setting, depth, NULL, false };
}

static void add_calls(struct measuring *m, size_t setting, const char *program)
{
	static const enum state states[] = { STATE_PLAIN, STATE_OFF, STATE_PROFILE };
	for (size_t i = 0; i < sizeof states / sizeof *states; i++)
		*vec_push(&m->task) =
			(struct task){ TASK_CALLS, states[i], setting, 1, program, false };
}

/* Each setting runs all states at the first depth, and the writer. Only the last setting, which has
 * the most processors, also runs the other depths, the metrics and the calls. */
static void plan(struct measuring *m)
{
	static const char *const metrics[] = { "CTIME", "MINFLT", "TOT_CYC" };
	size_t last = 0;
	for (size_t s = 0; s < m->c->setting.n; s++) {
		if (!m->c->setting.at[s].cpus)
			continue;
		last = s;
		add_states(m, s, m->options->depth.at[0]);
		*vec_push(&m->task) =
			(struct task){ TASK_WRITER, STATE_WRITTEN, s, 1, NULL, false };
	}
	for (size_t d = 1; d < m->options->depth.n; d++)
		add_states(m, last, m->options->depth.at[d]);
	for (size_t i = 0; i < sizeof metrics / sizeof *metrics && !m->options->only_regions; i++)
		*vec_push(&m->task) =
			(struct task){ TASK_METRIC, STATE_PROFILE, last, 1, metrics[i], false };
	if (m->options->only_regions)
		return;
	add_calls(m, last, "threads");
	add_calls(m, last, "messages");
}

/* -- running one task -------------------------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st, (void)kind;
	return ftw->level ? remove(path) : 0;
}

static void empty_directory(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static const char filter[] = "SIS_REGION_NAMES_BEGIN EXCLUDE method SIS_REGION_NAMES_END\n";

static int write_filter(const struct measuring *m, struct err *err)
{
	char *path = mem_print("%s/filter", m->directory);
	FILE *file = fopen(path, "w");
	bool written = file && fputs(filter, file) >= 0;
	written = file && fclose(file) == 0 && written;
	int rc = written ? 0 :
		err_fail(err, "cannot write '%s': %s; make room on the disk", path,
			 strerror(errno));
	free(path);
	return rc;
}

/* Sets the environment variables of a task's state. */
static void set_variables(struct program *p, const struct measuring *m, const struct task *t,
			  char *writer, size_t size)
{
	static const char *const of_state[STATES][2] = {
		[STATE_OFF] = { "SIS_ENABLE=0" },
		[STATE_EXCLUDED] = { "SIS_FILTER=filter" },
		/* keeps the last events in memory and does not write them */
		[STATE_BUFFERED] = { "SIS_TRACE=1", "SIS_TRACE_POLICY=overwrite" },
		[STATE_WRITTEN] = { "SIS_TRACE=1" },
	};
	const char **v = p->variables;
	snprintf(writer, size, t->kind == TASK_METRIC ? "SIS_PMETRIC=%s" : "SIS_WRITER=%s",
		 t->kind == TASK_METRIC ? t->program : m->c->setting.at[t->setting].writer);
	*v++ = "SIS_OUTPUT=run";
	*v++ = "SIS_LOG=quiet";
	*v++ = "SIS_RECURSION=0"; /* no recursion is folded: each region is a node */
	*v++ = "SIS_OVERHEAD=off"; /* each call is timed */
	for (size_t i = 0; i < 2 && of_state[t->state][i]; i++)
		*v++ = of_state[t->state][i];
	*v++ = writer;
	if (t->kind == TASK_WRITER)
		*v++ = "SIS_TRACE_POLICY=drop";
}

struct command_line { char path[PATH_MAX + 64], calls[32], call_ns[32], depth[32], writer[64]; };

static struct program program_of(const struct measuring *m, const struct task *t,
				 struct command_line *line)
{
	enum { MOST = 1000000, TIMES = 25 };
	int64_t calls = m->options->calls, call_ns = m->options->call_ns;
	if (t->kind == TASK_WRITER) { /* many events, with no work between them */
		calls = calls > MOST / TIMES ? MOST : calls * TIMES;
		call_ns = 0;
	}
	struct program p = { .cpus = &m->cpus[t->setting], .directory = m->directory };
	snprintf(line->path, sizeof line->path, "%s/calibrated/%s-%s", m->lib_sis,
		 t->kind == TASK_CALLS ? t->program : "regions",
		 t->state == STATE_PLAIN ? "plain" : "measured");
	snprintf(line->calls, sizeof line->calls, "%" PRId64, calls);
	snprintf(line->call_ns, sizeof line->call_ns, "%" PRId64, call_ns);
	snprintf(line->depth, sizeof line->depth, "%" PRId64, t->depth);
	const char *argv[] = { line->path, line->calls, line->call_ns, line->depth };
	memcpy(p.argv, argv, sizeof argv);
	p.most_seconds = 60 + (unsigned)(10e-9 * (double)calls * (double)(call_ns + 1000));
	set_variables(&p, m, t, line->writer, sizeof line->writer);
	return p;
}

static void add_time(struct measuring *m, const struct task *t, const char *kernel,
		     enum state state, int64_t process, double mean, double median)
{
	*vec_push(&m->c->time) = (struct cost_time){
		.setting = mem_string(m->c->setting.at[t->setting].name),
		.kernel = mem_string(kernel), .state = state, .depth = t->depth,
		.process = process, .mean_ns = mean, .median_ns = median,
	};
}

static int take_region(struct measuring *m, const struct task *t, int64_t process,
		       const answer_list *answers, struct err *err)
{
	double mean = answer_of(answers, "mean"), median = answer_of(answers, "median"),
	       inside = answer_of(answers, "inside mean"), others = answer_of(answers, "others");
	if (isnan(mean) || isnan(median) || isnan(others))
		return err_fail(err, "a program of lib/sis/calibrated gives no times; install SIS "
				"again");
	/* with one processor, the program also pays the writer's time */
	if (CPU_COUNT(&m->cpus[t->setting]) == 1)
		mean += others;
	add_time(m, t, t->kind == TASK_METRIC ? t->program : "region", t->state, process, mean,
		 median);
	if (t->kind == TASK_REGION && t->state == STATE_PROFILE && !isnan(inside) && t->depth == 1)
		add_time(m, t, "region", STATE_INSIDE, process, inside,
			 answer_of(answers, "inside median"));
	return 0;
}

/* Counts events and bytes in the files of the trace. */
static int take_writer(struct measuring *m, const struct task *t, int64_t process,
		       const answer_list *answers, struct err *err)
{
	/* On one processor, the threads run one after the other. So the sum of their processor
	 * times is the elapsed time without the time of other programs. */
	double seconds = answer_of(answers, CPU_COUNT(&m->cpus[t->setting]) == 1 ?
						    "processor seconds" : "seconds");
	char *run = mem_print("%s/run", m->directory);
	struct traces traces;
	struct cost_writer w = { .process = process,
				 .ns = isnan(seconds) ? 0 : (int64_t)(seconds * 1e9) };
	traces_open(&traces, run);
	for (size_t i = 0; i < traces.trace.n; i++) {
		const struct trace *trace = &traces.trace.at[i];
		w.events += (int64_t)trace->events;
		w.dropped += (int64_t)trace->dropped;
		for (size_t k = 0; k < trace->block.n; k++) {
			w.raw_bytes += trace->block.at[k].raw_bytes;
			w.bytes += trace->block.at[k].bytes;
		}
	}
	traces_release(&traces);
	free(run);
	if (isnan(seconds))
		return err_fail(err, "a program of lib/sis/calibrated gives no times; install SIS "
				"again");
	if (w.events == 0)
		return err_fail(err, "no events were written in '%s'; check that the disk has room",
				m->directory);
	w.setting = mem_string(m->c->setting.at[t->setting].name);
	*vec_push(&m->c->writer) = w;
	return 0;
}

static int run_task(struct measuring *m, const struct task *t, int64_t process, struct err *err)
{
	struct command_line line;
	struct program p = program_of(m, t, &line);
	answer_list answers = { 0 };
	int rc = write_filter(m, err);
	rc = rc ? rc : program_run(&p, &answers, err);
	if (rc == 0 && t->kind == TASK_CALLS) {
		for (size_t i = 0; i < answers.n; i++) {
			double ns = answers.at[i].value;
			add_time(m, t, answers.at[i].key, t->state, process, ns, ns);
		}
	} else if (rc == 0 && t->kind == TASK_WRITER) {
		rc = take_writer(m, t, process, &answers, err);
	} else if (rc == 0) {
		rc = take_region(m, t, process, &answers, err);
	}
	answers_release(&answers);
	empty_directory(m->directory);
	return rc;
}

/* -- running all tasks ------------------------------------------------------------------------- */

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
	interrupted = number;
}

/* Runs a task. A task that measures a call or a metric and cannot run on this machine is left out,
 * with a note. */
static int run_or_note(struct measuring *m, struct task *t, int64_t process, struct err *err)
{
	struct err why = { 0 };
	bool done = t->failed || run_task(m, t, process, &why) == 0;
	if (interrupted)
		return err_fail(err, "interrupted by signal %d; nothing was stored",
				(int)interrupted);
	if (done)
		return 0;
	if (t->kind != TASK_CALLS && t->kind != TASK_METRIC)
		return err_fail(err, "%s", why.text);
	buf_print(&m->notes, "%s%s not measured: %s", m->notes.length ? "\n" : "",
		  t->kind == TASK_METRIC ? t->program : "calls", why.text);
	for (size_t i = 0; i < m->task.n; i++)
		if (m->task.at[i].program && strcmp(m->task.at[i].program, t->program) == 0)
			m->task.at[i].failed = true;
	return 0;
}

/* Leaves out metrics that cannot be read on this machine: they would seem to cost nothing. */
static void find_metrics(struct measuring *m)
{
	char *helper = mem_print("%s/sis-counters", m->lib_sis);
	for (size_t i = 0; i < m->task.n; i++) {
		struct task *t = &m->task.at[i];
		struct err err = { 0 };
		answer_list answers = { 0 };
		const struct program p = {
			.argv = { helper, t->program }, .cpus = &m->cpus[t->setting],
			.directory = m->directory, .most_seconds = 60,
		};
		if (t->kind != TASK_METRIC)
			continue;
		if (program_run(&p, &answers, &err) || answer_of(&answers, t->program) != 1) {
			buf_print(&m->notes, "%s%s not measured: `sis-analyze counters %s` says "
				  "why", m->notes.length ? "\n" : "", t->program, t->program);
			t->failed = true;
		}
		answers_release(&answers);
	}
	free(helper);
}

static int run_all(struct measuring *m, struct err *err)
{
	struct progress progress;
	size_t done = 0;
	int rc = 0;
	progress_begin(&progress, "measuring", m->task.n * (size_t)m->options->processes);
	for (int64_t process = 0; rc == 0 && process < m->options->processes; process++) {
		for (size_t i = 0; rc == 0 && i < m->task.n; i++) {
			progress_at(&progress, done++);
			rc = run_or_note(m, &m->task.at[i], process, err);
		}
	}
	progress_end(&progress);
	return rc;
}

/* -- the machine ------------------------------------------------------------------------------- */

static char *processor_name(void)
{
	char *line = NULL, *name = NULL;
	size_t size = 0;
	FILE *file = fopen("/proc/cpuinfo", "r");
	while (!name && file && getline(&line, &size, file) > 0) {
		char *colon = strchr(line, ':');
		if (!colon || strncmp(line, "model name", 10) != 0)
			continue;
		line[strcspn(line, "\n")] = '\0';
		name = mem_string(colon + 1 + strspn(colon + 1, " "));
	}
	free(line);
	if (file)
		fclose(file);
	struct utsname u;
	return name ? name : mem_string(uname(&u) == 0 ? u.machine : "unknown");
}

static void describe(struct calibration *c, const struct measure_options *options)
{
	char host[HOST_NAME_MAX + 1] = "unknown";
	struct timespec now;
	gethostname(host, sizeof host - 1);
	clock_gettime(CLOCK_REALTIME, &now);
	c->started_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	c->host = mem_string(host);
	c->processor = processor_name();
	c->runtime = mem_string(SIS_VERSION);
	c->run_id = mem_print("calibration-%s-%" PRId64 "-%d", host, c->started_ns, (int)getpid());
	c->cores = sysconf(_SC_NPROCESSORS_ONLN);
	c->memory_bytes = sysconf(_SC_PHYS_PAGES) * (int64_t)sysconf(_SC_PAGESIZE);
	c->calls = options->calls;
	c->call_ns = options->call_ns;
	c->processes = options->processes;
}

static int choose_settings(struct measuring *m, struct err *err)
{
	struct places places;
	size_t available = 0;
	places_load(&places, m->lib_sis);
	for (size_t i = 0; i < m->options->setting.n; i++) {
		const struct setting *s = m->options->setting.at[i];
		const char *missing;
		bool there = setting_places(s, &places, &m->cpus[i], &missing);
		*vec_push(&m->c->setting) = (struct cost_setting){
			.name = mem_string(s->name), .where = mem_string(s->where),
			.writer = mem_string(s->writer),
			.cpus = there ? cpus_text(&m->cpus[i]) : NULL,
			.missing = there ? NULL : mem_string(missing),
		};
		available += there;
	}
	places_release(&places);
	return available ? 0 :
		err_fail(err, "this machine has none of these settings (%s: %s); choose others "
			 "with --settings", m->c->setting.at[0].name, m->c->setting.at[0].missing);
}

/* Finds lib/sis beside the folder of this program. Makes the scratch directory in the working
 * directory, because users' experiments are usually written to the same disk. */
static int find_directories(struct measuring *m, struct err *err)
{
	char lib[PATH_MAX - 8], here[PATH_MAX];
	installed_lib(lib, sizeof lib);
	snprintf(m->lib_sis, sizeof m->lib_sis, "%s/sis", lib);
	if (!getcwd(here, sizeof here - 32))
		return err_fail(err, "cannot find the working directory: %s", strerror(errno));
	snprintf(m->directory, sizeof m->directory, "%.*s/sis-calibrate-XXXXXX",
		 (int)sizeof here - 32, here);
	if (mkdtemp(m->directory))
		return 0;
	err_fail(err, "cannot make '%s': %s; start sis-analyze where it may write", m->directory,
		 strerror(errno));
	m->directory[0] = '\0';
	return ERR_FAILED;
}

/* Signals are caught from before the scratch directory is made until it is removed. */
int calibration_measure(struct calibration *c, const struct measure_options *options, char **notes,
			struct err *err)
{
	struct measuring m = { .c = c, .options = options };
	struct sigaction action = { .sa_handler = interrupt }, before[2];
	sigaction(SIGINT, &action, &before[0]);
	sigaction(SIGTERM, &action, &before[1]);
	describe(c, options);
	int rc = find_directories(&m, err) || choose_settings(&m, err) ? ERR_FAILED : 0;
	if (rc == 0) {
		plan(&m);
		find_metrics(&m);
		rc = run_all(&m, err);
	}
	if (m.directory[0]) {
		empty_directory(m.directory);
		rmdir(m.directory);
	}
	sigaction(SIGINT, &before[0], NULL);
	sigaction(SIGTERM, &before[1], NULL);
	vec_free(&m.task);
	*notes = buf_take(&m.notes);
	return rc;
}
