/* SPDX-License-Identifier: BSD-3-Clause */
/* copy_memory.c - see copy_memory.h. The kernel makes the copy (process_vm_readv). Called by any
 * thread. */
#include "base/copy_memory.h"

#include <sys/uio.h>
#include <unistd.h>

bool sis__copy_memory(void *to, uintptr_t from, size_t bytes)
{
	struct iovec local = { to, bytes }, remote = { (void *)from, bytes };
	return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)bytes;
}
