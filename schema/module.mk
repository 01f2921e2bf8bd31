# SPDX-License-Identifier: BSD-3-Clause
# The tables as a library: every other part links it, none is linked by it. libsis-ast.so has the
# tables already, so libsis-instrument.so links the filters alone.
schema_lib := $(B)/obj/libsis-schema.a
schema_filter := schema/filter_match.c schema/filter_parse.c schema/control_parse.c \
	schema/control_value.c
$(schema_lib): $(call objects,schema/tables.c $(schema_filter))
	$(call say,AR,$@)ar rcs $@ $^
