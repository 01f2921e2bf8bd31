/* SPDX-License-Identifier: BSD-3-Clause */
/* ompt_target.c - target constructs that a device executes: their kernels and copies. Called by the
 * thread of the host that waits for them.
 *
 * The idea: a device is a black box, and its host thread waits. All time inside the construct has
 * the leaf OSYNC_DEVICE, because a library for a device may begin kernels and copies in these calls
 * and wait for all of them at the end:
 *
 *     RT_TARGET |== RT_DEVCOPY ==|== RT_KERNEL ==|~~~~ waits ~~~~|== RT_DEVCOPY ==|
 *
 * A device is what libomptarget has initialized. The host itself is none: a construct that falls
 * back to the host is work like any other, and makes no call here. Constructs with nowait are
 * executed by threads of libomp that are not measured (device_tasks.c).
 * LIMIT: libomptarget also has devices that are the host in disguise (-fopenmp-targets= the host's
 * own name). They are devices, too. The thread that waits executes the kernel itself, but counts as
 * waiting and not as working, and the threads that the kernel uses are not measured.
 */
#include "adapters/device/device.h"
#include "adapters/device/device_tasks.h"
#include "adapters/ompt/ompt.h"
#include "adapters/user_api/user_api.h"
#include "measure/core/thread.h"
#include "blame/stacks/callers.h"

#include <stdio.h>

enum { DEVICES = 64, NAME = 40 }; /* LIMIT: devices with higher numbers count as the host */

static struct known { /* a device */
	bool there; /* it was initialized; atomic: set after the names */
	struct sis_counted kernels, bytes[SIS_DIRECTIONS];
	char name[1 + SIS_DIRECTIONS][NAME];
} known[DEVICES];

static __thread struct {
	struct known *device; /* of the target construct that the thread is in; NULL: none */
	bool in_kernel;
} here;

static struct known *known_of(int number)
{
	struct known *device = number >= 0 && number < DEVICES ? &known[number] : NULL;
	/* pairs with the release in sis__ompt_device_initialize */
	return device && __atomic_load_n(&device->there, __ATOMIC_ACQUIRE) ? device : NULL;
}

static void name(struct known *device, int i, struct sis_counted *counted, const char *what,
		 int number)
{
	snprintf(device->name[i], NAME, "%s device %d", what, number);
	counted->name = device->name[i];
}

/* libomptarget initializes a device once, before it uses the device. */
void sis__ompt_device_initialize(int number, const char *type, void *handle,
				 sis_ompt_function *(*lookup)(const char *name),
				 const char *documentation)
{
	(void)type, (void)handle, (void)lookup, (void)documentation;
	if (number < 0 || number >= DEVICES || known_of(number))
		return;
	struct known *device = &known[number];
	name(device, 0, &device->kernels, "kernels on", number);
	name(device, 1, &device->bytes[SIS_TO_DEVICE], "bytes to", number);
	name(device, 2, &device->bytes[SIS_FROM_DEVICE], "bytes from", number);
	__atomic_store_n(&device->there, true, __ATOMIC_RELEASE);
}

/* Begins a node in the current one, and gives it a number (counted is NULL: none). Returns false if
 * the thread is not measured. */
static bool begin(uint32_t id, struct sis_counted *counted, double x)
{
	struct sis_thread *thread = sis__local.off ? NULL : sis__thread();
	bool begun = thread && sis__begin(thread, id, 0);
	if (counted && begun)
		sis_hand_value(counted, x);
	else if (counted && sis__ompt_is_helper())
		sis__device_task_value(counted, x);
	return begun;
}

void sis__ompt_target(int kind, int endpoint, int number, union sis_ompt_data *task,
		      union sis_ompt_data *target_task, union sis_ompt_data *target, const void *at)
{
	(void)kind, (void)task, (void)target_task, (void)target, (void)at;
	if (endpoint == OMPT_BEGIN) {
		here.device = known_of(number);
		if (here.device && sis__ompt_is_helper())
			sis__device_task_begin();
		else if (here.device)
			begin(sis__caller_region(RT_TARGET), NULL, 0);
	} else if (endpoint == OMPT_END && here.device) {
		here.device = NULL;
		if (sis__ompt_is_helper())
			sis__device_task_end();
		else
			sis__ompt_wait_end(RT_TARGET);
	}
}

/* Copies may be made outside of target constructs, too (omp_target_memcpy). */
void sis__ompt_target_data_op(int endpoint, union sis_ompt_data *target_task,
			      union sis_ompt_data *target, uint64_t *host_op, int op, void *from,
			      int from_device, void *to, int to_device, size_t bytes,
			      const void *at)
{
	(void)target_task, (void)target, (void)host_op, (void)from, (void)to, (void)at;
	bool out = op == OMPT_DATA_FROM_DEVICE;
	struct known *device = known_of(out ? from_device : to_device);
	if (!device || (op != OMPT_DATA_TO_DEVICE && !out))
		return;
	if (endpoint == OMPT_END)
		sis__ompt_wait_end(RT_DEVCOPY);
	else if (endpoint == OMPT_BEGIN)
		begin(RT_DEVCOPY, &device->bytes[out ? SIS_FROM_DEVICE : SIS_TO_DEVICE],
		      (double)bytes);
}

/* A muted thread measures nothing. Without a node for that time, it stays in the kernel's node. */
static void mute(bool on)
{
	sis__guard();
	if (on)
		sis__mute(0);
	else
		sis__unmute();
	sis__unguard();
}

void sis__ompt_target_submit(int endpoint, union sis_ompt_data *target, uint64_t *host_op,
			     unsigned teams)
{
	(void)target, (void)host_op, (void)teams;
	if (endpoint == OMPT_BEGIN && here.device && begin(RT_KERNEL, &here.device->kernels, 1)) {
		here.in_kernel = true;
		mute(true);
	} else if (endpoint == OMPT_END && here.in_kernel) {
		here.in_kernel = false;
		mute(false);
		sis__ompt_wait_end(RT_KERNEL);
	}
}
