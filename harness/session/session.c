/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Make the session directory and the environment that leads a program's
 * OpenCL loader to our layer.
 */
#include "config.h"

#include "session.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "harness/files/directories.h"
#include "door.h"
#include "harness/base/errors.h"
#include "harness/readers/journal_reader.h"
#include "harness/base/memory.h"
#include "preload.h"
#include "session_config.h"
#include "harness/base/text.h"

#define LAYER_FILE CLAW_LAYER_FILE

/* More than a journal without calls takes. */
enum { JOURNAL_ROOM_BYTES = 4 << 20 };

/* Make DIRECTORY/name and have it written. */
static FILE *open_in(const char *directory, const char *name)
{
	char *path = claw_path_in(directory, name);
	FILE *out = fopen(path, "we");

	free(path);
	return out;
}

static int close_written(FILE *out)
{
	int failed = ferror(out);

	return fclose(out) != 0 || failed ? -CLAW_E_IO : 0;
}

/* What an earlier session had there goes. */
static int write_models(const char *directory, const char *models)
{
	char *path = claw_path_in(directory, "models");
	FILE *out;

	unlink(path);
	free(path);
	if (!models)
		return 0;
	out = open_in(directory, "models");
	if (!out)
		return -CLAW_E_IO;
	fputs(models, out);
	return close_written(out);
}

static int write_files(const char *directory, char *const *rules,
		       size_t rule_count,
		       const struct claw_session_config *config, uint64_t nonce)
{
	FILE *out = open_in(directory, "rules");

	if (!out)
		return -CLAW_E_IO;
	for (size_t i = 0; i < rule_count; i++)
		fprintf(out, "%s\n", rules[i]);
	if (close_written(out) < 0)
		return -CLAW_E_IO;

	out = open_in(directory, "config");
	if (!out)
		return -CLAW_E_IO;
	claw_session_config_write(out, config);
	fprintf(out, "nonce=%" PRIu64 "\n", nonce);
	if (close_written(out) < 0)
		return -CLAW_E_IO;
	return write_models(directory, config->models);
}

static int make_blobs(const char *directory)
{
	char *path = claw_path_in(directory, "blobs");
	int made = mkdir(path, 0777);
	int error = made < 0 ? errno : 0;

	free(path);
	errno = error;
	return made < 0 && error != EEXIST ? -CLAW_E_IO : 0;
}

static int is_journal(const struct dirent *entry)
{
	return strncmp(entry->d_name, "journal.", 8) == 0;
}

static int is_ledger(const struct dirent *entry)
{
	return strncmp(entry->d_name, "ledger.", 7) == 0;
}

static int is_found(const struct dirent *entry)
{
	return strncmp(entry->d_name, "found.", 6) == 0;
}

static int is_meters(const struct dirent *entry)
{
	return claw_begins(entry->d_name, "meters.");
}

static int is_probes(const struct dirent *entry)
{
	return claw_begins(entry->d_name, "probes.");
}

static int is_of_a_run(const struct dirent *entry)
{
	return is_journal(entry) || is_ledger(entry) || is_found(entry) ||
		is_meters(entry) || is_probes(entry) ||
		claw_begins(entry->d_name, "trace.") ||
		claw_begins(entry->d_name, "contents.") ||
		claw_begins(entry->d_name, "process.");
}

