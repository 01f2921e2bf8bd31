/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin.c - loads plugins and calls them. Called by compile.c, once per translation unit.
 * The idea: a plugin is named by its file, and is checked before any of its functions is called. It
 * is linked with the library that sisc has loaded, so both work on one plan. */
#include "driver/plugin.h"
#include "plan/sis_plugin.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct loaded {
	const struct sis_plugin *plugin;
	void *state;
};
static struct loaded *loaded;
static size_t loaded_count;

static void end_all(void)
{
	while (loaded_count > 0) {
		const struct loaded *last = &loaded[--loaded_count];
		if (last->plugin->end)
			last->plugin->end(last->state);
	}
	free(loaded);
	loaded = NULL;
}

static int failed_in(const struct sis_plugin *plugin, const char *reason, struct err *err)
{
	return sis_err_set(err, "plugin '%s' failed: %s", plugin->name,
			   reason[0] ? reason : "it does not say why");
}

/* The plugin in the file. No library path is searched for it. */
static const struct sis_plugin *find(const char *file, struct err *err)
{
	char *path = sis_format("%s%s", strchr(file, '/') ? "" : "./", file);
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	const struct sis_plugin *plugin = handle ? dlsym(handle, "sis_plugin") : NULL;
	free(path);
	if (!handle)
		sis_err_set(err, "cannot load plugin '%s': %s", file, dlerror());
	else if (!plugin)
		sis_err_set(
			err,
			"'%s' is no plugin: it does not export 'sis_plugin'; see sis/sis_plugin.h",
			file);
	else if (plugin->abi != SIS_AST_ABI)
		sis_err_set(
			err,
			"plugin '%s' has ABI %#x, this sisc %#x; compile it again with the "
			"headers of this sisc",
			file, plugin->abi, SIS_AST_ABI);
	else
		return plugin;
	return NULL;
}

static int load(const char *name, struct err *err)
{
	char reason[512] = "";
	const char *comma = strchr(name, ',');
	char *file = sis_format("%.*s", (int)(comma ? (size_t)(comma - name) : strlen(name)), name);
	struct loaded one = { .plugin = find(file, err) };
	free(file);
	if (!one.plugin)
		return -1;
	if (one.plugin->start &&
	    one.plugin->start(comma ? comma + 1 : "", &one.state, reason, sizeof reason) != 0)
		return failed_in(one.plugin, reason, err);
	loaded = sis_realloc(loaded, loaded_count + 1, sizeof *loaded);
	loaded[loaded_count++] = one;
	return 0;
}

static int load_all(const struct words *names, struct err *err)
{
	static bool done;
	if (done)
		return 0;
	done = true;
	atexit(end_all);
	for (size_t i = 0; i < names->count; i++)
		if (load(names->at[i], err) < 0)
			return -1;
	return 0;
}

int sis_plugins_tu(const struct words *names, struct sis_plan *plan, struct err *err)
{
	if (load_all(names, err) < 0)
		return -1;
	for (size_t i = 0; i < loaded_count; i++) {
		char reason[512] = "";
		const struct sis_plugin *plugin = loaded[i].plugin;
		if (plugin->unit && plugin->unit(loaded[i].state, plan, reason, sizeof reason) != 0)
			return failed_in(plugin, reason, err);
	}
	return 0;
}
