# SPDX-License-Identifier: BSD-3-Clause
# HIP: the wait is at the call that truly waits, for a program that is linked with HIP and for a
# library that a program opens. The library of HIP is a stub whose streams are threads; with and
# without versions of its names.
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_devices.sh"
LD_LIBRARY_PATH=$T/lib
export LD_LIBRARY_PATH

echo 'hip_4.2 { global: *; };' >versions
source_file opens.c <<'END'
#include <dlfcn.h>
int main(void)
{
	int (*use)(void) = 0;
	void *library = dlopen("./libuse.so", RTLD_NOW | RTLD_LOCAL);
	*(void **)&use = dlsym(library, "use");
	return use();
}
END
build opens opens.c --sis-cr=CR_F -ldl -pthread
for version in with without; do
	rm -rf lib libuse.so
	if [ $version = with ]; then
		driver libamdhip64.so.6 "$HERE/hip_stub.c" -Wl,--version-script=versions
	else
		driver libamdhip64.so.6 "$HERE/hip_stub.c"
	fi
	ln -s libamdhip64.so.6 lib/libamdhip64.so
	build linked "$HERE/hip.c" "-I$E2E/include" --sis-cr=CR_F -O0 -Llib -lamdhip64 -pthread
	"$SISC" -shared -fPIC -DLIBRARY "$HERE/hip.c" "-I$E2E/include" --sis-cr=CR_F -O0 -Llib \
		-lamdhip64 -pthread -o libuse.so 2>build.err || give_up "the library" build.err
	"$CC" -c "$HERE/hip.c" "-I$E2E/include" -o hip.o &&
		"$SISC" --sis-cc=g++ hip.o -Llib -lamdhip64 -o cplusplus 2>build.err ||
		give_up "sisc links with g++" build.err
	run_alone 1 ./cplusplus
	equal "linked by g++, $version versions: prints and ends as it should" \
		"$run_status $(cat run.out)" "0 0 0 0"
	at_least "linked by g++, $version versions: waits" \
		"$(query .overheads.OSYNC_DEVICE overhead "$EXP")" 0.75
	for how in linked opens; do
		title="$how, $version versions"
		run_alone 1 ./$how
		equal "$title: prints and ends as it should" "$run_status $(cat run.out)" "0 0 0 0"
		equal "$title: says nothing" "$(cat run.err)" ""
		identity "$title"
		for truth in wait=0.4 download=0.2 again=0.15; do
			at_least "$title: waits in ${truth%=*}" "$(waited "${truth%=*}")" \
				"${truth#*=}"
		done
		for other in launch compute; do
			near "$title: does not wait in $other" "$(waited $other)" 0
		done
		at_least "$title: works in compute" "$(useful compute)" 0.1
		near "$title: does not work in wait" "$(useful wait)" 0
		equal "$title: bytes" "$(value "bytes to device") $(value "bytes from device")" \
			"1000 1000"
	done
done