/* Files of an earlier run in the same directory would be taken for ours. */
static void remove_earlier(const char *directory)
{
	struct dirent **entries;
	int count = scandir(directory, &entries, is_of_a_run, NULL);

	for (int i = 0; i < count; i++) {
		char *path = claw_path_in(directory, entries[i]->d_name);

		unlink(path);
		free(path);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

const char *claw_session_temporary_base(void)
{
	const char *base = getenv("TMPDIR");

	return base && *base ? base : "/tmp";
}

/* With a program's memory in it, it is nobody else's. */
static int make_directory(const char *wanted, bool captures,
			  struct claw_session *session)
{
	char *made = NULL;

	if (wanted) {
		if (mkdir(wanted, captures ? 0700 : 0777) < 0 &&
		    errno != EEXIST)
			return -CLAW_E_IO;
		session->directory = realpath(wanted, NULL);
		if (!session->directory)
			return -CLAW_E_IO;
		remove_earlier(session->directory);
		return 0;
	}
	made = claw_format("%s/openclaw.XXXXXX",
			   claw_session_temporary_base());
	if (mkdtemp(made)) {
		/* A program of root's may become another user before it looks
		 * for the driver there: names can be opened, not listed. */
		if (!captures && claw_via_get() == CLAW_DOOR_ICD &&
		    geteuid() == 0)
			chmod(made, 0711);
		session->temporary = true;
		session->directory = realpath(made, NULL);
	}
	free(made);
	return session->directory ? 0 : -CLAW_E_IO;
}

static int set_layers(struct claw_session *session, const char *layer)
{
	char *layers;
	int ret;

	if (strchr(layer, ':'))		/* it would be cut in two there */
		return -CLAW_E_LAYER_PATH;
	layers = claw_session_layers(layer, getenv("OPENCL_LAYERS"));
	ret = claw_session_setenv(session, "OPENCL_LAYERS", layers);
	if (ret == 0)
		ret = claw_session_setenv(session, "OPENCLAW_LAYERS", layers);
	free(layers);
	return ret;
}

int claw_session_set_door(struct claw_session *session)
{
	bool is_icd = claw_via_get() == CLAW_DOOR_ICD;
	char *layer = claw_layer_path();
	int ret = !layer ? -CLAW_E_NO_LAYER :
		is_icd ? claw_door_set_icd(session, layer) :
		set_layers(session, layer);

	session->via_icd = is_icd;
	free(layer);
	return ret;
}

static int set_environment(struct claw_session *session)
{
	int ret = claw_session_set_door(session);

	if (ret == 0)
		ret = claw_session_setenv(session, "OPENCLAW_SESSION",
					  session->directory);
	/* What the session says is not said a second time. */
	if (ret == 0)
		ret = claw_session_setenv(session, "OPENCLAW_FAULTS", NULL);
	if (ret == 0)
		ret = claw_session_setenv(session, "OPENCLAW_SEED", NULL);
	return ret;
}

static int remove_entry(const char *path, const struct stat *status, int type,
			struct FTW *where)
{
	(void)status;
	(void)type;
	(void)where;
	remove(path);
	return 0;
}

static char *readable(char *path)
{
	if (path && access(path, R_OK) == 0)
		return path;
	free(path);
	return NULL;
}

/* Directory of the running program, malloced. */
static char *own_directory(void)
{
	char path[PATH_MAX];
	ssize_t size = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (size <= 0)
		return NULL;
	path[size] = '\0';

	char *slash = strrchr(path, '/');

	if (!slash)
		return NULL;
	*(slash == path ? slash + 1 : slash) = '\0';
	return claw_strdup(path);
}

/* Never 0. */
static uint64_t new_nonce(void)
{
	uint64_t nonce = 0;
	struct timespec now;

	if (getrandom(&nonce, sizeof(nonce), GRND_NONBLOCK) != sizeof(nonce) &&
	    clock_gettime(CLOCK_REALTIME, &now) == 0)
		nonce = (uint64_t)now.tv_sec * 1000000000u +
			(uint64_t)now.tv_nsec;
	return nonce | 1;
}

int claw_session_new(const char *directory, char *const *rules,
		     size_t rule_count, const struct claw_session_config *config,
		     struct claw_session **ret_session)
{
	struct claw_session *session = claw_calloc(1, sizeof(*session));
	struct claw_session_config filled = *config;
	int ret;

	/* Another driver may have the same name there. */
	if (config->program && config->probes.modes &&
	    !(config->models && *config->models))
		claw_program_cache_open(config->program, &session->own);
	filled.program_cache = session->own.directory;
	session->environment = claw_calloc(1, sizeof(char *));
	session->nonce = new_nonce();
	ret = make_directory(directory, config->capture.buffers !=
			     CLAW_CAPTURE_OFF, session);
	if (ret == 0)
		ret = make_blobs(session->directory);
	if (ret == 0)
		ret = write_files(session->directory, rules, rule_count, &filled,
				  session->nonce);
	if (ret == 0)
		ret = set_environment(session);
	if (ret == 0 && config->find & CLAW_FOUND_LIFETIME)
		ret = claw_session_preload(session);
	if (ret < 0)
		goto out;
	*ret_session = session;
	session = NULL;
out:;
	int error = errno;

	claw_session_free(session);
	errno = error;
	return ret;
}

void claw_session_free(struct claw_session *session)
{
	if (!session)
		return;
	if (session->temporary && session->directory)
		claw_directory_remove(session->directory);
	for (char **entry = session->environment; entry && *entry; entry++)
		free(*entry);
	free(session->environment);
	claw_program_cache_close(&session->own);
	free(session->directory);
	free(session);
}

int claw_session_setenv(struct claw_session *session, const char *name,
			const char *value)
{
	size_t length = strlen(name), count = 0;
	char *entry = NULL;
	int ret;

	if (claw_door_takes(session, name, value, &ret))
		return ret;
	entry = claw_format("%s%s%s", name, value ? "=" : "",
			    value ? value : "");
	for (; session->environment[count]; count++) {
		char **old = &session->environment[count];

		if (strncmp(*old, name, length) == 0 &&
		    ((*old)[length] == '=' || (*old)[length] == '\0')) {
			free(*old);
			*old = entry;
			return 0;
		}
	}

	char **larger = claw_grow(session->environment, count + 2,
				  sizeof(*larger));

	larger[count] = entry;
	larger[count + 1] = NULL;
	session->environment = larger;
	return 0;
}

bool claw_session_has_room(const struct claw_session *session)
{
	struct statvfs disk;
	struct rlimit limit;

	if (access(session->directory, W_OK) < 0)
		return false;
	if (statvfs(session->directory, &disk) == 0 &&
	    (uint64_t)disk.f_bavail * disk.f_frsize < JOURNAL_ROOM_BYTES)
		return false;
	return getrlimit(RLIMIT_FSIZE, &limit) != 0 ||
		limit.rlim_cur >= JOURNAL_ROOM_BYTES;
}

/* Each its own below the directory, which is made. */
static int lead_caches(struct claw_session *session, const char *directory,
		       const char *const *names, size_t count)
{
	int ret = 0;

	if (claw_make_directory(directory) < 0)
		return -CLAW_E_IO;
	for (size_t i = 0; ret == 0 && i < count; i++) {
		char *path = claw_path_in(directory, names[i]);

		ret = claw_make_directory(path);
		if (ret == 0)
			ret = claw_session_setenv(session, names[i], path);
		free(path);
	}
	return ret;
}

int claw_session_set_caches(struct claw_session *session,
			    const char *directory)
{
	static const char *const names[] = {
		"XDG_CACHE_HOME", "POCL_CACHE_DIR", "PYOPENCL_CACHE_DIR",
		"CUDA_CACHE_PATH",
	};

	return lead_caches(session, directory, names,
			   sizeof(names) / sizeof(*names));
}

/* Where pocl has what it compiled, although XDG_CACHE_HOME is another now. */
static int keep_pocl_cache(struct claw_session *session)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	const char *named = getenv("POCL_CACHE_DIR");
	char *path = NULL;
	int ret;

	if (named && *named)
		return 0;
	if (cache && *cache)
		path = claw_format("%s/pocl/kcache", cache);
	else if (home && *home)
		path = claw_format("%s/.cache/pocl/kcache", home);
	ret = path ? claw_session_setenv(session, "POCL_CACHE_DIR", path) : 0;
	free(path);
	return ret;
}

int claw_session_set_own_caches(struct claw_session *session)
{
	static const char *const names[] = {
		"XDG_CACHE_HOME", "PYOPENCL_CACHE_DIR",
	};
	char *directory = session->own.directory ?
		claw_path_in(session->own.directory, "cache") :
		claw_path_in(session->directory, "cache");
	int ret = keep_pocl_cache(session);

	if (ret == 0)
		ret = lead_caches(session, directory, names,
				  sizeof(names) / sizeof(*names));
	free(directory);
	return ret;
}

char *claw_session_layers(const char *layer_path, const char *current)
{
	char *layers = NULL;
	size_t size = 0;
	FILE *out = claw_text_begin(&layers, &size);

	fputs(layer_path, out);
	for (const char *part = current; part && *part;) {
		size_t length = strcspn(part, ":");
		const char *end = part + length;
		const char *base = end;

		while (base > part && base[-1] != '/')
			base--;
		if (length > 0 && ((size_t)(end - base) != strlen(LAYER_FILE) ||
				   memcmp(base, LAYER_FILE,
					  strlen(LAYER_FILE)) != 0))
			fprintf(out, ":%.*s", (int)length, part);
		part = *end ? end + 1 : end;
	}
	claw_text_end(out);
	return layers;
}

void claw_directory_remove(const char *path)
{
	nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

char *claw_layer_path(void)
{
	static const char *const beside[] = {
		LAYER_FILE, ".libs/" LAYER_FILE, "../" LAYER_FILE,
		"../../" LAYER_FILE, "../lib/openclaw/" LAYER_FILE,
	};
	const char *named = getenv("OPENCLAW_LAYER");

	if (named && *named) {
		char *path = realpath(named, NULL);

		return readable(path);
	}

	char *own = own_directory();
	char *found = NULL;

	for (size_t i = 0; own && !found &&
	     i < sizeof(beside) / sizeof(*beside); i++) {
		char *path = claw_path_in(own, beside[i]);
		char *real = path ? realpath(path, NULL) : NULL;

		free(path);
		found = readable(real);
	}
	free(own);
#ifdef CLAW_PKGLIBDIR
	if (!found)
		found = readable(claw_strdup(CLAW_PKGLIBDIR "/" LAYER_FILE));
#endif
	return found;
}

static int list_files(const struct claw_session *session,
		      int (*is_wanted)(const struct dirent *entry),
		      char ***ret_paths, size_t *ret_count)
{
	struct dirent **entries = NULL;
	int count = scandir(session->directory, &entries, is_wanted,
			    alphasort);
	char **paths;

	if (count < 0)
		return -CLAW_E_IO;
	paths = claw_calloc((size_t)count + 1, sizeof(*paths));
	for (int i = 0; i < count; i++) {
		paths[i] = claw_path_in(session->directory, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	*ret_paths = paths;
	*ret_count = (size_t)count;
	return 0;
}

int claw_session_journals(const struct claw_session *session,
			  char ***ret_paths, size_t *ret_count)
{
	int ret = list_files(session, is_journal, ret_paths, ret_count);
	size_t kept = 0;

	for (size_t i = 0; ret == 0 && session->nonce && i < *ret_count; i++) {
		char *path = (*ret_paths)[i];

		(*ret_paths)[i] = NULL;
		if (claw_journal_is_of(path, session->nonce))
			(*ret_paths)[kept++] = path;
		else
			free(path);
	}
	if (ret == 0 && session->nonce)
		*ret_count = kept;
	return ret;
}

int claw_session_ledgers(const struct claw_session *session,
			 char ***ret_paths, size_t *ret_count)
{
	return list_files(session, is_ledger, ret_paths, ret_count);
}

int claw_session_founds(const struct claw_session *session,
			char ***ret_paths, size_t *ret_count)
{
	return list_files(session, is_found, ret_paths, ret_count);
}

int claw_session_probes(const struct claw_session *session,
			char ***ret_paths, size_t *ret_count)
{
	return list_files(session, is_probes, ret_paths, ret_count);
}

char *claw_session_sibling(const char *path, const char *kind)
{
	const char *name = claw_base_name(path);

	return claw_format("%.*s%s%s", (int)(name - path), path, kind,
			   name + strcspn(name, "."));
}
