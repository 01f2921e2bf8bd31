# SPDX-License-Identifier: BSD-3-Clause
# This library has the tables. All other parts link it, and it links none of them. libsis-ast.so has
# the tables already, so libsis-instrument.so links only the filters.
schema_lib := $(B)/obj/libsis-schema.a
schema_base := $(wildcard schema/base/*.c)
schema_filter := schema/filter_match.c schema/filter_parse.c schema/control_parse.c \
	schema/control_value.c
schema_host := schema/host_file.c
$(schema_lib): $(call objects,schema/tables.c $(schema_filter) $(schema_host) $(schema_base))
	$(call say,AR,$@)ar rcs $@ $^
