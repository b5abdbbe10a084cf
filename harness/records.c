/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Write and read records.jsonl (doc/records.md). The writer appends whole
 * lines; the reader believes a line only when its CRC-32 fits.
 */
#include "config.h"

#include "records.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "errors.h"
#include "result_json.h"

enum {
	RECORDS_VERSION = 1,
	LINE_MAX_BYTES = 64 << 20,
	LOCK_TRIES = 100,
	LOCK_WAIT_NS = 20 * 1000 * 1000,
};
#define CRC_MEMBER ",\"crc\":\""

struct claw_records {
	int fd;
	uint64_t next;		/* sequence number of the next line */
	int error;		/* first failure, or 0 */
	int saved_errno;	/* of that failure */
};

/* Bytes of the valid UTF-8 character at text, or 0. No surrogates, nothing
 * beyond U+10FFFF, no overlong form (Unicode, table 3-7). */
static size_t utf8_length(const unsigned char *text, size_t size)
{
	size_t length = text[0] < 0x80 ? 1 : text[0] >= 0xf0 ? 4 :
			text[0] >= 0xe0 ? 3 : 2;
	unsigned char low = 0x80, high = 0xbf;

	if (length == 1)
		return 1;
	if (text[0] < 0xc2 || text[0] > 0xf4 || length > size)
		return 0;
	if (text[0] == 0xe0)
		low = 0xa0;
	else if (text[0] == 0xed)
		high = 0x9f;
	else if (text[0] == 0xf0)
		low = 0x90;
	else if (text[0] == 0xf4)
		high = 0x8f;
	if (text[1] < low || text[1] > high)
		return 0;
	for (size_t i = 2; i < length; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	return length;
}

char *claw_text_clean(const char *bytes, size_t size)
{
	const unsigned char *in = (const unsigned char *)bytes;
	char *text = malloc(size * 4 + 1), *out = text;

	if (!text)
		return NULL;
	for (size_t i = 0; i < size;) {
		size_t length = utf8_length(in + i, size - i);

		if (length == 0 || in[i] == '\0') {
			out += snprintf(out, 5, "#x%02X", in[i]);
			i++;
		} else {
			memcpy(out, in + i, length);
			out += length;
			i += length;
		}
	}
	*out = '\0';
	return text;
}

static int write_all(int fd, const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t written = write(fd, bytes, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0) {
			if (written == 0)
				errno = ENOSPC;
			return -CLAW_E_IO;
		}
		bytes += written;
		size -= (size_t)written;
	}
	return 0;
}

/* Remember the first failure. */
static int fail(struct claw_records *records, int error)
{
	if (error < 0 && records->error == 0) {
		records->error = error;
		records->saved_errno = errno;
	}
	return error;
}

/* Complete, number, sum and write one line; members is taken over. */
static int write_record(struct claw_records *records, const char *type,
			json_t *members)
{
	json_t *object = json_object();
	char *text = NULL, *line = NULL;
	int length, ret = -CLAW_E_NO_MEMORY;

	if (records->error < 0) {
		errno = records->saved_errno;
		ret = records->error;
		goto out;
	}
	if (!object || !members)
		goto out;
	claw_json_add_number(object, "v", RECORDS_VERSION);
	claw_json_add_number(object, "n", records->next);
	claw_json_add_text(object, "t", type);
	if (json_object_update(object, members) < 0)
		goto out;
	text = json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER);
	if (!text)
		goto out;
	length = (int)strlen(text) - 1;	/* without the closing brace */
	if (asprintf(&line, "%.*s" CRC_MEMBER "%08lx\"}\n", length, text,
		     crc32(0, (const Bytef *)text, (uInt)length + 1)) < 0) {
		line = NULL;
		goto out;
	}
	ret = write_all(records->fd, line, strlen(line));
	if (ret == 0)
		records->next++;
out:
	fail(records, ret);
	free(line);
	free(text);
	json_decref(object);
	json_decref(members);
	return ret;
}

/* A command line that a shell would read back. */
static char *command_line(int argc, char *const *argv)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789-_=+./:,@%";
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (int i = 0; i < argc; i++) {
		if (i > 0)
			fputc(' ', out);
		if (*argv[i] && strspn(argv[i], plain) == strlen(argv[i])) {
			fputs(argv[i], out);
			continue;
		}
		fputc('\'', out);
		for (const char *c = argv[i]; *c; c++)
			fputs(*c == '\'' ? "'\\''" : (char[]){ *c, '\0' }, out);
		fputc('\'', out);
	}
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

