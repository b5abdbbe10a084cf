/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of programs. Whatever cannot be done is left: the program is built.
 */
#include "config.h"

#include "cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "entry.h"

enum { ENTRY_MAX = 64 << 20 };
static const off_t ALL_MAX = (off_t)256 << 20;

/* ---- where --------------------------------------------------------------- */

static bool make_directories(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	return mkdir(path, 0700) == 0 || errno == EEXIST;
}

static bool find_directory(char path[PATH_MAX])
{
	const char *cache = secure_getenv("XDG_CACHE_HOME");
	const char *home = secure_getenv("HOME");
	int length = -1;

	if (cache && *cache == '/')
		length = snprintf(path, PATH_MAX, "%s/openclaw/programs",
				  cache);
	else if (home && *home == '/')
		length = snprintf(path, PATH_MAX, "%s/.cache/openclaw/programs",
				  home);
	return length > 0 && length < PATH_MAX - 64;
}

static bool find_path(const struct clw_wire *key, char path[PATH_MAX])
{
	char directory[PATH_MAX];

	if (!find_directory(directory))
		return false;
	snprintf(path, PATH_MAX, "%.*s/%016" PRIx64 "%016" PRIx64,
		 PATH_MAX - 64, directory,
		 clw_entry_sum(UINT64_C(0xcbf29ce484222325), key->data,
			       key->size),
		 clw_entry_sum(UINT64_C(0x9e3779b97f4a7c15), key->data,
			       key->size));
	return true;
}

/* ---- what ---------------------------------------------------------------- */

/*
 * The bytes that continue a line here, which may be in a word; 0: it is not
 * continued. As clang does: a backslash or its trigraph, blanks, an end of line.
 */
static size_t continued(const char *text, size_t size)
{
	size_t blank = *text == '\\' ? 1 :
		       size > 2 && memcmp(text, "?\?/", 3) == 0 ? 3 : 0, end;

	while (blank && blank < size && memchr(" \t\v\f", text[blank], 4))
		blank++;
	for (end = blank; blank && end < size && end < blank + 2; end++)
		if ((text[end] != '\n' && text[end] != '\r') ||
		    (end > blank && text[end] == text[blank]))
			break;
	return end > blank ? end : 0;
}

static bool has_word(const char *text, size_t size, const char *word)
{
	for (size_t i = 0; i < size; i++) {
		size_t at = i;
		const char *c = word;

		while (*c && at < size) {
			size_t more = continued(text + at, size - at);

			if (more)
				at += more;
			else if (text[at++] != *c++)
				break;
			else if (!*c)
				return true;
		}
	}
	return false;
}

/* Not seen: a __DATE__ that ## puts together. */
static bool reads_more(const char *text, size_t size)
{
	static const char *const words[] = {
		"include", "import", "imacros", "embed", "__TIME", "__DATE__",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (has_word(text, size, words[i]))
			return true;
	return false;
}

static bool put_device(struct clw_wire *key, const struct clw_context *context)
{
	static const cl_device_info of_device[] = {
		CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DEVICE_VERSION,
		CL_DRIVER_VERSION,
	};
	static const cl_platform_info of_platform[] = {
		CL_PLATFORM_NAME, CL_PLATFORM_VERSION,
	};
	char text[1024];

	for (size_t i = 0; i < 4; i++) {
		if (clGetDeviceInfo(context->device.id, of_device[i],
				    sizeof(text), text, NULL))
			return false;
		clw_put_text(key, text);
	}
	for (size_t i = 0; i < 2; i++) {
		if (clGetPlatformInfo(context->device.platform, of_platform[i],
				      sizeof(text), text, NULL))
			return false;
		clw_put_text(key, text);
	}
	return true;
}

/* What drivers build by, in the order in which it is there. */
static bool put_environment(struct clw_wire *key)
{
	static const char *const begins[] = {
		"AMD_OCL_BUILD_OPTIONS", "CL_CONFIG_", "IGC_",
		"OCLGRIND_BUILD_OPTIONS", "POCL_", "RUSTICL_",
	};

	for (char **at = environ; at && *at; at++)
		for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++) {
			if (strncmp(*at, begins[i], strlen(begins[i])) != 0)
				continue;
			if (reads_more(*at, strlen(*at)))
				return false;
			clw_put_text(key, *at);
		}
	return true;
}

