# SPDX-License-Identifier: BSD-3-Clause
# Every view of the page in a browser, and every number in it: of the sample, with a trace, too.
# ci: it opens many pages in a browser
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_page.sh"

cp "$TOP"/samples/stommel/*.[ch] .
build sample stommel_mpi.c model.c -O2 -lm
build hybrid stommel_mpi.c model.c -O2 -fopenmp -lm

run 2 1 ./sample 100 100 20
page sample "$EXP"
numbers sample
views sample dark

SIS_TRACE=1 SIS_SENSORS=100ms run 2 2 ./hybrid 200 200 40
page hybrid "$EXP"
numbers hybrid
views hybrid