static void time_text(char *text, size_t size)
{
	time_t now = time(NULL);
	struct tm parts;

	if (!gmtime_r(&now, &parts) ||
	    strftime(text, size, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
		text[0] = '\0';
}

int claw_records_new(const char *directory, const char *verb,
		     int argc, char *const *argv, uint64_t planned,
		     uint64_t seed, struct claw_records **ret_records)
{
	struct claw_records *records = calloc(1, sizeof(*records));
	json_t *members = json_object();
	char *path = NULL, *line = command_line(argc, argv);
	char started[32];
	int ret = -CLAW_E_NO_MEMORY;

	if (records)
		records->fd = -1;
	if (!records || !line || !members ||
	    asprintf(&path, "%s/records.jsonl", directory) < 0) {
		path = NULL;
		goto out;
	}
	records->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND |
			   O_CLOEXEC, 0666);
	if (records->fd < 0) {
		ret = -CLAW_E_IO;
		goto out;
	}
	/* For others to see that it is in use; a file system without locks
	 * is no reason not to write. */
	flock(records->fd, LOCK_EX | LOCK_NB);
	time_text(started, sizeof(started));
	claw_json_add_text(members, "verb", verb);
	claw_json_add_text(members, "command", line);
	claw_json_add_text(members, "started", started);
	claw_json_add_text(members, "openclaw", PACKAGE_VERSION);
	claw_json_add_number(members, "planned", planned);
	/* A JSON reader may hold numbers as doubles: 64 bits go as text. */
	snprintf(started, sizeof(started), "%" PRIu64, seed);
	claw_json_add_text(members, "seed", started);
	ret = write_record(records, "plan", members);
	members = NULL;
	if (ret < 0)
		goto out;
	*ret_records = records;
	records = NULL;
out:
	claw_records_free(records);
	json_decref(members);
	free(path);
	free(line);
	return ret;
}

int claw_records_planned(struct claw_records *records,
			 const struct claw_planned *planned)
{
	json_t *members = json_object();

	claw_json_add_text(members, "suite", planned->suite);
	claw_json_add_text(members, "name", planned->name);
	claw_json_add_text(members, "configuration", planned->configuration);
	claw_json_add_text(members, "operand", planned->operand);
	if (planned->elsewhere)
		json_object_set_new(members, "elsewhere", json_true());
	if (planned->many)
		json_object_set_new(members, "many", json_true());
	return write_record(records, "planned", members);
}

int claw_records_environment(struct claw_records *records,
			     const char *configuration, const char *key,
			     const char *value)
{
	json_t *members = json_object();

	claw_json_add_text(members, "configuration", configuration);
	claw_json_add_text(members, "key", key);
	claw_json_add_text(members, "value", value);
	return write_record(records, "environment", members);
}

int claw_records_result(struct claw_records *records,
			const struct claw_result *result)
{
	return write_record(records, "result", claw_result_to_json(result));
}

int claw_records_rule(struct claw_records *records, const char *rule,
		      uint64_t matched, uint64_t fired)
{
	json_t *members = json_object();

	claw_json_add_text(members, "rule", rule);
	claw_json_add_number(members, "matched", matched);
	claw_json_add_number(members, "fired", fired);
	return write_record(records, "rule", members);
}

int claw_records_note(struct claw_records *records, const char *text)
{
	json_t *members = json_object();

	claw_json_add_text(members, "text", text);
	return write_record(records, "note", members);
}

int claw_records_comparison(struct claw_records *records,
			    const char *directory, const char *started,
			    const char *text)
{
	json_t *members = json_object();

	claw_json_add_text(members, "directory", directory);
	claw_json_add_text(members, "started", started);
	claw_json_add_text(members, "text", text);
	return write_record(records, "comparison", members);
}

int claw_records_change(struct claw_records *records,
			const struct claw_change *change)
{
	json_t *members = json_object();

	claw_json_add_text(members, "change",
			   claw_change_kind_name(change->kind));
	claw_json_add_text(members, "suite", change->suite);
	claw_json_add_text(members, "name", change->name);
	claw_json_add_text(members, "configuration", change->configuration);
	claw_json_add_text(members, "text", change->text);
	return write_record(records, "change", members);
}

int claw_records_end(struct claw_records *records, int exit_status,
		     bool cancelled)
{
	json_t *members = json_object();
	int ret;

	/* What came before must be there when the end record is. */
	if (records->error == 0 && fdatasync(records->fd) < 0 &&
	    errno != EINVAL && errno != EROFS)
		fail(records, -CLAW_E_IO);
	json_object_set_new(members, "exit_status", json_integer(exit_status));
	json_object_set_new(members, "cancelled", json_boolean(cancelled));
	ret = write_record(records, "end", members);
	if (ret == 0 && fdatasync(records->fd) < 0 && errno != EINVAL &&
	    errno != EROFS)
		ret = fail(records, -CLAW_E_IO);
	return ret;
}

void claw_records_free(struct claw_records *records)
{
	if (!records)
		return;
	if (records->fd >= 0)
		close(records->fd);
	free(records);
}

/* ---- reading --------------------------------------------------------- */

struct reader {
	const struct claw_records_visitor *visitor;
	void *user;
	uint64_t next, damaged;
	uint64_t bad;		/* damaged lines since the last intact one */
	bool planned, complete;
};

static const char *member_text(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

static uint64_t member_number(const json_t *object, const char *name)
{
	json_int_t value = json_integer_value(json_object_get(object, name));

	return value < 0 ? 0 : (uint64_t)value;
}

/* The line's object when its CRC fits, else NULL. */
static json_t *parse_line(char *line, size_t length)
{
	const size_t tail = strlen(CRC_MEMBER) + 8 + 2;	/* up to '"}' */
	char *crc, sum[9];

	if (length <= tail || memchr(line, '\0', length))
		return NULL;
	crc = line + length - tail;
	if (memcmp(crc, CRC_MEMBER, strlen(CRC_MEMBER)) != 0 ||
	    memcmp(line + length - 2, "\"}", 2) != 0)
		return NULL;
	crc[0] = '}';
	snprintf(sum, sizeof(sum), "%08lx",
		 crc32(0, (const Bytef *)line, (uInt)(crc - line) + 1));
	if (memcmp(sum, crc + strlen(CRC_MEMBER), 8) != 0)
		return NULL;
	return json_loadb(line, (size_t)(crc - line) + 1,
			  JSON_REJECT_DUPLICATES, NULL);
}

static bool read_result(struct reader *reader, const json_t *object)
{
	struct claw_findings findings;
	struct claw_result result;

	if (!claw_result_from_json(object, &result, &findings))
		return false;
	if (reader->visitor->result)
		reader->visitor->result(reader->user, &result);
	claw_findings_release(&findings);
	return true;
}

static void read_planned(struct reader *reader, const json_t *object)
{
	if (reader->visitor->planned)
		reader->visitor->planned(reader->user, &(struct claw_planned){
			.suite = member_text(object, "suite"),
			.name = member_text(object, "name"),
			.configuration = member_text(object, "configuration"),
			.operand = member_text(object, "operand"),
			.elsewhere = json_is_true(json_object_get(object,
							"elsewhere")),
			.many = json_is_true(json_object_get(object,
							     "many")) });
}

static bool read_change(struct reader *reader, const json_t *object)
{
	const char *word = member_text(object, "change");
	int kind = word ? claw_change_kind_find(word) : -1;

	if (kind < 0)
		return false;
	if (reader->visitor->change)
		reader->visitor->change(reader->user, &(struct claw_change){
			.kind = (enum claw_change_kind)kind,
			.suite = member_text(object, "suite"),
			.name = member_text(object, "name"),
			.configuration = member_text(object, "configuration"),
			.text = member_text(object, "text") });
	return true;
}

/* One intact line; false when it makes no sense. */
static bool read_record(struct reader *reader, const json_t *object)
{
	const struct claw_records_visitor *to = reader->visitor;
	const char *type = member_text(object, "t");
	const char *text;

	if (!type)
		return false;
	if (strcmp(type, "plan") == 0) {
		text = member_text(object, "seed");
		reader->planned = true;
		if (to->plan)
			to->plan(reader->user, member_text(object, "verb"),
				 member_text(object, "command"),
				 member_number(object, "planned"),
				 text ? strtoull(text, NULL, 10) : 0,
				 member_text(object, "started"));
	} else if (strcmp(type, "result") == 0) {
		return read_result(reader, object);
	} else if (strcmp(type, "planned") == 0) {
		/* A case without a name cannot be looked for. */
		if (!member_text(object, "name"))
			return false;
		read_planned(reader, object);
	} else if (strcmp(type, "change") == 0) {
		return read_change(reader, object);
	} else if (strcmp(type, "comparison") == 0) {
		if (to->comparison)
			to->comparison(reader->user,
				       member_text(object, "directory"),
				       member_text(object, "started"),
				       member_text(object, "text"));
	} else if (strcmp(type, "environment") == 0) {
		if (to->environment)
			to->environment(reader->user,
					member_text(object, "configuration"),
					member_text(object, "key"),
					member_text(object, "value"));
	} else if (strcmp(type, "rule") == 0) {
		if (to->rule)
			to->rule(reader->user, member_text(object, "rule"),
				 member_number(object, "matched"),
				 member_number(object, "fired"));
	} else if (strcmp(type, "note") == 0) {
		if (to->note)
			to->note(reader->user, member_text(object, "text"));
	} else if (strcmp(type, "end") == 0) {
		reader->complete = true;
		if (to->end)
			to->end(reader->user,
				(int)member_number(object, "exit_status"),
				json_is_true(json_object_get(object,
							     "cancelled")));
	}
	/* Types of a later minor version are passed over. */
	return true;
}

/* 0, or -CLAW_E_VERSION. */
static int read_line(struct reader *reader, char *line, size_t length)
{
	json_t *object = parse_line(line, length);
	uint64_t number;
	bool fits;

	if (!object) {
		reader->bad++;
		return 0;
	}
	if (member_number(object, "v") != RECORDS_VERSION) {
		json_decref(object);
		return -CLAW_E_VERSION;
	}
	number = member_number(object, "n");
	/* The plan is number 0 and nothing else is; a number that was there
	 * already is a line out of place, one that is too high says that
	 * lines before it are gone: those that were seen to be damaged, and
	 * more perhaps. */
	fits = number >= reader->next && (number > 0) == reader->planned;
	if (!fits || !read_record(reader, object)) {
		reader->bad++;
	} else {
		uint64_t missing = number - reader->next;

		reader->damaged += missing > reader->bad ? missing :
				   reader->bad;
		reader->bad = 0;
		reader->next = number + 1;
	}
	json_decref(object);
	return 0;
}

int claw_records_read(const char *path,
		      const struct claw_records_visitor *visitor, void *user,
		      bool *ret_complete, uint64_t *ret_damaged)
{
	struct reader reader = { .visitor = visitor, .user = user };
	FILE *in = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	int ret = 0;

	if (!in)
		return -CLAW_E_IO;
	while (ret == 0 && (length = getline(&line, &size, in)) >= 0) {
		if (length == 0 || line[length - 1] != '\n')
			break;		/* torn: it was being written */
		if (length > LINE_MAX_BYTES)
			reader.bad++;
		else
			ret = read_line(&reader, line, (size_t)length - 1);
	}
	if (ret == 0 && ferror(in))
		ret = -CLAW_E_IO;
	if (ret == 0 && !reader.planned)
		ret = -CLAW_E_DAMAGED;
	if (ret == 0) {
		*ret_complete = reader.complete;
		*ret_damaged = reader.damaged + reader.bad;
	}
	free(line);
	fclose(in);
	return ret;
}

/* ---- going on --------------------------------------------------------- */

/* Where what is to stay ends, and the next line's number. */
static int find_end(FILE *in, off_t *ret_end, uint64_t *ret_next)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	off_t at = 0, end = 0;

	while ((length = getline(&line, &size, in)) > 0 &&
	       line[length - 1] == '\n' && length <= LINE_MAX_BYTES) {
		json_t *object = parse_line(line, (size_t)length - 1);
		const char *type = object ? member_text(object, "t") : NULL;

		at += length;
		if (type && strcmp(type, "end") == 0) {
			json_decref(object);
			break;
		}
		if (type) {
			*ret_next = member_number(object, "n") + 1;
			end = at;
		}
		json_decref(object);
	}
	free(line);
	*ret_end = end;
	return end > 0 ? 0 : -CLAW_E_DAMAGED;
}

/* What a killed writer was about to start may hold the lock a little longer. */
static bool is_taken(int fd)
{
	for (int i = 0; i < LOCK_TRIES; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
			return false;
		nanosleep(&(struct timespec) { .tv_nsec = LOCK_WAIT_NS }, NULL);
	}
	errno = EWOULDBLOCK;
	return true;
}

int claw_records_continue(const char *directory,
			  struct claw_records **ret_records)
{
	struct claw_records *records = calloc(1, sizeof(*records));
	char *path = NULL;
	FILE *in = NULL;
	off_t end = 0;
	int ret = -CLAW_E_NO_MEMORY;

	if (records)
		records->fd = -1;
	if (!records || asprintf(&path, "%s/records.jsonl", directory) < 0) {
		path = NULL;
		goto out;
	}
	ret = -CLAW_E_IO;
	records->fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	in = records->fd < 0 ? NULL : fopen(path, "re");
	if (!in || is_taken(records->fd))
		goto out;
	ret = find_end(in, &end, &records->next);
	if (ret == 0 && ftruncate(records->fd, end) < 0)
		ret = -CLAW_E_IO;
	if (ret < 0)
		goto out;
	*ret_records = records;
	records = NULL;
out:;
	int error = errno;

	if (in)
		fclose(in);
	claw_records_free(records);
	free(path);
	errno = error;
	return ret;
}