void clw_cache_key(const struct clw_context *context, const char *text,
		   size_t size, const char *options, struct clw_wire *ret_key)
{
	const char *wanted = getenv("CLW_PROGRAM_CACHE");
	struct clw_wire key = { .data = NULL };

	*ret_key = key;
	if (clw_layer_is_there() || (wanted && strcmp(wanted, "0") == 0) ||
	    reads_more(text, size) || (options && reads_more(options,
							strlen(options))))
		return;
	clw_put_text(&key, PACKAGE_VERSION);
	clw_put(&key, sizeof(void *));
	if (!put_device(&key, context) || !put_environment(&key))
		key.is_bad = true;
	clw_put_text(&key, options ? options : "");
	clw_put_bytes(&key, text, size);
	if (key.is_bad)
		clw_wire_clear(&key);
	*ret_key = key;
}

/* ---- reading ------------------------------------------------------------- */

/* Written by us, and by nobody else. */
static bool is_ours(int fd, struct stat *ret_status)
{
	return fstat(fd, ret_status) == 0 && S_ISREG(ret_status->st_mode) &&
	       ret_status->st_uid == geteuid() &&
	       !(ret_status->st_mode & (S_IWGRP | S_IWOTH)) &&
	       ret_status->st_size > 0 && ret_status->st_size <= ENTRY_MAX;
}

static bool read_all(int fd, size_t size, struct clw_wire *ret_entry)
{
	char *data = malloc(size);
	size_t got = 0;

	while (data && got < size) {
		ssize_t now = read(fd, data + got, size - got);

		if (now < 0 && errno == EINTR)
			continue;
		if (now <= 0)
			break;
		got += (size_t)now;
	}
	if (!data || got != size) {
		free(data);
		return false;
	}
	*ret_entry = (struct clw_wire){ .data = data, .size = size };
	return true;
}

static bool read_file(const char *path, struct clw_wire *ret_entry)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat status;
	bool is_read;

	if (fd < 0)
		return false;
	is_read = is_ours(fd, &status) &&
		  read_all(fd, (size_t)status.st_size, ret_entry);
	/* The oldest go first. */
	if (is_read)
		futimens(fd, NULL);
	close(fd);
	return is_read;
}

static cl_program make(const struct clw_context *context, const void *binary,
		       size_t size)
{
	const unsigned char *bytes = binary;
	cl_int status = CL_SUCCESS, err = CL_SUCCESS;
	cl_program program = clCreateProgramWithBinary(context->handle, 1,
		&context->device.id, &size, &bytes, &status, &err);

	if (program && status == CL_SUCCESS)
		return program;
	if (program)
		clReleaseProgram(program);
	return NULL;
}

cl_program clw_cache_load(const struct clw_context *context,
			  const struct clw_wire *key,
			  struct clw_wire *ret_described)
{
	struct clw_wire wire = { .data = NULL };
	struct clw_entry entry;
	cl_program program = NULL;
	char path[PATH_MAX];

	if (!key->size || !find_path(key, path) || !read_file(path, &wire))
		return NULL;
	if (clw_entry_read(&wire, key, &entry)) {
		clw_put_raw(ret_described, entry.described,
			    entry.described_size);
		if (!ret_described->is_bad)
			program = make(context, entry.binary,
				       entry.binary_size);
	}
	clw_wire_clear(&wire);
	if (program)
		return program;
	clw_log_own(CLAW_LOG_DEBUG, "%s is no program that can be used, and "
		    "is built again", path);
	clw_wire_clear(ret_described);
	return NULL;
}

void clw_cache_drop(const struct clw_wire *key)
{
	char path[PATH_MAX];

	if (key->size && find_path(key, path))
		unlink(path);
}

/* ---- writing ------------------------------------------------------------- */

static void describe_kernel(cl_program program, const char *name,
			    struct clw_wire *described)
{
	cl_kernel kernel = clCreateKernel(program, name, NULL);
	cl_uint count = 0;

	if (!kernel || clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS,
				       sizeof(count), &count, NULL))
		described->is_bad = true;
	clw_put_text(described, name);
	clw_put(described, count);
	for (cl_uint i = 0; i < count; i++) {
		struct clw_described text;

		clw_described_ask(kernel, i, &text);
		clw_put_text(described, text.name);
		clw_put_text(described, text.type);
	}
	if (kernel)
		clReleaseKernel(kernel);
}

