# Statically linked programs: OpenMP is measured in them as in any other.
. "$(dirname "$0")/lib.sh"

source_file team.c <<'END'
#include <omp.h>
#include <stdio.h>
static int work(int n) { for (int i = 0; i < 9; i++) n ^= i; return n; }
int main(void)
{
	int sum = 0;
	omp_lock_t lock;
	omp_init_lock(&lock);
#pragma omp parallel num_threads(3) reduction(+ : sum)
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 40; i++)
			sum += work(i) - work(i) + 1;
#pragma omp critical
		sum += work(0) * 0;
#pragma omp barrier
#pragma omp single
		for (int i = 0; i < 4; i++) {
#pragma omp task
			work(i);
		}
		omp_set_lock(&lock);
		omp_unset_lock(&lock);
	}
	printf("%d %d\n", sum, omp_get_thread_num());
	return 0;
}
END
printf 'int main(void) { return 0; }\n' >plain.c
gcc -static -fopenmp team.c -o plain 2>cc.err || { skip "static linking" "this system has no static libraries" && exit 0; }

# How often each region was entered, and by how many: what depends on who was faster left out.
counts() {
	query '[.[] | select(.type | test("^CR_|RT_(FORK|JOIN|IBAR|EBAR|TASK)$"))] | group_by(.type + .region) |
		map("\(.[0].type) \(.[0].region) \(map(.calls) | add)") | .[]' regions "$EXP" | sort
}
build shared -O1 -fopenmp team.c
run_alone 3 ./shared
wanted=$(cat run.out && counts)
for flags in "-static" "-static -O2 -flto" "-static-pie"; do
	# shellcheck disable=SC2086
	"$SISC" -O1 -fopenmp $flags team.c -o team >build.err 2>&1 || give_up "sisc $flags" build.err
	run_alone 3 ./team
	equal "$flags: prints and is measured as when shared" "$(cat run.out && counts)" "$wanted"
	equal "$flags: nothing is said" "$(cat run.err)" ""
	identity "$flags"
done
check "no threads, no OpenMP" "$SISC" -static plain.c -o none
lacks "what OpenMP needs is in no other program" "$(nm none)" 'GOMP|omp_'
