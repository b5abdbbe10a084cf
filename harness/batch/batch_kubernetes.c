/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine "kubernetes": an Indexed Job as job.json, for "kubectl apply -f".
 * Nothing here talks to a cluster. A task's name is "INDEX#UID": the pod that takes
 * another's place has its host name, and another uid.
 *
 * https://kubernetes.io/docs/concepts/workloads/controllers/job/
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "batch_private.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"

enum { DEFAULT_TASKS = 8, RETRIES = 3 };

#define PROGRAM "/usr/bin/openclaw"

static const struct {
	const char *name;
	bool is_needed;
} words[] = {
	{ "image", true }, { "claim", true }, { "mount", true },
	{ "gpu", false }, { "cpu", false }, { "memory", false },
	{ "namespace", false }, { "program", false },
};
enum { WORDS = sizeof(words) / sizeof(*words) };

static uint64_t default_tasks(void)
{
	return DEFAULT_TASKS;
}

static bool is_word(const char *word)
{
	size_t length = strcspn(word, "=");

	for (size_t i = 0; i < WORDS; i++)
		if (strlen(words[i].name) == length &&
		    strncmp(words[i].name, word, length) == 0)
			return word[length] == '=' && word[length + 1];
	return false;
}

static bool is_below(const char *path, const char *folder)
{
	size_t length = strlen(folder);

	while (length > 1 && folder[length - 1] == '/')
		length--;
	return strncmp(path, folder, length) == 0 &&
	       (path[length] == '/' || !path[length] || length == 1);
}

static int check(const struct claw_batch *batch, char *error,
		 size_t error_size)
{
	for (char **word = batch->engine_words; word && *word; word++) {
		if (is_word(*word))
			continue;
		snprintf(error, error_size, "--on kubernetes: expected image, "
			 "claim, mount, gpu, cpu, memory, namespace, program, "
			 "tasks or pieces with a value, found \"%s\"", *word);
		return -CLAW_E_USAGE;
	}
	for (size_t i = 0; i < WORDS; i++) {
		if (!words[i].is_needed ||
		    claw_batch_word(batch, words[i].name))
			continue;
		snprintf(error, error_size, "--on kubernetes: expected %s=..., "
			 "found none: image=IMAGE, claim=NAME of a persistent "
			 "volume claim, mount=PATH of it", words[i].name);
		return -CLAW_E_USAGE;
	}
	return 0;
}

static void set(json_t *object, const char *key, const char *value)
{
	json_object_set_new(object, key, claw_made(json_string(value)));
}

/* gpu=2, or of another device plugin gpu=amd.com/gpu:1 */
static json_t *limits(const struct claw_batch *batch)
{
	json_t *all = claw_made(json_object());
	const char *gpu = claw_batch_word(batch, "gpu");
	const char *colon = gpu ? strrchr(gpu, ':') : NULL;
	char *name = claw_strndup(colon ? gpu : "nvidia.com/gpu", colon ?
				  (size_t)(colon - gpu) :
				  strlen("nvidia.com/gpu"));

	if (gpu)
		set(all, name, colon ? colon + 1 : gpu);
	if (claw_batch_word(batch, "cpu"))
		set(all, "cpu", claw_batch_word(batch, "cpu"));
	if (claw_batch_word(batch, "memory"))
		set(all, "memory", claw_batch_word(batch, "memory"));
	free(name);
	return all;
}

/* Nothing that a kernel under test needs: no root, no capability, nothing to
 * write to but the shared directory and /tmp. */
