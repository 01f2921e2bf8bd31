# SPDX-License-Identifier: BSD-3-Clause
# sis-analyze run: programs of the system, and of the packages of the tests, behave as without it.
# ci: runs 60 programs twice
. "$(dirname "$0")/../lib.sh"
unset SIS_ASLEEP
seq 1 200000 >data
head -c 3000000 "$build_dir"/lib/libsis-ast.so.2 >binary
printf 'a b\n' >words
cat >one.c <<'END'
#include <stdio.h>
int main(void) { for (int i = 0; i < 1000; i++) printf("%d\n", i * i); return 3; }
END

# same COMMAND...: prints the same, and ends with the same status. What is not installed is skipped.
same() {
	if ! command -v "$1" >/dev/null; then
		skip "$1" "not installed"
		return
	fi
	timeout 60 "$@" <data >plain.out 2>plain.err
	plain=$?
	timeout 60 "$ANALYZE" run --db run.db --report report "$@" <data >run.out 2>run.err
	equal "$*: status" $? $plain
	check "$*: output" cmp plain.out run.out
	check "$*: standard error" cmp plain.err run.err
}
same gzip -9 -c binary
same bzip2 -c data
same xz -T2 -c data
same zstd -q -T2 -c binary
same sort -n --parallel=2 -r data
same sort missing
same sed s/1/2/g data
same grep -c 77 data
same awk '{ s += $1 } END { print s }' data
same tr 1 2
same cat - data
same wc data binary
same sha256sum binary
same cksum binary
same od -c words
same diff data words
same split -n 3 data
same tar cf - data words
same find /usr/share/doc -maxdepth 1
same dd if=binary of=copy bs=64k status=none
same perl -e '$s += $_ for 1 .. 1000000; print "$s\n"'
same perl -e 'if (fork) { wait; print "parent $?\n" } else { exit 4 }'
same perl -e 'kill 15, $$'
same python3 -c 'print(sum(i * i for i in range(300000)))'
same python3 -c 'import subprocess; print(subprocess.run(["sh", "-c", "echo a; exit 3"]))'
same python3 -c 'import threading
t = [threading.Thread(target=lambda: sum(range(300000))) for i in range(4)]
[x.start() for x in t]; [x.join() for x in t]; print("threads")'
cat >pool.py <<'END'
from multiprocessing import Pool
def work(n):
    return sum(range(n))
if __name__ == "__main__":
    with Pool(3) as pool:
        print(pool.map(work, [200000] * 6))
END
same python3 pool.py
same "$CC" -O2 -c -o one.o one.c
same "$CC" -O2 -c missing.c
same clang-19 -O2 -o one one.c
same ./one
same make -f /dev/null
same bash -c 'for i in 1 2 3 4 5 6 7 8; do /bin/true; done; echo done; exit 9'
same sh -c 'echo a | tr a b; kill -9 $$'
same git --version
same gojq -n '[range(100000)] | add'
same node -e 'let s = 0; for (let i = 0; i < 1e6; i++) s += i; console.log(s)'
same xmllint --version
same psql --version
same openssl version
same readelf -hW /bin/ls
same esbuild --version
same date +%Y
same stat -c %s data
same ls -l data words
same env -i /bin/echo nothing
same timeout 1 sleep 5
same ccache --version
same cmake --version
same xargs -n 1000 echo
same sqlite3 :memory: 'CREATE TABLE t (a);
	WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
	INSERT INTO t SELECT i FROM n; SELECT sum(a), count(*) FROM t;'
ppmmake red 200 200 >picture.ppm
same pnmscale 2 picture.ppm
same pnmtopng picture.ppm

# Programs of MPI print times, which differ. The rest, sorted, is compared.
cat >untimed <<'END'
#!/bin/sh
program=$1
shift
"$@" >all 2>&1 </dev/null
status=$?
case $program in
hpcc) grep -oE 'PASSED|FAILED|Found.*|[0-9]+ tests .*' hpccoutf.txt && rm hpccoutf.txt ;;
*) sed 's/ *-->.*//' all ;;
esac | sort
exit $status
END
chmod +x untimed
cat >hpccinf.txt <<'END'


HPL.out
8
1 sizes
60
1 blocks
20
0
1 grid
1
2
16.0
1
2
1
4
1
2
1
1
1
1
1
0
2
64
0
0
1
8

0
1200
0
40
END
for run in NPmpich2:mpich NPopenmpi:openmpi hpcc:openmpi; do
	program=${run%:*} mpiexec=mpiexec.${run#*:} arguments="-l 1 -u 1000 -n 20"
	[ $program != hpcc ] || arguments=
	if command -v "$program" >/dev/null && command -v "$mpiexec" >/dev/null; then
		# shellcheck disable=SC2086
		same ./untimed "$program" "$mpiexec" -n 2 "$program" $arguments
	else
		left_out "$program"
	fi
done
# a large package: make check-long does not install it
! command -v ffmpeg >/dev/null || same ffmpeg -v error -f lavfi \
	-i testsrc=duration=1:size=160x120:rate=10 -c:v mpeg4 -threads 2 -bitexact -f avi -
