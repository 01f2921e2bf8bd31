#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# without_sisc.sh - in place of sisc: the compiler that sisc would call, without the options of sisc
# (PRELOAD=1, lib.sh).
for word; do
	shift
	case $word in --sis-*) ;; *) set -- "$@" "$word" ;; esac
done
exec "${SISC_CC:-gcc}" -I "$(dirname "$0")/../../rtlib/sis" "$@"