static json_t *container(const struct claw_batch *batch)
{
	const char *program = claw_batch_word(batch, "program");

	return claw_made(json_pack(
		"{s:s, s:s, s:[s, s, s], s:s, s:[{s:s, s:s}, {s:s, s:{s:{s:s}}}], s:{s:o}, "
		"s:{s:b, s:b, s:{s:[s]}}, s:[{s:s, s:s}, {s:s, s:s}]}",
		"name", "openclaw", "image", claw_batch_word(batch, "image"),
		"command", program ? program : PROGRAM, "__take",
		batch->directory, "workingDir", batch->cwd,
		"env", "name", "HOME", "value", "/tmp", "name", "POD_UID",
		"valueFrom", "fieldRef", "fieldPath", "metadata.uid",
		"resources", "limits", limits(batch),
		"securityContext", "allowPrivilegeEscalation", 0,
		"readOnlyRootFilesystem", 1, "capabilities", "drop", "ALL",
		"volumeMounts", "name", "shared", "mountPath",
		claw_batch_word(batch, "mount"), "name", "tmp", "mountPath",
		"/tmp"));
}

/* The files are ours then; of root the image says who. */
static json_t *pod_security(void)
{
	json_t *security = claw_made(json_pack(
		"{s:b, s:{s:s}}", "runAsNonRoot", 1, "seccompProfile", "type",
		"RuntimeDefault"));

	if (getuid() == 0)
		return security;
	json_object_set_new(security, "runAsUser",
			    claw_made(json_integer((json_int_t)getuid())));
	json_object_set_new(security, "runAsGroup",
			    claw_made(json_integer((json_int_t)getgid())));
	return security;
}

static json_t *job(const struct claw_batch *batch, uint64_t tasks)
{
	const char *namespace = claw_batch_word(batch, "namespace");
	char *name = claw_batch_name(batch);
	json_t *metadata = claw_made(json_pack(
		"{s:s, s:{s:s}}", "name", name, "labels",
		"app.kubernetes.io/name", "openclaw"));
	json_t *pod = claw_made(json_pack(
		"{s:s, s:o, s:[o], s:[{s:s, s:{s:s}}, {s:s, s:{}}]}",
		"restartPolicy", "Never", "securityContext", pod_security(),
		"containers", container(batch),
		"volumes", "name", "shared", "persistentVolumeClaim",
		"claimName", claw_batch_word(batch, "claim"), "name", "tmp",
		"emptyDir"));

	if (namespace)
		set(metadata, "namespace", namespace);
	free(name);
	return claw_made(json_pack(
		"{s:s, s:s, s:o, s:{s:s, s:I, s:I, s:i, s:{s:o}}}",
		"apiVersion", "batch/v1", "kind", "Job", "metadata", metadata,
		"spec", "completionMode", "Indexed", "completions",
		(json_int_t)tasks, "parallelism", (json_int_t)tasks,
		"backoffLimitPerIndex", RETRIES, "template", "spec", pod));
}

static int start(struct claw_batch *batch, uint64_t tasks, char *error,
		 size_t error_size)
{
	const char *mount = claw_batch_word(batch, "mount");
	char *path = claw_batch_path(batch, "job.json");
	json_t *all = job(batch, tasks);
	int ret = 0;

	if (is_below(mount, "/tmp") && is_below("/tmp", mount)) {
		snprintf(error, error_size, "--on kubernetes: expected another "
			 "mount than /tmp, which each container has to itself");
		ret = -CLAW_E_USAGE;
	} else if (!is_below(batch->directory, mount) ||
		   !is_below(batch->cwd, mount)) {
		snprintf(error, error_size, "--on kubernetes: expected a "
			 "working and an output directory below mount=%s, "
			 "found %s", mount, is_below(batch->cwd, mount) ?
			 batch->directory : batch->cwd);
		ret = -CLAW_E_USAGE;
	} else if (json_dump_file(all, path, JSON_INDENT(2)) < 0) {
		snprintf(error, error_size, "%s: cannot be written", path);
		ret = -CLAW_E_IO;
	}
	json_decref(all);
	free(path);
	return ret;
}

static char *self(void)
{
	const char *index = getenv("JOB_COMPLETION_INDEX");
	const char *uid = getenv("POD_UID");

	return index && uid ? claw_format("%s#%s", index, uid) : NULL;
}

const struct claw_engine claw_engine_kubernetes = {
	.name = "kubernetes",
	.default_tasks = default_tasks,
	.check = check,
	.start = start,
	.self = self,
	.interval_ms = 2000,
};
