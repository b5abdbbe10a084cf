/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which file the text of a program is, for what is printed while it runs: no
 * call names one, so files that the program may have read it from are compared
 * with it, whole. A tail without a body may follow (pyopencl appends a constant
 * with a number of its own, to defeat the driver's cache). The host, which
 * reports afterwards, finds parts of files, too.
 */
#include "config.h"

#include "faults/shared/emit_marker.h"
#include "instrument_private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	LOOKS = 4096,			/* files and folders, then enough */
	COMMAND_MAX = 64 << 10,		/* bytes of the command line */
	TAIL_MAX = 256,			/* bytes behind a file's own */
};

struct search {
	struct claw_text source;	/* within the request */
	unsigned int looks;
	char found[PATH_MAX];		/* "" */
};

/* The last block of a request: "source BYTES", a line end, so many, another. */
static bool take_source(const struct claw_text *request,
			struct claw_text *ret_source)
{
	static const char word[] = "\nsource ";
	const char *begin = request->bytes, *end = begin + request->length, *at;
	char *text;

	for (at = begin; (at = memmem(at, end - at, word, strlen(word))); at++) {
		unsigned long long size = strtoull(at + strlen(word), &text, 10);

		if (*text != '\n' || (size_t)(end - text) < 2 ||
		    size != (size_t)(end - text) - 2)
			continue;
		ret_source->bytes = text + 1;
		ret_source->length = size;
		return true;
	}
	return false;
}

/* May a file of so many bytes be it? */
static bool may_be_source(const struct search *search, uint64_t size)
{
	return size > 0 && size <= search->source.length &&
	       search->source.length - size <= TAIL_MAX;
}

static bool is_source(const struct search *search, const struct claw_text *text)
{
	const char *tail;

	if (!may_be_source(search, text->length) ||
	    memcmp(search->source.bytes, text->bytes, text->length) != 0)
		return false;
	tail = search->source.bytes + text->length;
	return !memchr(tail, '{', search->source.length - text->length);
}

/* A file: is it the one? ret_folder: it is a folder. */
static bool try_path(struct search *search, const char *path,
		     bool *ret_folder)
{
	struct claw_text text;
	struct statx st;
	bool is;

	*ret_folder = false;
	if (search->looks++ >= LOOKS ||
	    statx(AT_FDCWD, path, 0, STATX_TYPE | STATX_SIZE, &st))
		return false;
	*ret_folder = S_ISDIR(st.stx_mode);
	if (!S_ISREG(st.stx_mode) || !may_be_source(search, st.stx_size) ||
	    !claw_file_read(path, &text))
		return false;
	is = is_source(search, &text);
	free(text.bytes);
	if (is)
		snprintf(search->found, sizeof(search->found), "%s", path);
	return is;
}

/* By openclaw repro --emit-c. */
static bool is_emitted(const char *folder)
{
	char path[PATH_MAX], line[sizeof(CLAW_EMIT_MAKEFILE)] = "";
	struct statx st;
	ssize_t got = 0;
	int fd;

	if ((size_t)snprintf(path, sizeof(path), "%s%sMakefile", folder,
			     *folder ? "/" : "") >= sizeof(path) ||
	    statx(AT_FDCWD, path, 0, STATX_TYPE, &st) || !S_ISREG(st.stx_mode))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0)
		got = read(fd, line, sizeof(line) - 1);
	if (fd >= 0)
		close(fd);
	return got > 0 && !strcmp(line, CLAW_EMIT_MAKEFILE);
}

/* What openclaw itself has written: results, with copies of texts. */
static bool is_ours(const char *folder)
{
	const char *name = strrchr(folder, '/');
	char records[PATH_MAX];

	if (*folder && is_emitted(folder))
		return true;

	name = name ? name + 1 : folder;
	return strcmp(name, "openclaw-out") == 0 ||
	       strcmp(name, "kernel-texts") == 0 ||
	       (size_t)snprintf(records, sizeof(records), "%s%srecords.jsonl",
				folder, *folder ? "/" : "") >=
	       sizeof(records) || access(records, F_OK) == 0;
}

