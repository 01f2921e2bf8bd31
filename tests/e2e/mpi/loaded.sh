# SPDX-License-Identifier: BSD-3-Clause
# MPI libraries that a program opens itself, privately: routines taken by dlsym, as ctypes does, and
# by an extension module that is linked with MPI, as mpi4py does. All calls are measured. Whatever
# else a program, its modules and other preloaded tools look up by dlsym is what they get without
# SIS.
# ci: runs what opens MPI in two dozen ways
. "$(dirname "$0")/../lib.sh"

preload=$build_dir/lib/libsis-mpi.so:$build_dir/lib/libsis.so
# of the last run: routines and their calls; what process 1 waited
judge() {
	equal "$1: prints" "$run_status $(cat run.out run.err)" "0 24"
	equal "$1: a node a call" "$(query '[.[] | select(.region | test("^MPI_"))] |
		group_by(.region) | map("\(.[0].region) \(map(.calls) | add)") | join(", ")' \
		regions "$EXP")" "MPI_Allreduce 4, MPI_Comm_rank 2, MPI_Finalize 2, MPI_Init 2, \
MPI_Recv 1, MPI_Send 1"
	near "$1: waits" "$(query '[.[] | select(.process == 1 and
		.overhead == "OSYNC_LATESEND") | .seconds] | add' overhead --by-pu "$EXP")" 0.3
	identity "$1"
}

# An extension: its routines are those of the library that it needs.
source_file extension.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
int run(int argc, char **argv);
int run(int argc, char **argv)
{
	int rank, value = 7, sum = 0;
	MPI_Status status;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0) {
		usleep(300000);
		MPI_Send(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
	} else {
		MPI_Recv(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &status);
		value = status.MPI_SOURCE + status.MPI_TAG;
	}
	MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	PMPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%d\n", sum);
	MPI_Finalize();
	return 0;
}
END
source_file interpreter.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	void *extension = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
	if (!extension)
		return fprintf(stderr, "%s\n", dlerror());
	return ((int (*)(int, char **))dlsym(extension, "run"))(argc, argv);
}
END

# -- what dlsym finds ------------------------------------------------------------------------------
# A tool that is preloaded, too: its function calls the next one, and it looks this up very early.
source_file tool.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
static int (*next)(const char *);
__attribute__((constructor(101))) static void find(void)
{
	next = (int (*)(const char *))dlsym(RTLD_NEXT, "puts");
}
int puts(const char *text) { next("tool"); return next(text); }
END
# A tool that interposes dlsym itself.
source_file other.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
static int mine(void) { return 7; }
void *dlsym(void *library, const char *name)
{
	static void *(*next)(void *, const char *);
	if (!next)
		next = (void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
	return strcmp(name, "mine") == 0 ? (void *)mine : next(library, name);
}
END
# A module of a tool that divides calls of MPI among its modules.
echo 'int MPI_Init(void) { return 0; }' >module.c
source_file lookup.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
/* the file of an address */
static const char *file(void *address)
{
	Dl_info info;
	if (!address || !dladdr(address, &info))
		return "none";
	const char *name = strrchr(info.dli_fname, '/');
	return name ? name + 1 : info.dli_fname;
}
int main(int argc, char **argv)
{
	void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
	void *module = dlopen("./module.so", RTLD_NOW | RTLD_LOCAL);
	void *apart = dlmopen(LM_ID_NEWLM, argv[1], RTLD_NOW | RTLD_LOCAL);
	(void)argc;
	printf("%s %s, ", file(dlsym(library, "MPI_Init")), file(dlsym(library, "PMPI_Init")));
	printf("%s, ", file(dlsym(library, "MPI_Wtime")));
	printf("%s, %s, ", file(dlsym(module, "MPI_Init")), file(dlsym(apart, "MPI_Init")));
	printf("%s ", file(dlsym(library, "MPI_Nothing")));
	printf("%s, ", dlerror() ? "missing" : "no error");
	printf("%s ", dlsym(RTLD_DEFAULT, "nothing") || !dlerror() ? "found" : "missing");
	printf("%s.\n", dlsym(RTLD_DEFAULT, "mine") ? "mine" : "-");
	fflush(stdout);
	puts("end");
	return 0;
}
END
{
	"$CC" -shared -fPIC tool.c -o tool.so && "$CC" -shared -fPIC other.c -o other.so &&
		"$CC" -shared -fPIC module.c -o module.so &&
		"$CC" lookup.c -o lookup && "$CC" interpreter.c -o interpreter
} 2>build.err || give_up "the tools are built" build.err

for pair in mpich:libmpich.so.12 openmpi:libmpi.so.40; do
	name=${pair%:*} library=${pair#*:} MPIEXEC=mpiexec.${pair%:*}
	command -v "$MPIEXEC" >/dev/null || { skip "$name" "no $MPIEXEC"; continue; }
	includes=$("mpicc.$name" -show | tr ' ' '\n' | grep '^-I' | tr '\n' ' ')
	# shellcheck disable=SC2086
	"$CC" -O1 $includes "$HERE/loaded.c" -o loaded 2>build.err &&
		"mpicc.$name" -shared -fPIC extension.c -o extension.so 2>>build.err ||
		give_up "$name: the program is built" build.err
	for program in "./loaded $library" "./loaded $library deep" "./interpreter ./extension.so"; do
		what="$name, ${program#./}"
		# shellcheck disable=SC2086
		run 2 1 $program
		equal "$what: alone" "$run_status $(cat run.out run.err)" "0 24"
		# shellcheck disable=SC2086
		run 2 1 env LD_PRELOAD="$preload" $program
		judge "$what"
	done
	near=", $library, module.so, $library, none missing, missing"
	run_alone 1 ./lookup $library
	equal "$name: lookups, alone" "$(cat run.out)" "$library $library$near -.
end"
	run_alone 1 env LD_PRELOAD="$preload" ./lookup $library
	equal "$name: lookups" "$(cat run.out)" "libsis-mpi.so libsis-mpi.so$near -.
end"
	run_alone 1 env LD_PRELOAD="$preload:./tool.so:./other.so" ./lookup $library
	equal "$name: lookups, before other tools" "$(cat run.out)" \
		"libsis-mpi.so libsis-mpi.so$near mine.
tool
end"
	run_alone 1 env LD_PRELOAD="./tool.so:$preload" ./lookup $library
	equal "$name: lookups, after another tool" "$(cat run.out)" \
		"libsis-mpi.so libsis-mpi.so$near -.
tool
end"
done
