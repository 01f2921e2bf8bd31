# SPDX-License-Identifier: BSD-3-Clause
# Tasks of ITT are regions: nested ones, in threads, of a function. Tasks that may overlap, and
# frames, are counted. The program prints the same.
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_annotations.sh"
export INTEL_LIBITTNOTIFY64="$module"

source_file tasks.c <<'END_OF_TASKS'
#include "itt_client.h"
#include <stdio.h>
static itt_domain *solver, *io;
static itt_string *step, *part, *file;
static void *work(void *unused)
{
	for (int i = 0; i < 50; i++) {
		CALL(task_begin, solver, itt_null, itt_null, step);
		for (int k = 0; k < 4; k++) {
			CALL(task_begin, solver, itt_null, itt_null, part);
			CALL(task_end, solver);
		}
		CALL(task_end, solver);
	}
	return unused;
}
int main(void)
{
	pthread_t thread[3];
	itt_id id = { 1, 2, 3 };
	itt_init();
	solver = domain_create("org.example.solver");
	io = domain_create("io");
	step = string_create("step");
	part = string_create("part");
	file = string_create("file");
	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, work, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	/* of two domains, which overlap */
	CALL(task_begin, solver, itt_null, itt_null, step);
	CALL(task_begin, io, itt_null, itt_null, file);
	CALL(task_end, solver);
	CALL(task_end, io);
	CALL(task_begin, io, itt_null, itt_null, NULL);
	CALL(task_begin_fn, io, itt_null, itt_null, (void *)work);
	CALL(task_begin_fn, io, itt_null, itt_null, (void *)puts);
	CALL(task_end, io);
	CALL(task_end, io);
	CALL(task_end, io);
	CALL(task_end, io);
	CALL(task_begin_overlapped, io, id, itt_null, file);
	CALL(frame_begin, io, &id);
	CALL(task_end_overlapped, io, id);
	CALL(frame_end, io, &id);
	CALL(pause_all, );
	CALL(task_begin, io, itt_null, itt_null, file);
	puts("done");
	return 0;
}
END_OF_TASKS
"$CC" -O1 -I"$HERE" tasks.c -o plain -pthread || give_up "gcc builds tasks.c"
build tasks --sis-cr=CR_A -I"$HERE" tasks.c -pthread

# tasks_of NAME: what the program did
tasks_of() {
	equal "$1: prints the same" "$(cat run.out run.err) $run_status" "done 0"
	equal "$1: regions and their activations" "$(all_calls)" \
		"$(sort <<'END_OF_WANTED'
io/file 1
io/unnamed 1
io/unnamed/io/unnamed 1
io/unnamed/io/unnamed/io/puts 1
org.example.solver/step 151
org.example.solver/step/org.example.solver/part 600
org.example.solver/step/io/file 1
END_OF_WANTED
		)"
	equal "$1: what is no region" \
		"$(value annotations_without_region) $(value annotation_ends_without_begin)" "2 1"
	identity "$1"
}
run_alone 1 env LD_PRELOAD="$build_dir/lib/libsis.so" ./plain
tasks_of preloaded
run_alone 1 ./tasks
tasks_of sisc
run_alone 1 ./plain
equal "no runtime: prints the same, and nothing is measured" \
	"$(cat run.out run.err) $run_status $(ls -d "$EXP" 2>/dev/null)" "done 0 "
