/* SPDX-License-Identifier: BSD-3-Clause */
/* link: rtlib/blame/stacks/unwind.c rtlib/blame/stacks/call_frames.c rtlib/base/copy_memory.c */
/* test_gate_pair.c with the probes of a program. */
#define SIS__OF_PROGRAM
#include "test_gate_pair.c"
