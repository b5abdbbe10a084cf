/* SPDX-License-Identifier: Apache-2.0 */
/* Make a session without a host, and say who the process is. */
#include "config.h"

#include "own_session.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "guest.h"
#include "faults/shared/trace_format.h"

enum { PATH_BYTES = 4096, WORDS_MAX = 64 << 10 };

static struct {
	char directory[PATH_BYTES];	/* "" : none */
	char into[PATH_BYTES];
	bool is_own, is_kept;
	bool captures;
} state;

/* ---- making one ------------------------------------------------------- */

/* Make DIRECTORY/name with this text. */
static bool write_file(const char *name, const char *text)
{
	char path[PATH_BYTES + 32];
	size_t length = strlen(text);
	bool done;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", state.directory, name);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return false;
	done = claw_file_write(fd, text, length);
	close(fd);
	return done;
}

/* Is the variable 1? */
static bool is_set(const char *name)
{
	const char *value = getenv(name);

	return value && strcmp(value, "1") == 0;
}

/* What the host would have written. */
static bool write_config(void)
{
	const char *given = is_set("CLW_CRASH_DUMP") ?
		getenv("OPENCLAW_CAPTURE") : "capture=off";
	const char *faults = getenv("OPENCLAW_FAULTS");
	char text[2048];
	size_t length;

	snprintf(text, sizeof(text), "version=1\nledger=counts\nrecord=none\n"
		 "%s", given && strstr(given, "capture=") ? "" :
		 "capture=hash\n");
	length = strlen(text);
	for (; given && *given && length < sizeof(text) - 2; given++)
		text[length++] = *given == ' ' ? '\n' : *given;
	text[length++] = '\n';
	text[length] = '\0';
	state.is_kept = strstr(text, "capture_keep=1\n");
	return write_file("config", text) &&
	       write_file("rules", faults ? faults : "");
}

bool claw_directories_make(char *path)
{
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0777);
		*slash = '/';
	}
	return mkdir(path, 0777) == 0 || errno == EEXIST;
}

/* Of what kernels' texts are rewritten. */
static bool make_blobs(void)
{
	char path[PATH_BYTES + 32];

	snprintf(path, sizeof(path), "%s/blobs", state.directory);
	return !is_set("OPENCLAW_ENABLE_GPU_ASAN") || mkdir(path, 0777) == 0;
}

static bool make_session(const char *base)
{
	char stamp[32] = "", place[PATH_BYTES];
	time_t now = time(NULL);
	struct tm local;
	int length;

	if (localtime_r(&now, &local))
		strftime(stamp, sizeof(stamp), "%Y%m%d_%H%M%S", &local);
	if ((size_t)snprintf(place, sizeof(place), "%s", base) >=
	    sizeof(place) || !claw_directories_make(place) ||
	    !realpath(base, place))
		return false;
	length = snprintf(state.directory, sizeof(state.directory),
			  "%s/session_%s.%d", place, stamp, (int)getpid());
	if (length < 0 || (size_t)length >= sizeof(state.directory) ||
	    mkdir(state.directory, 0700) < 0)	/* a program's memory */
		return false;
	state.is_own = true;
	return write_config() && make_blobs();
}

/* Where one is made, NULL: none is wanted. */
static const char *base_of_own(void)
{
	bool captures = is_set("CLW_CRASH_DUMP");
	const char *base = getenv(captures ? "CLW_CRASH_DUMP_PATH" : "TMPDIR");

	if (!captures && !is_set("OPENCLAW_ENABLE_GPU_ASAN"))
		return NULL;
	return base && *base ? base : captures ? "." : "/tmp";
}

const char *claw_own_session(void)
{
	const char *given = getenv("OPENCLAW_SESSION");
	const char *base = base_of_own();

	if (given && *given) {
		if (strlen(given) < sizeof(state.directory))
			memcpy(state.directory, given, strlen(given) + 1);
		return given;
	}
	if (!base)
		return NULL;
	if (!make_session(base)) {
		claw_say("no session can be made in %s: %s; nothing is "
			 "captured or looked for", base, strerror(errno));
		state.directory[0] = '\0';
		state.is_own = false;
		return NULL;
	}
	return state.directory;
}

bool claw_own_session_is_own(void)
{
	return state.is_own;
}

/* ---- its end ---------------------------------------------------------- */

/* Has the trace a record that tells of a device that failed? */
static bool has_trigger(void)
{
	struct claw_trace_header header;
	char path[PATH_BYTES];
	bool has = false;
	int fd = claw_journal_sibling("trace.", path, sizeof(path)) ?
		open(path, O_RDONLY | O_CLOEXEC) : -1;

	if (fd < 0)
		return false;
	if (read(fd, &header, sizeof(header)) == (ssize_t)sizeof(header))
		has = header.trigger_position != 0;
	close(fd);
	return has;
}

