# SPDX-License-Identifier: BSD-3-Clause
# PETSc's stages are regions, if the library for annotations is preloaded. The stub has PETSc's
# documented functions; each prints its call.
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_annotations.sh"

source_file petsc_stub.c <<'END_OF_STUB'
#include <stdio.h>
static int stages = 1, depth;
int PetscLogStagePush(int stage)
{
	printf("push %d\n", stage);
	if (stage < 0 || stage >= stages)
		return 63;
	depth++;
	return 0;
}
int PetscLogStageRegister(const char *name, int *stage)
{
	printf("register %s\n", name);
	*stage = stages++;
	return 0;
}
int PetscLogStagePop(void)
{
	printf("pop\n");
	return depth-- > 0 ? 0 : 63;
}
int PetscInitialize(void) { return PetscLogStagePush(0); } /* the main stage */
END_OF_STUB
source_file stages.c <<'END_OF_STAGES'
#include <stdio.h>
int PetscInitialize(void), PetscLogStagePush(int), PetscLogStagePop(void);
int PetscLogStageRegister(const char *, int *);
int main(void)
{
	int assembly, solve, failed = 0;
	PetscInitialize();
	PetscLogStageRegister("Assembly", &assembly);
	PetscLogStageRegister("Solve", &solve);
	for (int i = 0; i < 3; i++) {
		failed += PetscLogStagePush(assembly) != 0;
		PetscLogStagePush(solve);
		PetscLogStagePop();
		PetscLogStagePop();
	}
	PetscLogStagePush(solve);
	failed += PetscLogStagePush(4711) != 0; /* no such stage: PETSc refuses */
	PetscLogStagePop();
	PetscLogStagePop();
	failed += PetscLogStagePop() != 0; /* nothing is left */
	printf("%d\n", failed);
	return 0;
}
END_OF_STAGES
"$CC" -O1 -fPIC -shared petsc_stub.c -o libpetsc.so &&
	"$CC" -O1 stages.c -o plain -L. -lpetsc -Wl,-rpath,"$T" || give_up "gcc builds stages.c"
build stages --sis-cr=CR_A stages.c -L. -lpetsc -Wl,-rpath,"$T"
./plain >before.out

# stages_of NAME: what the program did
stages_of() {
	equal "$1: all calls reach PETSc" \
		"$(diff run.out before.out) $(cat run.err) $run_status" "  0"
	equal "$1: stages and their activations" "$(all_calls)" "$(cat <<'END_OF_WANTED'
PETSc stage/0 1
PETSc stage/0/Assembly 3
PETSc stage/0/Assembly/Solve 3
PETSc stage/0/Solve 1
END_OF_WANTED
		)"
	equal "$1: an end without begin" "$(value annotation_ends_without_begin)" 1
	identity "$1"
}
run_alone 1 env LD_PRELOAD="$build_dir/lib/libsis.so:$module" ./plain
stages_of preloaded
run_alone 1 env LD_PRELOAD="$module" ./stages
stages_of sisc
run_alone 1 env LD_PRELOAD="$module" ./plain
equal "no runtime: all calls reach PETSc, and nothing is measured" \
	"$(diff run.out before.out) $(cat run.err) $run_status" "  0"
refuse "no runtime: no experiment" ls -d "$EXP"
