# SPDX-License-Identifier: BSD-3-Clause
# sis-analyze run: programs of the system, and of the packages of the tests, behave as without it.
# ci: runs 40 programs twice
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