static bool is_settings(const char *name)
{
	return !strcmp(name, "config") || !strcmp(name, "rules") ||
	       !strcmp(name, "blobs");
}

/* Is nobody else's file in it? */
static bool is_deserted(void)
{
	DIR *directory = opendir(state.directory);
	bool deserted = directory != NULL;

	for (const struct dirent *entry;
	     directory && (entry = readdir(directory));)
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") &&
		    !is_settings(entry->d_name))
			deserted = false;
	if (directory)
		closedir(directory);
	return deserted;
}

static void remove_blobs(void)
{
	char path[PATH_BYTES + 300];
	DIR *directory;

	snprintf(path, sizeof(path), "%s/blobs", state.directory);
	directory = opendir(path);
	for (const struct dirent *entry;
	     directory && (entry = readdir(directory));) {
		snprintf(path, sizeof(path), "%s/blobs/%s", state.directory,
			 entry->d_name);
		unlink(path);
	}
	if (directory)
		closedir(directory);
	snprintf(path, sizeof(path), "%s/blobs", state.directory);
	rmdir(path);
}

/* probes.<pid>.<n>.<k>, k from 0. */
static void remove_probes(void)
{
	char beside[PATH_BYTES], path[PATH_BYTES + 32];
	unsigned int k = 0;

	if (!claw_journal_sibling("probes.", beside, sizeof(beside)))
		return;
	do {
		snprintf(path, sizeof(path), "%s.%u", beside, k++);
	} while (unlink(path) == 0);
}

void claw_own_session_end(void)
{
	static const char *const words[] = {
		"ledger.", "found.", "trace.", "contents.", "process.",
		"meters.",
	};
	char path[PATH_BYTES + 32];
	int saved = errno;

	if (!state.is_own || state.is_kept || !claw_journal_is_on_disk() || has_trigger())
		return;
	for (unsigned int i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (claw_journal_sibling(words[i], path, sizeof(path)))
			unlink(path);
	remove_probes();
	unlink(claw_journal_path());
	if (is_deserted()) {
		remove_blobs();
		snprintf(path, sizeof(path), "%s/config", state.directory);
		unlink(path);
		snprintf(path, sizeof(path), "%s/rules", state.directory);
		unlink(path);
		rmdir(state.directory);
	}
	errno = saved;
}

/* ---- who it is -------------------------------------------------------- */

static void put_entry(FILE *out, char kind, const char *text)
{
	fputc(kind, out);
	fputs(text, out);
	fputc('\0', out);
}

static bool is_kept(const char *entry)
{
	size_t length = strcspn(entry, "=");

#define ENV(name_)							\
	if (length == strlen(#name_) && !strncmp(entry, #name_, length)) \
		return true;
#define ENV_ALL(start_)							\
	if (length > strlen(#start_) &&					\
	    !strncmp(entry, #start_, strlen(#start_)))			\
		return true;
#include "faults/shared/environment.def"
#undef ENV
#undef ENV_ALL
	return false;
}

static void put_words(FILE *out)
{
	char *words = malloc(WORDS_MAX + 1);
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t size = words && fd >= 0 ? read(fd, words, WORDS_MAX) : 0;

	if (fd >= 0)
		close(fd);
	if (size > 0)
		words[size] = '\0';
	for (ssize_t at = 0; at < size; at += (ssize_t)strlen(words + at) + 1)
		put_entry(out, 'A', words + at);
	free(words);
}

void claw_own_session_introduce(bool redact)
{
	char path[PATH_BYTES], *text = NULL;
	size_t length = 0;
	FILE *out;
	int fd;

	state.captures = true;
	if (!claw_journal_sibling("process.", path, sizeof(path)))
		return;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return;
	out = open_memstream(&text, &length);
	if (!out)
		goto out;
	for (char **entry = environ; entry && *entry; entry++)
		if (is_kept(*entry))
			put_entry(out, 'E', *entry);
	if (!redact) {
		put_words(out);
		if (getcwd(path, sizeof(path)))
			put_entry(out, 'D', path);
	}
	if (fclose(out) == 0)
		claw_file_write(fd, text, length);
	free(text);
out:
	close(fd);
}

void claw_own_session_set_into(const char *into)
{
	snprintf(state.into, sizeof(state.into), "%s", into);
}

const char *claw_own_session_dump(char *text, size_t size)
{
	const char *path = *state.into ? state.into : state.directory;
	bool fits = strlen(path) < size / 2;

	if (!state.captures || !*path || !claw_journal_is_on_disk())
		return NULL;
	snprintf(text, size, *state.into ? "%s, as crash_*.dmp, when the "
		 "program has ended" : "%s (a session, of which openclaw "
		 "capture --recover makes a .dmp file)", fits ? path :
		 "(a path that is too long to say)");
	return text;
}
