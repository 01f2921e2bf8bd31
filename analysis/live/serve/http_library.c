/* SPDX-License-Identifier: BSD-3-Clause */
/* http_library.c - the functions of libmicrohttpd that server.c calls. Any thread may call them. */
#include <stdarg.h>

#include <microhttpd.h>

#include "base/lazy_library.h"

#define LIBRARY "libmicrohttpd.so.12"
#define LAZY(...) LAZY_FUNCTION(LIBRARY, __VA_ARGS__)

struct MHD_Daemon *MHD_start_daemon(unsigned flags, uint16_t port, MHD_AcceptPolicyCallback accept,
				    void *accept_arg, MHD_AccessHandlerCallback handle, void *arg,
				    ...)
{
	__typeof__(&MHD_start_daemon_va) start = (__typeof__(&MHD_start_daemon_va))lazy_function(
		LIBRARY, "MHD_start_daemon_va");
	va_list options;
	va_start(options, arg);
	struct MHD_Daemon *daemon = start(flags, port, accept, accept_arg, handle, arg, options);
	va_end(options);
	return daemon;
}

LAZY(void, MHD_stop_daemon, (struct MHD_Daemon *d), (d))
LAZY(const union MHD_DaemonInfo *, MHD_get_daemon_info,
     (struct MHD_Daemon *d, enum MHD_DaemonInfoType type, ...), (d, type))
LAZY(enum MHD_Result, MHD_run_wait, (struct MHD_Daemon *d, int32_t ms), (d, ms))
LAZY(const union MHD_ConnectionInfo *, MHD_get_connection_info,
     (struct MHD_Connection *c, enum MHD_ConnectionInfoType type, ...), (c, type))
LAZY(const char *, MHD_lookup_connection_value,
     (struct MHD_Connection *c, enum MHD_ValueKind kind, const char *key), (c, kind, key))
LAZY(struct MHD_Response *, MHD_create_response_from_buffer,
     (size_t bytes, void *text, enum MHD_ResponseMemoryMode mode), (bytes, text, mode))
LAZY(enum MHD_Result, MHD_add_response_header,
     (struct MHD_Response *r, const char *name, const char *text), (r, name, text))
LAZY(enum MHD_Result, MHD_queue_response,
     (struct MHD_Connection *c, unsigned status, struct MHD_Response *r), (c, status, r))
LAZY(void, MHD_destroy_response, (struct MHD_Response *r), (r))