/* folder: "" is the working directory. Hidden ones are nobody's sources. */
static bool try_folder(struct search *search, const char *folder,
		       unsigned int depth)
{
	DIR *directory = is_ours(folder) ? NULL :
		opendir(*folder ? folder : ".");
	struct dirent *entry;
	char path[PATH_MAX];
	bool is_folder, is = false;

	while (directory && !is && search->looks < LOOKS &&
	       (entry = readdir(directory))) {
		if (*entry->d_name == '.' ||
		    (size_t)snprintf(path, sizeof(path), "%s%s%s", folder,
				     *folder ? "/" : "", entry->d_name) >=
		    sizeof(path))
			continue;
		is = try_path(search, path, &is_folder) ||
			(is_folder && depth > 1 && entry->d_type != DT_LNK &&
			 try_folder(search, path, depth - 1));
	}
	if (directory)
		closedir(directory);
	return is;
}

/* Files that the command line names, and then what is beside them. */
static bool try_word(struct search *search, char *word, bool beside)
{
	char *equals = strchr(word, '='), *slash;
	bool is_folder;

	if (*word == '-' && equals)
		word = equals + 1;
	if (!*word || strlen(word) >= PATH_MAX)
		return false;
	if (!beside)
		return try_path(search, word, &is_folder);
	slash = strrchr(word, '/');
	if (!slash || slash == word || access(word, R_OK))
		return false;
	*slash = '\0';
	return try_folder(search, word, 1);
}

static bool try_command(struct search *search)
{
	char *line = calloc(1, COMMAND_MAX + 1);
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t got = line && fd >= 0 ? read(fd, line, COMMAND_MAX) : 0;
	bool is = false;

	for (int beside = 0; beside < 2; beside++)
		for (ssize_t at = 0, next; !is && at < got; at = next) {
			next = at + (ssize_t)strlen(line + at) + 1;
			if (at > 0)
				is = try_word(search, line + at, beside);
		}
	if (fd >= 0)
		close(fd);
	free(line);
	return is;
}

/* Where the program itself is. */
static bool try_program(struct search *search)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *slash;

	path[length > 0 ? length : 0] = '\0';
	slash = strrchr(path, '/');
	if (!slash || slash == path)
		return false;
	*slash = '\0';
	return strcmp(path, "/usr/bin") != 0 && try_folder(search, path, 2);
}

static bool read_request(const char *key, struct claw_text *request)
{
	char path[CLAW_INSTRUMENT_PATH];

	return claw_blob_path(key, ".request", path) &&
		claw_file_read(path, request);
}

static char *find(const char *key)
{
	struct search search = { .looks = 0 };
	struct claw_text request;
	bool is;

	if (!read_request(key, &request))
		return strdup("");
	is = take_source(&request, &search.source) &&
		(try_command(&search) || try_folder(&search, "", 3) ||
		 try_program(&search));
	free(request.bytes);
	return strdup(is ? search.found : "");
}

const char *claw_probe_source(struct claw_words *words, uint32_t part)
{
	int error = errno;

	if (!words->sources[part])
		words->sources[part] = find(claw_words_parts(words)[part].key);
	errno = error;
	return words->sources[part] && *words->sources[part] ?
		words->sources[part] : NULL;
}

/* Without what is at its begin, and nothing that a terminal acts on. */
static void copy_line(const char *at, size_t length, char *text, size_t size)
{
	size_t done = 0;

	while (length && (*at == ' ' || *at == '\t'))
		at++, length--;
	for (; done < length && done + 1 < size; done++)
		text[done] = at[done] >= ' ' && at[done] < 127 ? at[done] : ' ';
	text[done] = '\0';
}

bool claw_probe_line(const struct claw_words *words, uint32_t part,
		     uint32_t line, char *text, size_t size)
{
	int error = errno;
	struct claw_text request, source = { .length = 0 };
	const char *at, *end, *next;

	*text = '\0';
	if (!read_request(claw_words_parts(words)[part].key, &request))
		return false;
	if (!take_source(&request, &source))
		source.bytes = request.bytes;
	at = source.bytes;
	end = at + source.length;
	while (--line && (next = memchr(at, '\n', (size_t)(end - at))))
		at = next + 1;
	next = memchr(at, '\n', (size_t)(end - at));
	if (!line)
		copy_line(at, (size_t)((next ? next : end) - at), text, size);
	free(request.bytes);
	errno = error;
	return *text;
}