/* The kernels by name, each with its arguments; the last name is empty. */
static void describe(cl_program program, struct clw_wire *described)
{
	char *names, *rest = NULL;
	size_t size = 0;

	if (clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &size))
		size = 0;
	names = calloc(1, size + 1);
	if (!names || clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, size,
				       names, NULL))
		described->is_bad = true;
	for (char *name = names ? strtok_r(names, ";", &rest) : NULL; name;
	     name = strtok_r(NULL, ";", &rest))
		describe_kernel(program, name, described);
	clw_put_text(described, "");
	free(names);
}

static unsigned char *get_binary(cl_program program, size_t *ret_size)
{
	unsigned char *binary;
	size_t size = 0;

	if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size),
			     &size, NULL) || !size || size > ENTRY_MAX / 2)
		return NULL;
	binary = calloc(1, size);
	if (binary && clGetProgramInfo(program, CL_PROGRAM_BINARIES,
				       sizeof(binary), &binary, NULL)) {
		free(binary);
		return NULL;
	}
	*ret_size = size;
	return binary;
}

static bool write_all(int fd, const char *data, size_t size)
{
	while (size) {
		ssize_t now = write(fd, data, size);

		if (now < 0 && errno == EINTR)
			continue;
		if (now <= 0)
			return false;
		data += now;
		size -= (size_t)now;
	}
	return true;
}

static bool write_file(const char *path, const struct clw_wire *wire)
{
	char temporary[PATH_MAX + 8];
	bool is_written;
	int fd;

	snprintf(temporary, sizeof(temporary), "%s.XXXXXX", path);
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0)
		return false;
	is_written = write_all(fd, wire->data, wire->size);
	is_written &= close(fd) == 0;
	if (is_written && rename(temporary, path) == 0)
		return true;
	unlink(temporary);
	return false;
}

/* As find_path() and mkostemp() call them. */
static bool is_name(const char *name)
{
	size_t length = strlen(name);

	return strspn(name, "0123456789abcdef") == 32 &&
	       (length == 32 || (length == 39 && name[32] == '.'));
}

/* The oldest file of ours, and how much there is of them in all. */
static off_t measure(int directory, char oldest[NAME_MAX + 1])
{
	int copy = dup(directory);
	DIR *files = copy < 0 ? NULL : fdopendir(copy);
	struct timespec least = { .tv_sec = 0 };
	const struct dirent *file;
	struct stat status;
	off_t all = 0;

	oldest[0] = '\0';
	if (!files && copy >= 0)
		close(copy);
	if (files)
		rewinddir(files);
	while (files && (file = readdir(files))) {
		if (!is_name(file->d_name) ||
		    fstatat(directory, file->d_name, &status,
			    AT_SYMLINK_NOFOLLOW) < 0 ||
		    !S_ISREG(status.st_mode))
			continue;
		all += status.st_size;
		if (oldest[0] && (status.st_mtim.tv_sec > least.tv_sec ||
				  (status.st_mtim.tv_sec == least.tv_sec &&
				   status.st_mtim.tv_nsec >= least.tv_nsec)))
			continue;
		least = status.st_mtim;
		snprintf(oldest, NAME_MAX + 1, "%s", file->d_name);
	}
	if (files)
		closedir(files);
	return all;
}

static void make_room(int directory)
{
	char oldest[NAME_MAX + 1];

	while (measure(directory, oldest) > ALL_MAX && oldest[0])
		if (unlinkat(directory, oldest, 0) < 0)
			break;
}

/* Not where a link leads: what is there is somebody else's. */
static void store(char *directory, const char *path, const struct clw_wire *wire)
{
	int fd = make_directories(directory) ?
		 open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
		      O_CLOEXEC) : -1;

	if (fd < 0)
		return;
	if (write_file(path, wire))
		make_room(fd);
	close(fd);
}

void clw_cache_store(const struct clw_wire *key, cl_program program)
{
	struct clw_wire wire = { .data = NULL }, described = { .data = NULL };
	char directory[PATH_MAX], path[PATH_MAX];
	unsigned char *binary;
	size_t size;

	if (!key->size || !find_directory(directory) || !find_path(key, path))
		return;
	binary = get_binary(program, &size);
	if (!binary)
		return;
	describe(program, &described);
	clw_entry_write(&wire, key, &(struct clw_entry){
		described.data, binary, described.size, size });
	if (!described.is_bad && !wire.is_bad && wire.size <= ENTRY_MAX)
		store(directory, path, &wire);
	clw_wire_clear(&wire);
	clw_wire_clear(&described);
	free(binary);
}
