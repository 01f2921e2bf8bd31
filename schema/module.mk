# SPDX-License-Identifier: BSD-3-Clause
# The tables as a library: every other part links it, none is linked by it.
schema_lib := $(B)/obj/libsis-schema.a
$(schema_lib): $(call objects,schema/tables.c)
	$(call say,AR,$@)ar rcs $@ $^
