# SPDX-License-Identifier: BSD-3-Clause
# CUDA's driver: the wait is at the call that truly waits, however the program finds the driver's
# functions. The driver is a stub whose streams are threads.
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_devices.sh"
LD_LIBRARY_PATH=$T/lib
export LD_LIBRARY_PATH

driver libcuda.so.1 "$HERE/cuda_stub.c"
ln -s libcuda.so.1 lib/libcuda.so
dlsym=$build_dir/lib/libsis-mpi.so # it interposes dlsym; sis-analyze run preloads it
build linked "$HERE/cuda.c" "-I$E2E/include" --sis-cr=CR_F -O0 -DLINKED -Llib -lcuda -pthread
build cuda "$HERE/cuda.c" "-I$E2E/include" --sis-cr=CR_F -O0 -ldl -pthread
"$CC" -w "$HERE/cuda.c" "-I$E2E/include" -o plain -ldl 2>build.err ||
	give_up "the program is built" build.err

for how in linked dlsym asked; do
	if [ $how = linked ]; then
		run_alone 1 ./linked
	else
		export LD_PRELOAD="$dlsym"
		run_alone 1 ./cuda $how
		unset LD_PRELOAD
	fi
	equal "$how: prints and ends as it should" "$run_status $(cat run.out)" "0 0 600 0"
	equal "$how: says nothing" "$(cat run.err)" ""
	identity "$how"
	for truth in wait=0.4 download=0.2 again=0.3; do
		at_least "$how: waits in ${truth%=*}" "$(waited "${truth%=*}")" "${truth#*=}"
	done
	for other in launch compute upload; do
		near "$how: does not wait in $other" "$(waited $other)" 0
	done
	at_least "$how: the leaf" "$(query .overheads.OSYNC_DEVICE overhead "$EXP")" 0.9
	at_least "$how: works in compute" "$(useful compute)" 0.1
	near "$how: does not work in wait" "$(useful wait)" 0
	equal "$how: bytes" "$(value "bytes to device") $(value "bytes from device")" "1000 1000"
done

# -- a program that is not compiled with sisc
EXP=$T/by_run
SIS_BLAME=0 "$ANALYZE" run --db sis.db --name by_run --report report \
	./plain asked >run.out 2>run.err
equal "run: prints and ends as it should" "$? $(cat run.out run.err)" "0 0 600 0"
at_least "run: the leaf" \
	"$(query ".overheads.OSYNC_DEVICE * .processing_units" overhead "$EXP")" 0.9

# -- what must not change
./plain dlsym >plain.out
equal "without the runtime it prints the same" "$(cat plain.out)" "0 600 0"
for off in SIS_ENABLE=0 SIS_OUTPUT=/nowhere/at/all; do
	equal "$off: prints the same" "$(env "$off" ./linked 2>/dev/null)" "0 600 0"
done
source_file there.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
	puts(dlsym(RTLD_DEFAULT, "cuStreamSynchronize") ? "CUDA" : "no CUDA");
	return 0;
}
END
build there there.c -ldl
run_alone 1 ./there
equal "a program that asks for CUDA finds none" "$(cat run.out)" "no CUDA"
LD_PRELOAD=$dlsym run_alone 1 ./there
equal "the same if the runtime sees the question" "$(cat run.out)" "no CUDA"
source_file calls.c <<'END'
int cuCtxSynchronize(void);
int main(void) { return cuCtxSynchronize(); }
END
refuse "a program does not link without the driver" "$SISC" calls.c -o calls
