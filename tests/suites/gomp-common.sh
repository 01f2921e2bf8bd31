# SPDX-License-Identifier: BSD-3-Clause
# gomp-common - libgomp's tests that are C and C++.
# shellcheck shell=sh
. "$TOP/tests/suites/gomp.sh"
gomp_folder=libgomp.c-c++-common
