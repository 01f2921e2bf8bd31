# SPDX-License-Identifier: BSD-3-Clause
# Threads of the runtime are hidden from the program: a pthread_create that the program, its
# library or a preloaded object defines does not see them, and they get no signals.
. "$(dirname "$0")/../lib.sh"

source_file count.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
int created;
int count_of_threads(void) { return created; }
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
		   void *data)
{
	static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
	created++;
	return real(thread, attributes, run, data);
}
END
cp "$HERE/own_threads.c" prog.c

# counted WHAT COMMAND...: without SIS, and with each thread that the runtime may start
counted() {
	what=$1
	shift
	for setting in SIS_ENABLE=0 SIS_TRACE=1 SIS_SENSORS=20ms; do
		rm -rf exp-t
		SIS_OUTPUT=$T/exp-t timeout 60 env "$setting" "$@" >out 2>err
		equal "$what, $setting: it counts its own threads" "$? $(cat out err)" "0 20"
	done
	check "$what: the node's load was sampled" ls exp-t/sensors-*
}
gcc -shared -fPIC -O1 count.c -o libcount.so -ldl >build.err 2>&1 || give_up "libcount.so" build.err
build own prog.c count.c -O1 -pthread -ldl --sis-cr=CR_F
counted "a pthread_create of the executable" ./own
build library prog.c -O1 -pthread -L. -lcount "-Wl,-rpath,$T" --sis-cr=CR_F
counted "one of a library" ./library
build plain prog.c -O1 -pthread --sis-cr=CR_F
counted "one that is preloaded" env LD_PRELOAD=./libcount.so ./plain

# -- what of them can be seen: names, and that they take no signals
all=fffffffe7ffbfeff # all but KILL, STOP and the two that libc keeps for itself
SIS_TRACE=1 SIS_SENSORS=20ms run_alone 1 ./plain tasks
equal "they have names" "$(grep -c '^Name:.sis-\(trace\|sensors\|sampler\)$' run.err)" 3
equal "they block all signals" "$(grep -c "^SigBlk:.$all$" run.err)" \
	"$(grep -c '^Name:.sis-' run.err)" # with sis-switches, if the kernel allows its records
matches "the program's thread keeps its name" "$(cat run.err)" '^Name:.plain$'

# -- static programs
printf 'int main(void) { return 0; }\n' >none.c
gcc -static none.c -o none 2>cc.err ||
	{ skip "static linking" "this system has no static libraries" && exit 0; }
sed 's/\*(void \*\*)&real = .*/real = __pthread_create;/
	s/^int created/extern __typeof__(pthread_create) __pthread_create;\n&/' \
	count.c >count_static.c
build static prog.c count_static.c -O1 -static -pthread --sis-cr=CR_F
equal "static: nothing is said" "$(cat build.err)" ""
counted "static: a pthread_create of the program" ./static
sed 's/^int pthread_create/int __wrap_pthread_create/
	s/\*(void \*\*)&real = .*/real = __real_pthread_create;/
	s/^int created/extern __typeof__(pthread_create) __real_pthread_create;\n&/' \
	count.c >count_wrap.c
build wrapped prog.c count_wrap.c -O1 -static -pthread -Wl,--wrap=pthread_create --sis-cr=CR_F
counted "static: one by ld --wrap" ./wrapped
build wrapped prog.c count_wrap.c -O1 -pthread -Wl,--wrap=pthread_create --sis-cr=CR_F
counted "one by ld --wrap" ./wrapped
SISC_CC=gcc "$SISC" -c -O1 --sis-cr=CR_F prog.c -o prog.o >build.err 2>&1 &&
	gcc prog.o count.c -o archive -pthread "$build_dir/lib/libsis.a" \
		"-Wl,@$build_dir/share/sis/wrap-libc" >build.err 2>&1 ||
		give_up "libsis.a" build.err
counted "libsis.a in a dynamic program" ./archive
