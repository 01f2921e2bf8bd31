/* SPDX-License-Identifier: BSD-3-Clause */
/* sis/verify.h - defines all macros that sisc writes into a program as nothing. sisc --sis-verify
 * defines SIS__VERIFY. Then probe.h only includes this file, and the instrumented text must have
 * the same tokens as the source after preprocessing. Each macro of probe.h that sisc inserts needs
 * a line here. */
#define SIS_BLOCK_BEGIN
#define SIS_BLOCK_END
#define SIS_EMPTY
#define SIS_NOTHING
#define SIS_UNREACHED
#define SIS_DO(...)
#define SIS_FIRST(...)
#define SIS_SHARED
#define SIS_FIRSTPRIVATE(n)
#define SIS_SCOPE(k)
#define SIS_INSTANCE_SCOPE(k)
#define SIS_CONSTEXPR_SCOPE(k)
#define SIS_OPEN(k)
#define SIS_CLOSE(k)
#define SIS_ENTER(k)
#define SIS_LEAVE(k)
#define SIS_CALL_BEGIN(k)
#define SIS_CALL_END(k)
#define SIS_VCALL_BEGIN(k)
#define SIS_VCALL_END(k)
#define SIS_SCOPE_IF(k, C)
#define SIS_OPEN_IF(k, C)
#define SIS_CLOSE_IF(k, C)
#define SIS_FLAG(k)
#define SIS_FLAG_ENTER(k)
#define SIS_FLAG_ENTER_IF(k, C)
#define SIS_FLAG_LEAVE(k)
#define SIS_OVERLAP(k)
#define SIS_OVERLAP_ENTER(k)
#define SIS_OVERLAP_ENTER_IF(k, C)
#define SIS_OVERLAP_LEAVE(k)
#define SIS_IF(n)
#define SIS_IF_ENTER(n, ...)
#define SIS_IF_LEAVE(n)
#define SIS_IF_ONCE(n, ...)
#define SIS_CALL_BEGIN_IF(k, C)
#define SIS_CALL_END_IF(k, C)
#define SIS_VCALL_BEGIN_IF(k, C)
#define SIS_VCALL_END_IF(k, C)
#define SIS_SITE(k)
#define SIS_SITE_IF(k, C)
#define SIS_SITE_END
#define SIS_TASK(k)
#define SIS_TASK_IF(k, C)
#define SIS_CLAUSES(k, what)
#define SIS_PRIVATES_MADE(k)
#define SIS_BOUND_BEGIN
#define SIS_BOUND_END
#define SIS_JUMP(n)
#define SIS_JUMP_BEGIN(n)
#define SIS_JUMP_END
#define SIS_MEASURE_OFF
#define SIS_MEASURE_ON
#define SIS_START_TRACE
#define SIS_STOP_TRACE
#define SIS_OFF_SCOPE(n)
#define SIS_OFF_OPEN(n)
#define SIS_OFF_CLOSE(n)
#define SIS_OFF_FLAG(n)
#define SIS_OFF_ENTER(n)
#define SIS_OFF_LEAVE(n)
