/* SPDX-License-Identifier: BSD-3-Clause */
/* tsan_annotations.h - tells the thread sanitizer which accesses libgomp orders. libgomp is not
 * compiled for the sanitizer, and waits by futex, so the sanitizer does not see this order. After
 * sis__order_after each member of a team sees what any member did before sis__order_before. Empty
 * in builds without the sanitizer.
 */
#ifndef SIS_TSAN_ANNOTATIONS_H
#define SIS_TSAN_ANNOTATIONS_H

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
static inline void sis__order_before(void *team) { __tsan_release(team); }
static inline void sis__order_after(void *team) { __tsan_acquire(team); }
#else
static inline void sis__order_before(void *team) { (void)team; }
static inline void sis__order_after(void *team) { (void)team; }
#endif

#endif
